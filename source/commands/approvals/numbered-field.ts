import {fieldBounds} from '../../tui/state/field-bounds.ts';
import {type AnyField, optionsOf} from '../../tui/state/form.ts';

/** A field to be read out: its name, what it takes, its values by number. */
export function fieldPrompt(field: AnyField, entry: readonly string[]): readonly string[] {
	const options = optionsOf(field);
	const bounds = fieldBounds(field);
	const kept = entry.join(', ');
	const empty =
		kept === '' ? (field.need === 'optional' ? 'An empty line leaves it out.' : '') : `An empty line keeps ${kept}.`;
	return [
		`${field.title || field.name}, ${field.need === 'required' ? 'needed' : 'optional'}${bounds === '' ? '' : `, ${bounds}`}.`,
		...(field.description === '' ? [] : [field.description]),
		...options.map(({title}, index) => `${index + 1} ${title}`),
		[options.length === 0 ? 'Type it and press Enter.' : numbersText(field), empty].filter(Boolean).join(' '),
	];
}

function numbersText(field: AnyField): string {
	return field.kind === 'choices'
		? 'Type numbers with blanks between and press Enter.'
		: 'Type a number and press Enter.';
}

/** What a typed line enters into a field; undefined when it holds a number that is not on the list. */
export function typedEntry(field: AnyField, text: string, before: readonly string[]): readonly string[] | undefined {
	if (text === '') {
		return before;
	}

	const options = optionsOf(field);
	if (options.length === 0) {
		return [text];
	}

	const values = text
		.split(/[\s,]+/u)
		.map(number => (/^\d+$/u.test(number) ? options[Number(number) - 1]?.value : undefined));
	const picked = values.filter(value => value !== undefined);
	return picked.length === values.length && (field.kind === 'choices' || picked.length === 1) ? picked : undefined;
}
