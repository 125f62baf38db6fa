import {type AskedUrl} from '../../state/person-event.ts';
import {askedFromText, originText} from '../../state/origin.ts';
import {type QuestionRow, type Snapshot} from '../../state/snapshot.ts';
import {labelled, wrappedLines} from '../lists/list-row.ts';
import {fieldBounds} from '../state/form-values.ts';
import {type AnyField, type Form, type FormStop, optionsOf, stopOf, stopsOf} from '../state/form.ts';
import {type Screen} from '../state/screen.ts';
import {type UiState} from '../state/ui-state.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, lineWidth, ruleLine, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';
import {toastLines} from './toast-lines.ts';
import {shownName} from '../../util/safe-text.ts';

/** A row of a form: text, a field or value for the cursor, or the problem of the field above. */
export type FormRow = {readonly line: Line; readonly stop?: number; readonly isProblem?: true};

/** All rows of a form. The text field under the cursor is drawn by the input component instead. */
export function formRows(
	form: Form,
	{snapshot, size, readOnly}: Pick<Screen, 'snapshot' | 'size' | 'readOnly'>,
): readonly FormRow[] {
	const width = size.columns;
	const isShort = layoutName(size) === 'narrow';
	const stops = stopsOf(form);
	return [
		...formIntro(form, snapshot, size).map(line => ({line})),
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

/**
The rows of a form that fit into `room`. The field of the cursor and the last row, which says how to send, always stay; a line between
them and the rest has the number of hidden rows and the keys that show them.
*/
export function visibleRows(
	form: Form,
	rows: readonly FormRow[],
	{room, width}: {readonly room: number; readonly width: number},
): readonly FormRow[] {
	if (rows.length <= room) {
		return rows;
	}

	const {field, body, page, maxScroll} = placesOf(form, rows, room);
	const wanted = form.scroll === 'at-cursor' ? Math.max(0, field.end - page) : Math.min(maxScroll, form.scroll);
	const isInSight = field.start === field.end || (field.start >= wanted && field.end <= wanted + page);
	const top = isInSight ? Math.min(wanted, Math.max(0, body.length - page)) : wanted;
	const pinned = isInSight ? [] : body.slice(field.start, field.end);
	const shown = body.slice(top, top + Math.max(0, page - pinned.length));
	const below = body.length - top - shown.length;
	const hidden = ruleLine(uiText`${top} above, ${below} below · pageup pagedown`, width);
	const text = field.start < top ? [...pinned, ...shown] : [...shown, ...pinned];
	return [...text, {line: hidden}, ...rows.slice(-1)].slice(-room);
}

/** The form scrolled by a page, in a room that is certainly there. */
export function scrolledForm(
	form: Form,
	rows: readonly FormRow[],
	{room, direction}: {readonly room: number; readonly direction: 1 | -1},
): Form {
	if (rows.length <= room) {
		return form;
	}

	const {field, page, maxScroll} = placesOf(form, rows, room);
	const step = Math.max(1, page - (field.end - field.start));
	const from = form.scroll === 'at-cursor' ? field.end - page : form.scroll;
	return {...form, scroll: Math.min(maxScroll, Math.max(0, Math.min(maxScroll, from) + direction * step))};
}

/** True once the last row of a form was on the screen, in a room that is certainly there: its text is scrolled by pages, none of which is skipped. */
export function isReadToEnd(form: Form, rows: readonly FormRow[], room: number): boolean {
	const {scroll} = form;
	return rows.length <= room || (scroll !== 'at-cursor' && scroll >= placesOf(form, rows, room).maxScroll);
}

/** Number of rows of a form that are certainly on the screen: without header, banners, title, notification and last line. */
export function formHeight(ui: Pick<UiState, 'size' | 'mode' | 'toast'>): number {
	const around = layoutName(ui.size) === 'narrow' ? 3 : 6;
	return Math.max(1, ui.size.rows - around - toastLines(ui).length);
}

/** The parts of a form that does not fit: the rows without the last one, where the cursor's are among them, how many are shown, and the last of them that may be the first on the screen. */
function placesOf(form: Form, rows: readonly FormRow[], room: number) {
	const body = rows.slice(0, -1);
	const start = Math.min(
		body.length,
		rows.findIndex(row => row.stop === form.stop),
	);
	const end = Math.min(body.length, start + (rows[start + 1]?.isProblem ? 2 : 1));
	const page = Math.max(1, room - 2);
	return {body, field: {start, end}, page, maxScroll: Math.max(0, body.length - Math.max(1, page - (end - start)))};
}

/** The asker and the question; empty for a call by hand. */
function formIntro({owner}: Form, {questions}: Pick<Snapshot, 'questions'>, size: Size): readonly Line[] {
	const question = questions.find(({id}) => owner.kind === 'question' && id === owner.id);
	const width = size.columns;
	if (!question) {
		return [];
	}

	if (layoutName(size) === 'narrow') {
		return shortIntro(question, width);
	}

	const isForeign = question.kind !== 'clarify';
	const warning = question.url ? 'open it only if you expect it' : 'never give it a password';
	return [
		...labelled(isForeign ? 'server' : 'asked by', question.asker, width),
		...labelled('from', askedFromText(question, uiText` · `), width),
		...(isForeign ? dimLines(uiText`the text below is from the server · ${warning}`, width) : []),
		[],
		...wrappedLines(question.message, width),
		...(question.url ? urlLines(question.url, width) : []),
	];
}

/** The host apart, and the whole address. */
function urlLines(url: AskedUrl, width: number): readonly Line[] {
	const label = (words: string): Line => [span(` ${words}`, 'dim')];
	return [
		[],
		label('opens a page of'),
		...hostLines(url, width),
		label('at this address'),
		...addressLines(url, width),
	];
}

function hostLines({host, warning}: AskedUrl, width: number): readonly Line[] {
	return [
		...splitAtWidth(host, width - 3).map((part): Line => [span('  '), span(part, 'notice')]),
		...(warning === undefined ? [] : wrapToWidth(warning, width - 2)).map((part): Line => [span(` ${part}`, 'bad')]),
	];
}

/** It has lines of its own, so that it can be copied whole. */
function addressLines({address}: AskedUrl, width: number): readonly Line[] {
	return splitAtWidth(address, width).map((part): Line => [span(part, 'strong')]);
}

/** The asker and the question in few rows: the answer depends on the message. */
function shortIntro({asker, kind, message, origin, url}: QuestionRow, width: number): readonly Line[] {
	const warning = {elicitation: ', give no password', url: ' to open a page of', clarify: ''}[kind];
	return [
		...dimLines(`${asker} (${originText(origin)}) asks${warning}:`, width),
		...(url ? hostLines(url, width) : []),
		...wrappedLines(message, width),
		...(url ? addressLines(url, width) : []),
	];
}

function dimLines(text: string, width: number): readonly Line[] {
	return wrappedLines(text, width).map(line => line.map(piece => span(piece.text, 'dim')));
}

/** The cursor, before a value. */
export const cursorMark = '> ';

function fieldHead(field: AnyField, width: number, isShort: boolean): Line[] {
	const need = field.need === 'required' ? span(' needed', 'busy') : span(' optional', 'dim');
	const bounds = fieldBounds(field);
	return [
		...(isShort ? [] : [[]]),
		...titleLines(
			shownName(field.title || field.name),
			[need, span(bounds === '' ? '' : uiText` · ${bounds}`, 'dim')],
			width,
		),
		...(field.description === ''
			? []
			: wrapToWidth(field.description, width - 4).map((text): Line => [span(`   ${text}`, 'dim')])),
	];
}

/** A title, wrapped; its note is behind it if it fits, or below. */
function titleLines(title: string, about: Line, width: number): Line[] {
	const lines = wrapToWidth(title, width - 2).map((text): Line => [span(` ${text}`, 'strong')]);
	const last = [...(lines.at(-1) ?? []), ...about];
	return lineWidth(last) <= width ? [...lines.slice(0, -1), last] : [...lines, about];
}

/**
A text, or a value to pick. The values are not drawn by `Select` and `MultiSelect` of @inkjs/ui: one cursor moves through all fields of a form,
and theirs cannot be set or read; they report a pick only after the next key may have sent the answer; and `--ascii` cannot change their glyphs.
*/
function stopLine(form: Form, stop: Exclude<FormStop, {kind: 'submit'}>, index: number): Line {
	const mark = span(` ${index === form.stop ? cursorMark : '  '}`, 'accent');
	const entry = form.entries[stop.field] ?? [];
	if (stop.kind === 'text') {
		return [mark, span(entry[0] === '' ? uiText`·` : (entry[0] ?? ''))];
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
	const {owner} = form;
	const answering =
		owner.kind === 'question' && owner.url
			? uiText`o opens it · enter: you do · d no`
			: uiText`enter sends the answer · d declines`;
	const acting = owner.kind === 'question' ? answering : 'enter calls the tool';
	const words = readOnly ? 'read-only: it cannot be answered here' : acting;
	return [span(` ${here ? cursorMark : '  '}`, 'accent'), span(words, here ? 'strong' : 'dim')];
}
