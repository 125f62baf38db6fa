import {type JsonObject, type JsonValue, lossInJson, parseJson} from '../../util/json-text.ts';
import {type FormField} from '../../state/person-event.ts';
import {type AnyField, type Form} from './form.ts';

/** The values of a form by field name, or its problems by field. */
export type FormReading =
	| {readonly kind: 'values'; readonly values: JsonObject}
	| {readonly kind: 'problems'; readonly problems: readonly string[]};

/** Reads a form. Optional fields that are empty are left out. */
export function readForm({fields, entries}: Form): FormReading {
	const read = fields.map((field, index) => fieldValue(field, entries[index] ?? []));
	const problems = read.map(value => (value.kind === 'problem' ? value.text : ''));
	if (problems.some(problem => problem !== '')) {
		return {kind: 'problems', problems};
	}

	const members = read.flatMap(
		(value, index): Array<[string, JsonValue]> =>
			value.kind === 'value' ? [[fields[index]?.name ?? '', value.value]] : [],
	);
	return {kind: 'values', values: Object.fromEntries(members)};
}

/** The value of a field. `absent`: an optional field that was left empty. */
type FieldValue =
	| {readonly kind: 'value'; readonly value: JsonValue}
	| {readonly kind: 'absent'}
	| {readonly kind: 'problem'; readonly text: string};

type TextLike = Extract<FormField, {kind: 'text'}>;
type NumberLike = Extract<FormField, {kind: 'number' | 'integer'}>;
type Choices = Extract<FormField, {kind: 'choices'}>;

/**
Reads what was entered into a field. The schema's `pattern` is left to the gateway, which checks the whole answer:
a server's regular expression is not run in the dashboard.
*/
export function fieldValue(field: AnyField, entry: readonly string[]): FieldValue {
	const [first = ''] = entry;
	if (field.kind === 'choices') {
		return choicesValue(field, entry);
	}

	if (first.trim() === '') {
		return field.need === 'required' ? problem('this field is required') : {kind: 'absent'};
	}

	switch (field.kind) {
		case 'text':
			return textValue(field, first);
		case 'number':
		case 'integer':
			return numberValue(field, first.trim());
		case 'boolean':
			return {kind: 'value', value: first === 'true'};
		case 'choice':
			return {kind: 'value', value: first};
		case 'json': {
			const value = parseJson(first);
			const loss = lossInJson(first, value);
			return value === undefined || loss !== undefined
				? problem(loss ?? 'not valid JSON: text needs quotes')
				: {kind: 'value', value};
		}
	}
}

function textValue(field: TextLike, text: string): FieldValue {
	const length = Array.from(text).length;
	if (field.minimumLength !== undefined && length < field.minimumLength) {
		return problem(`at least ${counted(field.minimumLength)}`);
	}

	if (field.maximumLength !== undefined && length > field.maximumLength) {
		return problem(`at most ${counted(field.maximumLength)}, this has ${length}`);
	}

	const wrong = field.format && formatProblem(field.format, text);
	return wrong ? problem(wrong) : {kind: 'value', value: text};
}

function formatProblem(format: NonNullable<TextLike['format']>, text: string): string | undefined {
	switch (format) {
		case 'email':
			return /^[^\s@]+@[^\s@]+$/u.test(text) ? undefined : 'an e-mail address: name@example.com';
		case 'uri':
			return URL.canParse(text) ? undefined : 'an address with its scheme: https://example.com';
		case 'date':
			return isDate(text) ? undefined : 'a date: 2026-12-31';
		case 'date-time':
			return isDateTime(text) ? undefined : 'a date and time with a zone: 2026-12-31T12:00:00Z';
	}
}

function isDate(text: string): boolean {
	return /^\d{4}-\d{2}-\d{2}$/u.test(text) && isDay(text);
}

function isDateTime(text: string): boolean {
	return (
		/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/iu.test(text) &&
		isDay(text.slice(0, 10)) &&
		!Number.isNaN(Date.parse(text))
	);
}

/** `Date` takes 31 February for 3 March. */
function isDay(day: string): boolean {
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function numberValue(field: NumberLike, text: string): FieldValue {
	const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : Number.NaN;
	if (!Number.isFinite(value)) {
		return problem('a number');
	}

	if (lossInJson(text.replace(/^\+/u, '')) !== undefined) {
		return problem('a number that is kept as it is typed');
	}

	if (field.kind === 'integer' && !Number.isSafeInteger(value)) {
		return problem('a whole number');
	}

	if (field.minimum !== undefined && value < field.minimum) {
		return problem(`at least ${field.minimum}`);
	}

	return field.maximum !== undefined && value > field.maximum
		? problem(`at most ${field.maximum}`)
		: {kind: 'value', value};
}

function choicesValue(field: Choices, entry: readonly string[]): FieldValue {
	if (entry.length === 0 && field.need === 'optional') {
		return {kind: 'absent'};
	}

	const minimum = field.minimumItems ?? 0;
	if (entry.length < minimum) {
		return problem(`pick at least ${minimum}`);
	}

	return field.maximumItems !== undefined && entry.length > field.maximumItems
		? problem(`pick at most ${field.maximumItems}`)
		: {kind: 'value', value: entry};
}

function counted(count: number): string {
	return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

function problem(text: string): FieldValue {
	return {kind: 'problem', text};
}

/** The bounds of a field, in a few words. */
export function fieldBounds(field: AnyField): string {
	switch (field.kind) {
		case 'text':
			return [
				field.format === undefined ? '' : formatText[field.format],
				rangeText(field.minimumLength, field.maximumLength, 'characters'),
				field.pattern === undefined ? '' : `matches ${field.pattern}`,
			]
				.filter(part => part !== '')
				.join(', ');
		case 'number':
		case 'integer': {
			const kind = field.kind === 'integer' ? 'whole number' : 'number';
			return [kind, rangeText(field.minimum, field.maximum, '')].filter(part => part !== '').join(', ');
		}

		case 'boolean':
			return '';
		case 'choice':
			return 'one of';
		case 'choices':
			return ['any of', rangeText(field.minimumItems, field.maximumItems, 'picked')].filter(Boolean).join(', ');
		case 'json':
			return 'JSON';
	}
}

const formatText = {
	email: 'e-mail address',
	uri: 'address with its scheme',
	date: 'date as 2026-12-31',
	'date-time': 'time as 2026-12-31T12:00:00Z',
} as const;

function rangeText(minimum: number | undefined, maximum: number | undefined, noun: string): string {
	if (minimum === undefined && maximum === undefined) {
		return '';
	}

	const range =
		minimum === undefined
			? `at most ${maximum}`
			: maximum === undefined
				? `at least ${minimum}`
				: `${minimum} to ${maximum}`;
	return `${range} ${noun}`.trim();
}
