import {z} from 'zod';
import {commands} from '../source/commands/cli/command-table.ts';
import {commandDocument, errorDocumentJson} from '../source/control/command-documents.ts';
import {jsonObject} from '../source/control/entity-json.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue, ownMember} from '../source/util/json-text.ts';

const widest = 110;

/** The document of every command with `--json`, in the notation of TypeScript. */
export function jsonReference(): string {
	const documents = commands
		.filter(({flags}) => flags.includes('json'))
		.map(({words}) => {
			const name = words.join(' ');
			const {schema, note} = commandDocument(name);
			return documentText(`\`${name}\``, schema, note);
		});
	return [documentText('A command that could not be done', errorDocumentJson), ...documents].join('\n');
}

function documentText(title: string, schema: z.ZodType, note?: string): string {
	const json = z.toJSONSchema(schema, {
		unrepresentable: 'any',
		reused: 'inline',
		override({zodSchema, jsonSchema}) {
			if (zodSchema === jsonObject) {
				jsonSchema.type = 'object';
			}
		},
	});
	const root = JSON.parse(JSON.stringify(json)) as JsonObject;
	return [
		`### ${title}\n`,
		`\`\`\`ts\n${typeText(root, '')}\n\`\`\`\n`,
		...(note === undefined ? [] : [`${note}\n`]),
	].join('\n');
}

/** A schema as a type. */
function typeText(schema: JsonValue, indent: string): string {
	if (!isJsonObject(schema)) {
		return 'unknown';
	}

	const values = ownMember(schema, 'enum');
	const alternatives = ownMember(schema, 'anyOf') ?? ownMember(schema, 'oneOf');
	if (values !== undefined && isList(values)) {
		return values.map(value => literalText(value)).join(' | ');
	}

	if (Object.hasOwn(schema, 'const')) {
		return literalText(schema['const'] ?? null);
	}

	if (alternatives !== undefined && isList(alternatives)) {
		return [...new Set(alternatives.map(one => typeText(one, indent)))].join(' | ');
	}

	const types = ownMember(schema, 'type');
	if (types !== undefined && isList(types)) {
		return types.map(type => typeText({...schema, type}, indent)).join(' | ');
	}

	if (types === 'object') {
		return objectText(schema, indent);
	}

	if (types === 'array') {
		return listText(typeText(ownMember(schema, 'items') ?? {}, indent));
	}

	return (typeof types === 'string' && plainTypes[types]) || 'unknown';
}

const plainTypes: Readonly<Record<string, string>> = {
	integer: 'number',
	number: 'number',
	string: 'string',
	boolean: 'boolean',
	null: 'null',
};

function listText(item: string): string {
	return /^[\w"]+ \|/u.test(item) ? `(${item})[]` : `${item}[]`;
}

function literalText(value: JsonValue): string {
	return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function objectText(schema: JsonObject, indent: string): string {
	const properties = ownMember(schema, 'properties');
	const others = ownMember(schema, 'additionalProperties');
	if (!isJsonObject(properties ?? null)) {
		return isJsonObject(others ?? null) ? `{[name: string]: ${typeText(others ?? null, indent)}}` : 'object';
	}

	const required = ownMember(schema, 'required');
	const needed = new Set(required !== undefined && isList(required) ? required : []);
	const inner = `${indent}  `;
	const members = Object.entries(properties as JsonObject).map(
		([name, value]) => `${name}${needed.has(name) ? '' : '?'}: ${typeText(value, inner)}`,
	);
	const line = `{${members.join(', ')}}`;
	return line.length + indent.length <= widest && !line.includes('\n')
		? line
		: `{\n${members.map(member => `${inner}${member}\n`).join('')}${indent}}`;
}
