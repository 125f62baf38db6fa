import * as z from 'zod';
import {type FieldOption, type FormField} from '../../state/person-event.ts';
import {type JsonObject, parseJson} from '../../util/json-text.ts';
import {quoted, safeText} from '../../util/safe-text.ts';

/** A form that a person can fill in, or the reason why it cannot be shown, in plain words. */
export type FormReading =
	| {readonly kind: 'form'; readonly fields: readonly FormField[]}
	| {readonly kind: 'refused'; readonly reason: string};

/** `Omit` applied to each variant of a union, so that the result is still a union. */
type Without<Union, Names extends string> = Union extends unknown ? Omit<Union, Names> : never;
type FieldInput = Without<FormField, 'name' | 'title' | 'description' | 'need'>;

const maxFields = 50;
const maxOptions = 200;
const maxSchemaCharacters = 100_000;
const maxNameCharacters = 100;
const maxTitleCharacters = 200;
const maxDescriptionCharacters = 1000;

/** Property names with a special meaning in JavaScript. */
const reservedNames = new Set(['__proto__', 'constructor', 'prototype']);

const texts = {title: z.string().optional(), description: z.string().optional()};
const titled = z.array(z.object({const: z.string(), title: z.string()}));
const amount = z.number().int().nonnegative().optional();

const stringSchema = z.object({
	...texts,
	type: z.literal('string'),
	format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
	minLength: amount,
	maxLength: amount,
	enum: z.array(z.string()).optional(),
	enumNames: z.array(z.string()).optional(),
	oneOf: titled.optional(),
	default: z.unknown().optional(),
});
const numberSchema = z.object({
	...texts,
	type: z.enum(['number', 'integer']),
	minimum: z.number().optional(),
	maximum: z.number().optional(),
	default: z.unknown().optional(),
});
const booleanSchema = z.object({...texts, type: z.literal('boolean'), default: z.unknown().optional()});
const listSchema = z.object({
	...texts,
	type: z.literal('array'),
	items: z.union([z.object({enum: z.array(z.string())}), z.object({anyOf: titled}), z.object({oneOf: titled})]),
	minItems: amount,
	maxItems: amount,
	default: z.unknown().optional(),
});
const fieldSchema = z.discriminatedUnion('type', [stringSchema, numberSchema, booleanSchema, listSchema]);
type WrittenField = z.output<typeof fieldSchema>;

const formSchema = z.object({
	type: z.literal('object'),
	properties: z.record(z.string(), z.unknown()),
	required: z.array(z.string()).optional(),
});

/**
Parses the schema of a form (docs/tool-servers.md, Elicitation): flat, with strings, numbers, booleans and choices. A schema that cannot be shown
exactly is refused as a whole: a person must not answer a form with hidden parts.
*/
export function readForm(requested: JsonObject): FormReading {
	const written = JSON.stringify(requested);
	if (written.length > maxSchemaCharacters) {
		return refused(`it is larger than ${maxSchemaCharacters} characters`);
	}

	const form = formSchema.safeParse(requested);
	// Also search the text: parsers drop such members silently.
	const names = Object.keys(parseMembers(written));
	if (!form.success) {
		return refused('it is not an object with plain fields');
	}

	if (names.length > maxFields) {
		return refused(`it has ${names.length} fields; at most ${maxFields} can be shown`);
	}

	const required = new Set(form.data.required);
	const fields: FormField[] = [];
	for (const name of names) {
		const field = readField(name, form.data.properties[name]);
		if (typeof field === 'string') {
			return refused(field);
		}

		fields.push({...field, need: required.has(name) ? 'required' : 'optional'});
	}

	const missing = [...required].find(name => !names.includes(name));
	return missing === undefined
		? {kind: 'form', fields}
		: refused(
				`it requires the field ${quoted(missing, {maximumCharacters: maxNameCharacters})}, which it does not have`,
			);
}

function refused(reason: string): FormReading {
	return {kind: 'refused', reason};
}

