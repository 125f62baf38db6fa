import {fieldBounds} from '../state/form-values.ts';
import {type AnyField, type Form, type FormStop, optionsOf, stopOf, stopsOf} from '../state/form.ts';
import {type Screen} from '../state/screen.ts';
import {layoutName} from '../text/layout.ts';
import {own} from '../text/own-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {glyphs} from '../text/status-text.ts';
import {wrapToWidth} from '../text/text-width.ts';

/** A row of a form: text, a field or value for the cursor, or the problem of the field above. */
export type FormRow = {readonly line: Line; readonly stop?: number; readonly isProblem?: true};

/** A form in rows, below an introduction. The text field under the cursor is drawn by the input component instead. */
export function formRows(
	form: Form,
	intro: readonly Line[],
	{size, readOnly}: Pick<Screen, 'size' | 'readOnly'>,
): readonly FormRow[] {
	const width = size.columns;
	const isShort = layoutName(size) === 'narrow';
	const stops = stopsOf(form);
	return [
		...intro.map(line => ({line})),
		...form.fields.flatMap((field, index) => [
			...fieldHead(field, width, isShort).map(line => ({line})),
			...stops.flatMap((stop, stopIndex): FormRow[] =>
				stop.kind !== 'submit' && stop.field === index
					? [{line: stopLine(form, stop, stopIndex), stop: stopIndex}]
					: [],
			),
			...problemRows(form.problems[index] ?? ''),
		]),
		...(isShort ? [] : [{line: []}]),
		{line: endLine(form, stops.length - 1, readOnly), stop: stops.length - 1},
	];
}

/** The cursor, before a value. */
export const cursorMark = '> ';

function fieldHead(field: AnyField, width: number, isShort: boolean): Line[] {
	const need = field.need === 'required' ? span(' needed', 'busy') : span(' optional', 'dim');
	const bounds = fieldBounds(field);
	return [
		...(isShort ? [] : [[]]),
		[span(` ${field.title || field.name}`, 'strong'), need, span(bounds === '' ? '' : own` · ${bounds}`, 'dim')],
		...(field.description === ''
			? []
			: wrapToWidth(field.description, width - 4).map((text): Line => [span(`   ${text}`, 'dim')])),
	];
}

/**
A text, or a value to pick. The values are not drawn by `Select` and `MultiSelect` of @inkjs/ui: one cursor moves through all fields of a form,
and theirs cannot be set or read; they report a pick only after the next key may have sent the answer; and `--ascii` cannot change their glyphs.
*/
function stopLine(form: Form, stop: Exclude<FormStop, {kind: 'submit'}>, index: number): Line {
	const mark = span(` ${index === form.stop ? cursorMark : '  '}`, 'accent');
	const entry = form.entries[stop.field] ?? [];
	if (stop.kind === 'text') {
		return [mark, span(entry[0] === '' ? own`·` : (entry[0] ?? ''))];
	}

	const field = form.fields[stop.field];
	const option = field && optionsOf(field).find(({value}) => value === stop.value);
	const isPicked = entry.includes(stop.value);
	return [
		mark,
		span(isPicked ? glyphs.picked : glyphs.open, isPicked ? 'good' : 'dim'),
		span(` ${option?.title ?? stop.value}`, isPicked ? 'strong' : 'normal'),
	];
}

function problemRows(problem: string): FormRow[] {
	return problem === '' ? [] : [{line: [span(problem, 'bad')], isProblem: true}];
}

function endLine(form: Form, index: number, readOnly: boolean): Line {
	const here = stopOf(form).kind === 'submit' && form.stop === index;
	const acting = form.owner.kind === 'question' ? own`enter sends the answer · d declines` : 'enter calls the tool';
	const words = readOnly ? 'read-only: it cannot be answered here' : acting;
	return [span(` ${here ? cursorMark : '  '}`, 'accent'), span(words, here ? 'strong' : 'dim')];
}
