import {describe, expect, test} from 'vitest';
import {documentToJson, rowToJson, schemaOf} from '../../source/control/entity-json.ts';
import {type JsonKind} from '../../source/state/entities/json-kind.ts';

const formField = {name: 'a', title: '', description: '', required: true, kind: 'text', minimum_length: 1};

/** A value of each kind, and one of another kind. */
const samples: ReadonlyArray<readonly [kind: JsonKind, fits: unknown, misfits: unknown]> = [
	['id', 'a', 1],
	['text', 'a', 1],
	['name', 'a', 1],
	['texts', ['a'], [1]],
	['count', 1, 1.5],
	['time', 1, 'a'],
	['ms', 1.5, 'a'],
	['object', {a: 1}, 'a'],
	['origin', {kind: 'command-line', job: 'a'}, {}],
	['form', [formField], [{}]],
	['headers', {accept: 'a'}, {accept: 1}],
	['run', {id: 'a', state: 'running'}, {id: 'a'}],
	['deliveries', [{target: 'log', outcome: 'delivered'}], [{target: 'log'}]],
	['usage', {input_tokens: 1, output_tokens: 2}, {}],
	[['a', 'b'], 'b', 'c'],
];

describe('the schema of a member', () => {
	const accepts = (kind: JsonKind, members: object) => schemaOf({a: {json: kind}}, 'row').safeParse(members).success;

	test.each(samples)('of the kind %s takes its values as they are, and no others', (kind, fits, misfits) => {
		expect(schemaOf({a: {json: kind}}, 'row').parse({a: fits})).toEqual({a: fits});
		expect([misfits, null, undefined].filter(value => accepts(kind, {a: value}))).toEqual([]);
		expect(accepts(kind, {})).toBe(false);
	});

	test.each([
		['text', false, false],
		['text?', true, false],
		['text-?', false, true],
	] as const)('of the kind %s takes null: %s, its absence: %s', (kind, takesNull, takesAbsence) => {
		expect([accepts(kind, {a: null}), accepts(kind, {})]).toEqual([takesNull, takesAbsence]);
	});
});

const fields = {
	id: {json: 'id'},
	started_at: {json: 'time?'},
	node: {json: 'text-?'},
	shown: {text: () => 'a'},
	answer: {show: 'text?'},
} as const;

test('a row has the members of rows alone, a document those of show too, in the order of the fields', () => {
	expect(Object.keys(schemaOf(fields, 'row').shape)).toEqual(['id', 'started_at', 'node']);
	expect(Object.keys(schemaOf(fields, 'document').shape)).toEqual(['id', 'started_at', 'node', 'answer']);
});

describe('a row of JSON', () => {
	test('takes its members by their names in camel case, in the order of the fields', () => {
		const row = {node: 'n', startedAt: 5, answer: 'a', id: 'i'};
		expect(JSON.stringify(rowToJson(fields, row, {}))).toBe('{"id":"i","started_at":5,"node":"n"}');
		expect(JSON.stringify(documentToJson(fields, row, {}))).toBe('{"id":"i","started_at":5,"node":"n","answer":"a"}');
	});

	test('has null where nothing applies, and leaves out what is to be left out', () => {
		const row: {readonly id: string; readonly startedAt?: number; readonly node?: string} = {id: 'i'};
		expect(JSON.stringify(rowToJson(fields, row, {}))).toBe('{"id":"i","started_at":null}');
	});

	test('takes a member that is given instead of its own', () => {
		const row = {id: 'i', startedAt: 5};
		expect(rowToJson(fields, row, {id: 'j', started_at: null})).toEqual({id: 'j', started_at: null});
	});

	test('needs the members that the row does not have', () => {
		// @ts-expect-error The row has no time of its start.
		expect(rowToJson(fields, {id: 'i'}, {})).toEqual({id: 'i', started_at: null});
	});
});