function parseMembers(written: string): object {
	const parsed = parseJson(written);
	const properties = typeof parsed === 'object' && parsed !== null && 'properties' in parsed ? parsed.properties : {};
	return typeof properties === 'object' && properties !== null ? properties : {};
}

/** The field, or the reason why it cannot be shown. */
function readField(name: string, written: unknown): Without<FormField, 'need'> | string {
	const shown = safeText(name, {maximumCharacters: maxNameCharacters});
	if (reservedNames.has(name) || name === '' || shown !== name) {
		return `the name of a field cannot be used: ${quoted(shown)}`;
	}

	const field = fieldSchema.safeParse(written);
	if (!field.success) {
		return `the field ${quoted(shown)} is not a text, number, switch or choice`;
	}

	const input = readInput(field.data);
	if (typeof input === 'string') {
		return `the field ${quoted(shown)} ${input}`;
	}

	const {title, description} = field.data;
	return {
		...input,
		name,
		title: safeText(title?.trim() || name, {maximumCharacters: maxTitleCharacters}),
		description: safeText(description ?? '', {maximumCharacters: maxDescriptionCharacters}),
	};
}

function readInput(field: WrittenField): FieldInput | string {
	switch (field.type) {
		case 'boolean':
			return {kind: 'boolean', ...(typeof field.default === 'boolean' && {defaultValue: field.default})};
		case 'number':
		case 'integer':
			return readNumber(field);
		case 'string':
			return readText(field);
		case 'array':
			return readChoices(field);
	}
}

function readNumber({type, minimum, maximum, default: value}: z.output<typeof numberSchema>): FieldInput {
	const fits = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
	return {
		kind: type,
		...(minimum !== undefined && {minimum}),
		...(maximum !== undefined && {maximum}),
		...(typeof value === 'number' && fits && {defaultValue: value}),
	};
}

function readText(field: z.output<typeof stringSchema>): FieldInput | string {
	const titles = field.enumNames ?? [];
	const options = field.oneOf ?? field.enum?.map((value, index) => ({const: value, title: titles[index] ?? value}));
	if (options) {
		const read = readOptions(options);
		const chosen = typeof read === 'string' ? undefined : read.find(({value}) => value === field.default)?.value;
		return typeof read === 'string'
			? read
			: {kind: 'choice', options: read, ...(chosen !== undefined && {defaultValue: chosen})};
	}

	const {format, minLength, maxLength, default: value} = field;
	// A default that the person would send without having seen it is left out.
	const isShown = typeof value === 'string' && safeText(value) === value;
	return {
		kind: 'text',
		...(format && {format}),
		...(minLength !== undefined && {minimumLength: minLength}),
		...(maxLength !== undefined && {maximumLength: maxLength}),
		...(isShown && {defaultValue: value}),
	};
}

function readChoices(field: z.output<typeof listSchema>): FieldInput | string {
	const {items, minItems, maxItems, default: value} = field;
	const listed =
		'enum' in items
			? items.enum.map(entry => ({const: entry, title: entry}))
			: 'anyOf' in items
				? items.anyOf
				: items.oneOf;
	const options = readOptions(listed);
	if (typeof options === 'string') {
		return options;
	}

	const chosen = Array.isArray(value) ? options.map(option => option.value).filter(entry => value.includes(entry)) : [];
	return {
		kind: 'choices',
		options,
		...(minItems !== undefined && {minimumItems: minItems}),
		...(maxItems !== undefined && {maximumItems: maxItems}),
		...(chosen.length > 0 && {defaultValue: chosen}),
	};
}

/** The options, or the reason why they cannot be shown. */
function readOptions(
	options: ReadonlyArray<{readonly const: string; readonly title: string}>,
): readonly FieldOption[] | string {
	if (options.length === 0 || options.length > maxOptions) {
		return `offers ${options.length} choices; 1 to ${maxOptions} can be shown`;
	}

	if (options.some(option => safeText(option.const) !== option.const)) {
		return 'offers a choice that cannot be shown as it is';
	}

	return options.map(option => ({
		value: option.const,
		title: safeText(option.title.trim() || option.const, {maximumCharacters: maxTitleCharacters}),
	}));
}
