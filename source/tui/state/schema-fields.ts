import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AnyField, type JsonField} from './form.ts';

/**
The fields of a form for the arguments a tool's input schema describes. What is simple gets a field of its kind, everything else
a line of JSON; a tool whose schema is not known gets none. The gateway and the server have the last word on the values.
*/
export function schemaFields(schema: JsonObject | undefined): readonly AnyField[] {
	const properties = schema && ownMember(schema, 'properties');
	const required = schema && ownMember(schema, 'required');
	const needed = new Set(Array.isArray(required) ? required : []);
	return isJsonObject(properties)
		? Object.entries(properties).map(([name, property]) =>
				schemaField(isJsonObject(property) ? property : {}, {
					name,
					need: needed.has(name) ? 'required' : 'optional',
				}),
			)
		: [];
}

type Named = Pick<JsonField, 'name' | 'need'>;

function schemaField(schema: JsonObject, named: Named): AnyField {
	const field = {...named, title: textOf(schema, 'title'), description: textOf(schema, 'description')};
	const defaultValue = ownMember(schema, 'default');
	const options = texts(ownMember(schema, 'enum')).map(value => ({value, title: shown(value)}));
	if (options.length > 0) {
		return {...field, kind: 'choice', options, ...only('defaultValue', defaultValue, isText)};
	}

	const type = ownMember(schema, 'type');
	if (type === 'string') {
		return {...field, kind: 'text', ...bounds(schema), ...only('defaultValue', defaultValue, isText)};
	}

	if (type === 'number' || type === 'integer') {
		return {...field, kind: type, ...range(schema), ...only('defaultValue', defaultValue, isNumber)};
	}

	return type === 'boolean'
		? {...field, kind: 'boolean', ...only('defaultValue', defaultValue, isBoolean)}
		: (choices(schema, field) ?? {...field, kind: 'json', ...(defaultValue !== undefined && {defaultValue})});
}

/** A list whose items are picked from an enumeration. */
function choices(schema: JsonObject, field: Omit<JsonField, 'kind' | 'defaultValue'>): AnyField | undefined {
	const items = ownMember(schema, 'items');
	const values = isJsonObject(items) && ownMember(schema, 'type') === 'array' ? texts(ownMember(items, 'enum')) : [];
	return values.length === 0
		? undefined
		: {
				...field,
				kind: 'choices',
				options: values.map(value => ({value, title: shown(value)})),
				...only('minimumItems', ownMember(schema, 'minItems'), isNumber),
				...only('maximumItems', ownMember(schema, 'maxItems'), isNumber),
			};
}

function bounds(schema: JsonObject) {
	return {
		...only('minimumLength', ownMember(schema, 'minLength'), isNumber),
		...only('maximumLength', ownMember(schema, 'maxLength'), isNumber),
	};
}

function range(schema: JsonObject) {
	return {
		...only('minimum', ownMember(schema, 'minimum'), isNumber),
		...only('maximum', ownMember(schema, 'maximum'), isNumber),
	};
}

/** The member when the value is of the kind that is wanted. */
function only<Name extends string, Value extends JsonValue>(
	name: Name,
	value: JsonValue | undefined,
	isWanted: (value: JsonValue | undefined) => value is Value,
): Partial<Record<Name, Value>> {
	const member: Partial<Record<Name, Value>> = {};
	if (isWanted(value)) {
		member[name] = value;
	}

	return member;
}

/** The texts of an enumeration; none when one of its values is no text. */
function texts(value: JsonValue | undefined): readonly string[] {
	return Array.isArray(value) && value.every(isText) ? value : [];
}

function textOf(schema: JsonObject, name: string): string {
	const value = ownMember(schema, name);
	return isText(value) ? shown(value) : '';
}

/** Schemas come as the server wrote them: shown they are safe, sent they are as they were. */
function shown(text: string): string {
	return safeText(text, {maximumCharacters: 400});
}

function isText(value: JsonValue | undefined): value is string {
	return typeof value === 'string';
}

function isNumber(value: JsonValue | undefined): value is number {
	return typeof value === 'number';
}

function isBoolean(value: JsonValue | undefined): value is boolean {
	return typeof value === 'boolean';
}
