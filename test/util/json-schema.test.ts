import {expect, test} from 'vitest';
import {prepareSchema} from '../../source/util/json-schema.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';
import {serve} from '../helpers/loopback.ts';

async function problemOf(schema: JsonObject, value: JsonValue): Promise<string | undefined> {
	const check = await prepareSchema(schema);
	return check.kind === 'ready' ? check.problemOf(value) : `unusable: ${check.reason}`;
}

const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

test.each<{readonly what: string; readonly schema: JsonObject; readonly value: JsonValue; readonly problem?: RegExp}>([
	{what: 'a value that fits', schema: {type: 'object', required: ['a']}, value: {a: 1}},
	{what: 'a missing member', schema: {type: 'object', required: ['a']}, value: {}, problem: /required property 'a'/u},
	{
		what: 'a wrong type deep inside',
		schema: {properties: {a: {properties: {b: {type: 'integer'}}}}},
		value: {a: {b: 'x'}},
		problem: /^a\.b must be integer$/u,
	},
	{what: 'prefixItems of 2020-12', schema: {prefixItems: [{type: 'string'}]}, value: [1], problem: /must be string/u},
	{
		what: 'items as a list of draft-07',
		schema: {$schema: draft07, items: [{type: 'string'}]},
		value: [1],
		problem: /must be string/u,
	},
	{what: 'an e-mail address', schema: {type: 'string', format: 'email'}, value: 'a@b.example'},
	{what: 'no e-mail address', schema: {type: 'string', format: 'email'}, value: 'a', problem: /format "email"/u},
	{what: 'a date that is none', schema: {type: 'string', format: 'date'}, value: '2026-13-01', problem: /"date"/u},
	{what: 'a time', schema: {type: 'string', format: 'date-time'}, value: '2026-07-28T10:00:00+02:00'},
	{what: 'an address that is none', schema: {type: 'string', format: 'uri'}, value: 'nowhere', problem: /"uri"/u},
	{what: 'an unknown format', schema: {type: 'string', format: 'colour'}, value: 'red'},
	{what: 'a pattern', schema: {pattern: '^a+$'}, value: 'b', problem: /pattern/u},
	{what: 'a pattern that cannot run in linear time', schema: {pattern: '^(?=a)a$'}, value: 'b'},
	{
		what: 'a reference inside the schema',
		schema: {$defs: {n: {type: 'number'}}, $ref: '#/$defs/n'},
		value: 'x',
		problem: /must be number/u,
	},
	{
		what: 'an unknown dialect',
		schema: {$schema: 'https://example.org/own'},
		value: 1,
		problem: /^unusable: .*dialect/u,
	},
	{what: 'nonsense instead of a type', schema: {type: 'thing'}, value: 1, problem: /^unusable/u},
])('$what', async ({schema, value, problem}) => {
	const found = await problemOf(schema, value);
	if (problem) {
		expect(found).toMatch(problem);
	} else {
		expect(found).toBeUndefined();
	}
});

test.each([undefined, draft07, draft2020])('a reference to an address is never fetched (%s)', async $schema => {
	const {origin, requests} = await serve();
	const $ref = `${origin}/schema.json`;
	expect(await problemOf({...($schema && {$schema}), properties: {a: {$ref}}}, {a: 1})).toMatch(/^unusable/u);
	expect(requests).toEqual([]);
});

test('a pattern that would take for ever elsewhere is answered at once', async () => {
	expect(await problemOf({pattern: '^(a+)+$'}, `${'a'.repeat(40)}!`)).toMatch(/pattern/u);
});

test('two schemas of one identifier do not see each other', async () => {
	await problemOf({$id: 'https://example.org/a', type: 'string'}, 'x');
	expect(await problemOf({$id: 'https://example.org/a', type: 'number'}, 'x')).toMatch(/must be number/u);
});

test('a member called __proto__ is a member like any other and changes nothing', async () => {
	const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object"}}}') as JsonObject;
	expect(await problemOf(schema, JSON.parse('{"__proto__":{"evil":true}}') as JsonObject)).toBeUndefined();
	expect(Object.hasOwn(Object.prototype, 'evil')).toBe(false);
});

test('a schema nested too deep is unusable', async () => {
	let schema: JsonObject = {type: 'string'};
	for (let depth = 0; depth < 200; depth++) {
		schema = {properties: {a: schema}};
	}

	expect(await problemOf(schema, {})).toBe('unusable: it is too large');
});
