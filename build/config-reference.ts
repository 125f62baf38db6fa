import {z} from 'zod';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../source/util/json-text.ts';
import {configSchema} from '../source/config/read/config-schema.ts';
import {cell} from './generated-part.ts';

/** Every key of config.yaml as tables in Markdown, one for each section; a name that a person chooses is `<name>`. */
export function configReference(): string {
	const raw: JsonValue = JSON.parse(JSON.stringify(z.toJSONSchema(configSchema(), {io: 'input', target: 'draft-7'})));
	const {definitions} = isJsonObject(raw) ? raw : {};
	const schema = resolved(raw, isJsonObject(definitions) ? definitions : {});
	const sections = Object.entries(membersOf(schema)).flatMap(([name, section]) =>
		name === 'platforms'
			? Object.entries(membersOf(section)).map(([platform, one]) => ({title: `platforms.${platform}`, schema: one}))
			: [{title: name, schema: section}],
	);
	return sections.map(sectionText).join('\n');
}

/** References inside the schema, replaced where they stand; one that leads into itself ends there. */
function resolved(schema: JsonValue, definitions: JsonObject, depth = 0): JsonValue {
	if (Array.isArray(schema)) {
		return schema.map(item => resolved(item, definitions, depth));
	}

	if (!isJsonObject(schema)) {
		return schema;
	}

	const reference = ownMember(schema, '$ref');
	const meant = typeof reference === 'string' ? definitions[reference.replace('#/definitions/', '')] : undefined;
	return meant !== undefined
		? depth < 2
			? resolved(meant, definitions, depth + 1)
			: {type: 'object'}
		: Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, resolved(member, definitions, depth)]));
}

function sectionText({title, schema}: {readonly title: string; readonly schema: JsonValue}): string {
	const rows = rowsBelow('', schema).map(({key, type, words}) => `| \`${key}\` | ${type} | ${words} |\n`);
	const about = descriptionOf(schema);
	return `### \`${title}\`\n\n${about}\n\n| Key | Value | Meaning |\n|---|---|---|\n${rows.join('')}`;
}

type Row = {readonly key: string; readonly type: string; readonly words: string};

function rowsBelow(prefix: string, schema: JsonValue): readonly Row[] {
	const members = membersOf(schema);
	return Object.entries(members).flatMap(([name, member]) => {
		const key = `${prefix}${name}`;
		const repeats = Object.entries(membersOf(member)).every(([inner, text]) => isSame(text, members[inner]));
		const below = repeats ? [] : rowsBelow(`${key}.`, member);
		// A mapping is described by its keys, unless they only repeat the keys beside it.
		return below.length > 0 ? below : [{key, type: typeOf(member), words: cell(descriptionOf(member))}];
	});
}

function isSame(first: JsonValue, second: JsonValue | undefined): boolean {
	return JSON.stringify(first) === JSON.stringify(second);
}

/** The keys of a mapping; those of a mapping with names of a person's own are `<name>`. */
function membersOf(schema: JsonValue): JsonObject {
	const found = isJsonObject(schema) ? (ownMember(schema, 'properties') ?? null) : null;
	if (isJsonObject(found)) {
		return found;
	}

	const values = isJsonObject(schema) ? ownMember(schema, 'additionalProperties') : undefined;
	return isJsonObject(values) && Object.keys(membersOf(values)).length > 0 ? {'<name>': values} : {};
}

const typeText: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'number',
	integer: 'number',
	boolean: 'true, false',
	array: 'list',
	object: 'mapping',
};

function typeOf(schema: JsonValue): string {
	if (!isJsonObject(schema)) {
		return '';
	}

	const choices = ownMember(schema, 'enum');
	if (Array.isArray(choices)) {
		return choices.map(choice => `\`${String(choice)}\``).join(', ');
	}

	const kinds = ownMember(schema, 'anyOf');
	if (Array.isArray(kinds)) {
		const words = new Set(
			kinds
				.filter(kind => !isConstant(kind))
				.map(typeOf)
				.filter(Boolean),
		);
		// Numbers and switches may be written as text; that is no kind of its own.
		return words.has('true, false') && words.has('text') && kinds.some(isPattern)
			? 'true, false'
			: [...words].filter(word => !(word === 'text' && words.has('number'))).join(' or ');
	}

	const type = ownMember(schema, 'type');
	return typeof type === 'string' ? (typeText[type] ?? type) : Array.isArray(type) ? 'text' : '';
}

function isConstant(schema: JsonValue): boolean {
	return isJsonObject(schema) && ownMember(schema, 'const') !== undefined;
}

function isPattern(schema: JsonValue): boolean {
	return isJsonObject(schema) && ownMember(schema, 'pattern') !== undefined;
}

function descriptionOf(schema: JsonValue): string {
	const text = isJsonObject(schema) ? ownMember(schema, 'description') : undefined;
	return typeof text === 'string' ? text : '';
}
