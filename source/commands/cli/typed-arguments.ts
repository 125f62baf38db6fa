import {didYouMean} from '../../config/values/did-you-mean.ts';
import {
	isJsonObject,
	isList,
	type JsonObject,
	type JsonValue,
	lossInJson,
	lossInValue,
	ownMember,
	parseJson,
} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** `NAME=VALUE`, as it was typed. */
type Assignment = {readonly name: string; readonly text: string};

const schemaTypes = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'] as const;
type SchemaType = (typeof schemaTypes)[number];

const typeWords: Readonly<Record<SchemaType, string>> = {
	null: 'null',
	boolean: 'true or false',
	integer: 'an integer',
	number: 'a number',
	array: 'a JSON list',
	object: 'a JSON object',
	string: 'text',
};

/** Reads words of the form `NAME=VALUE`. Throws `bad_usage` for any other word, and for a name that occurs twice. */
export function readAssignments(words: readonly string[], usage: string): readonly Assignment[] {
	const read = words.map(word => {
		const end = word.indexOf('=');
		if (end < 1) {
			throw new Problem('bad_usage', {
				message: `"${shown(word)}" is not of the form NAME=VALUE. Usage: ${usage}`,
			});
		}

		return {name: word.slice(0, end), text: word.slice(end + 1)};
	});
	const repeated = read.find(({name}, index) => read.findIndex(other => other.name === name) < index);
	if (repeated) {
		throw new Problem('bad_usage', {message: `The argument "${shown(repeated.name)}" is given twice`});
	}

	return read;
}

/** The arguments of a tool with the types of its input schema. Throws `bad_usage` for a value that does not fit, and for a name that the schema excludes. */
export function typedArguments(assignments: readonly Assignment[], schema: JsonObject): JsonObject {
	const args: JsonObject = Object.fromEntries(
		assignments.map(({name, text}) => [name, typedValue({name, text}, propertyOf(name, schema), schema)]),
	);
	const loss = lossInValue(args);
	if (loss !== undefined) {
		throw new Problem('bad_usage', {message: loss});
	}

	return args;
}

/** The schema of an argument; undefined: any value. Throws `bad_usage` for a name that the tool does not take. */
function propertyOf(name: string, schema: JsonObject): JsonValue | undefined {
	const properties = ownMember(schema, 'properties');
	const known = isJsonObject(properties) ? properties : {};
	const others = ownMember(schema, 'additionalProperties');
	if (Object.hasOwn(known, name)) {
		return known[name];
	}

	if (others === false && ownMember(schema, 'patternProperties') === undefined) {
		const meant = didYouMean(name, Object.keys(known));
		const hint =
			meant === undefined
				? `. Allowed: ${shown(Object.keys(known).join(', ')) || 'none'}`
				: `; did you mean "${shown(meant)}"?`;
		throw new Problem('bad_usage', {message: `The tool has no argument "${shown(name)}"${hint}`});
	}

	return others;
}

/** A text is taken as it was typed where the schema allows a text, or says nothing. */
function typedValue({name, text}: Assignment, property: JsonValue | undefined, root: JsonObject): JsonValue {
	const types = typesOf(property, {root, visited: new Set(), depth: 0});
	if (types.size === 0 || types.has('string')) {
		return text;
	}

	const value = parseJson(text);
	const loss = lossInJson(text, value);
	if (loss !== undefined) {
		throw new Problem('bad_usage', {message: `The argument "${shown(name)}": ${loss}`});
	}

	if (value === undefined || !jsonTypes(value).some(type => types.has(type))) {
		const wanted = schemaTypes.filter(type => types.has(type)).map(type => typeWords[type]);
		throw new Problem('bad_usage', {
			message: `The argument "${shown(name)}" must be ${wanted.join(' or ')}, not "${shown(text)}"`,
		});
	}

	return value;
}

/** The types that a JSON value has in a schema. */
function jsonTypes(value: JsonValue): readonly SchemaType[] {
	if (value === null) {
		return ['null'];
	}

	if (typeof value === 'number') {
		return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
	}

	return typeof value === 'object'
		? [isList(value) ? 'array' : 'object']
		: [typeof value === 'boolean' ? 'boolean' : 'string'];
}

/** Alternatives within alternatives that are followed. */
const maxDepth = 50;

type Walk = {readonly root: JsonObject; readonly visited: Set<JsonObject>; readonly depth: number};

/**
The types that a schema allows, references and alternatives included; empty where it does not say. Each part is visited once: a server may
let its schemas refer to one another.
*/
function typesOf(schema: JsonValue | undefined, {root, visited, depth}: Walk): ReadonlySet<SchemaType> {
	if (schema === undefined || !isJsonObject(schema) || depth > maxDepth || visited.has(schema)) {
		return new Set();
	}

	visited.add(schema);
	const type = ownMember(schema, 'type');
	const named = [type, ...(isList(type ?? null) ? (type as readonly JsonValue[]) : [])];
	const values = ownMember(schema, 'enum');
	const allowed = [ownMember(schema, 'const'), ...(values !== undefined && isList(values) ? values : [])];
	const parts = ['anyOf', 'oneOf', 'allOf'].flatMap(key => {
		const part = ownMember(schema, key);
		return part !== undefined && isList(part) ? part : [];
	});
	const inner = [referred(schema, root), ...parts].flatMap(part => [
		...typesOf(part, {root, visited, depth: depth + 1}),
	]);
	const own = schemaTypes.filter(one => named.includes(one));
	return new Set([
		...own,
		...(own.length > 0 ? [] : [...allowed.flatMap(value => (value === undefined ? [] : jsonTypes(value))), ...inner]),
	]);
}

/** The schema in the same document that a reference names. */
function referred(schema: JsonObject, root: JsonObject): JsonValue | undefined {
	const reference = ownMember(schema, '$ref');
	if (typeof reference !== 'string' || !reference.startsWith('#/')) {
		return undefined;
	}

	return reference
		.slice(2)
		.split('/')
		.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<JsonValue | undefined>(
			(found, key) => (found !== undefined && isJsonObject(found) ? ownMember(found, key) : undefined),
			root,
		);
}

function shown(text: string): string {
	return safeText(text, {maximumCharacters: 100});
}
