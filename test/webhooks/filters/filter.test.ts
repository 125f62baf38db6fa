import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type RouteFilter} from '../../../source/config/webhooks/route-filter.ts';
import {type JsonValue} from '../../../source/util/json-text.ts';
import {Problem} from '../../../source/util/problem.ts';
import {parseExactJson} from '../../../source/webhooks/payload/exact-json.ts';
import {compileFilter, compileFilters} from '../../../source/webhooks/filters/filter.ts';
import {createListFiles, listPaths, readLists} from '../../../source/webhooks/filters/list-file.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const payload = parseExactJson(
	JSON.stringify({
		text: 'Hello',
		number: 7,
		yes: true,
		nothing: null,
		list: ['a', 2, {x: 1}],
		object: {inner: {leaf: 'deep'}, key: null},
		empty: '',
		big: '<big>',
	}).replace('"<big>"', '12345678901234567890'),
) as JsonValue;

async function verdictOf(
	filters: RouteFilter | readonly RouteFilter[],
	value: JsonValue = payload,
	directory = '/nowhere',
) {
	const group = {kind: 'all', filters: 'kind' in filters ? [filters] : filters} as const;
	const test = compileFilter(group);
	if (test instanceof Problem) {
		throw test;
	}

	const subject = {payload: value, event: 'push', headers: new Map([['x-kind', 'special']])};
	return test(subject, await readLists(listPaths(group), createListFiles(directory)));
}

const yes: RouteFilter = {kind: 'exists', field: 'text', present: true};
const no: RouteFilter = {kind: 'exists', field: 'text', present: false};
const malformed: RouteFilter = {kind: 'malformed'};

describe('operators', () => {
	test.each<{filter: RouteFilter; expected: boolean}>([
		{filter: {kind: 'exists', field: 'text', present: true}, expected: true},
		{filter: {kind: 'exists', field: 'nothing', present: true}, expected: true},
		{filter: {kind: 'exists', field: 'absent', present: true}, expected: false},
		{filter: {kind: 'exists', field: 'absent', present: false}, expected: true},
		{filter: {kind: 'exists', field: 'toString', present: true}, expected: false},
		{filter: {kind: 'exists', field: '__proto__', present: true}, expected: false},
		{filter: {kind: 'exists', field: 'text.length', present: true}, expected: false},

		{filter: {kind: 'equals', field: 'text', value: 'Hello'}, expected: true},
		{filter: {kind: 'equals', field: 'text', value: 'hello'}, expected: false},
		{filter: {kind: 'equals', field: 'number', value: 7}, expected: true},
		{filter: {kind: 'equals', field: 'number', value: '7'}, expected: false},
		{filter: {kind: 'equals', field: 'yes', value: 'true'}, expected: false},
		{filter: {kind: 'equals', field: 'yes', value: 1}, expected: false},
		{filter: {kind: 'equals', field: 'nothing', value: null}, expected: true},
		{filter: {kind: 'equals', field: 'absent', value: null}, expected: false},
		{filter: {kind: 'equals', field: 'object', value: {key: null, inner: {leaf: 'deep'}}}, expected: true},
		{filter: {kind: 'equals', field: 'list', value: [2, 'a', {x: 1}]}, expected: false},

		{filter: {kind: 'not-equals', field: 'text', value: 'Hello'}, expected: false},
		{filter: {kind: 'not-equals', field: 'number', value: '7'}, expected: true},
		{filter: {kind: 'not-equals', field: 'absent', value: 'x'}, expected: true},

		{filter: {kind: 'contains', field: 'text', value: 'ell'}, expected: true},
		{filter: {kind: 'contains', field: 'list', value: 2}, expected: true},
		{filter: {kind: 'contains', field: 'list', value: '2'}, expected: false},
		{filter: {kind: 'contains', field: 'list', value: {x: 1}}, expected: true},
		{filter: {kind: 'contains', field: 'object', value: 'key'}, expected: true},
		{filter: {kind: 'contains', field: 'object', value: 'deep'}, expected: false},
		{filter: {kind: 'contains', field: 'object', value: 'constructor'}, expected: false},
		{filter: {kind: 'contains', field: 'number', value: '7'}, expected: true},
		{filter: {kind: 'contains', field: 'absent', value: ''}, expected: false},

		{filter: {kind: 'in', field: 'text', values: ['x', 'Hello']}, expected: true},
		{filter: {kind: 'in', field: 'number', values: ['7']}, expected: false},
		{filter: {kind: 'in', field: 'absent', values: [null]}, expected: false},

		{filter: {kind: 'regex', field: 'text', pattern: 'l+o$'}, expected: true},
		{filter: {kind: 'regex', field: 'text', pattern: '^ello'}, expected: false},
		{filter: {kind: 'regex', field: 'number', pattern: '^7$'}, expected: true},
		{filter: {kind: 'regex', field: 'absent', pattern: ''}, expected: false},
		{filter: {kind: 'regex', field: 'big', pattern: '^12345678901234567890$'}, expected: true},
		{filter: {kind: 'equals', field: 'big', value: parseExactJson('12345678901234567890') ?? null}, expected: true},
		{filter: {kind: 'equals', field: 'big', value: parseExactJson('12345678901234567891') ?? null}, expected: false},
		{filter: {kind: 'exists', field: 'big.rawJSON', present: true}, expected: false},
	])('$filter is $expected', async ({filter, expected}) => {
		expect(await verdictOf(filter)).toBe(expected ? 'match' : 'no-match');
	});
});

describe('fields', () => {
	test.each([
		{field: 'object.inner.leaf', value: 'deep'},
		{field: 'list.0', value: 'a'},
		{field: 'list.2.x', value: 1},
		{field: 'payload.text', value: 'Hello'},
		{field: 'event', value: 'push'},
		{field: 'event_type', value: 'push'},
		{field: 'headers.X-Kind', value: 'special'},
		{field: 'headers.x-kind', value: 'special'},
	])('$field reads $value', async ({field, value}) => {
		expect(await verdictOf({kind: 'equals', field, value})).toBe('match');
	});

	test('payload. means the payload object when there is one', async () => {
		const filter: RouteFilter = {kind: 'equals', field: 'payload.text', value: 'inner'};
		expect(await verdictOf(filter, {text: 'outer', payload: {text: 'inner'}})).toBe('match');
		expect(await verdictOf(filter, {text: 'inner', payload: {text: 'outer'}})).toBe('no-match');
	});

	test.each<JsonValue>([[], 'text', 3, null, true])('a payload of %j has no fields', async value => {
		expect(await verdictOf({kind: 'exists', field: 'text', present: true}, value)).toBe('no-match');
	});
});

describe('groups', () => {
	test.each<{filters: readonly RouteFilter[]; expected: string}>([
		{filters: [], expected: 'match'},
		{filters: [yes, yes], expected: 'match'},
		{filters: [yes, no], expected: 'no-match'},
		{filters: [{kind: 'all', filters: [yes, no]}], expected: 'no-match'},
		{filters: [{kind: 'any', filters: [no, yes]}], expected: 'match'},
		{filters: [{kind: 'any', filters: []}], expected: 'no-match'},
		{filters: [{kind: 'not', filter: no}], expected: 'match'},
		{filters: [{kind: 'not', filter: {kind: 'all', filters: [yes, no]}}], expected: 'match'},
		{filters: [malformed], expected: 'unknown'},
		{filters: [{kind: 'not', filter: malformed}], expected: 'unknown'},
		{filters: [{kind: 'any', filters: [malformed, yes]}], expected: 'match'},
		{filters: [{kind: 'any', filters: [malformed, no]}], expected: 'unknown'},
		{filters: [malformed, no], expected: 'no-match'},
		{filters: [{kind: 'not', filter: {kind: 'in-file', field: 'text', path: 'absent'}}], expected: 'unknown'},
	])('$filters is $expected', async ({filters, expected}) => {
		expect(await verdictOf(filters)).toBe(expected);
	});

	test('a refused pattern anywhere inside is a problem', () => {
		const inside: RouteFilter = {
			kind: 'any',
			filters: [{kind: 'not', filter: {kind: 'regex', field: 'a', pattern: '(?=x)'}}],
		};
		expect(compileFilters([inside], createListFiles('/nowhere'))).toMatchObject({code: 'pattern_refused'});
	});

	test('whatever the payload is, the filters answer', async () => {
		const everything: readonly RouteFilter[] = [
			{
				kind: 'any',
				filters: [{kind: 'contains', field: 'a', value: 'b'}, {kind: 'regex', field: 'a', pattern: 'b'}, yes],
			},
			{kind: 'not-equals', field: 'a.0.b', value: {}},
		];
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), async value => {
				expect(['match', 'no-match']).toContain(
					await verdictOf(everything, parseExactJson(JSON.stringify(value)) ?? null),
				);
			}),
		);
	});
});

describe('in_file', () => {
	const filter: RouteFilter = {kind: 'in-file', field: 'text', path: 'list'};
	test.each([
		{text: '["x", "Hello"]', expected: 'match'},
		{text: '{"Hello": 1}', expected: 'match'},
		{text: '{"x": "Hello"}', expected: 'no-match'},
		{text: 'x\r\n Hello \n\n', expected: 'match'},
		{text: '', expected: 'no-match'},
	])('$text is $expected', async ({text, expected}) => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, 'list'), text);
		expect(await verdictOf(filter, payload, directory)).toBe(expected);
	});

	test('an absolute path is read as it is', async () => {
		const path = join(temporaryDirectory(), 'list');
		writeFileSync(path, 'Hello');
		expect(await verdictOf({...filter, path})).toBe('match');
	});

	test('the filters of a route read their files again for each request, at any depth', async () => {
		const directory = temporaryDirectory();
		const findRefusal = compileFilters([{kind: 'any', filters: [filter]}], createListFiles(directory));
		if (findRefusal instanceof Problem) {
			throw findRefusal;
		}

		const ask = () => findRefusal({payload, event: 'push', headers: new Map()});
		expect(await ask()).toBe('filters.0: the group any (it cannot be evaluated)');
		writeFileSync(join(directory, 'list'), 'Hello');
		expect(await ask()).toBeUndefined();
	});

	test('a changed file is read again', async () => {
		const directory = temporaryDirectory();
		const lists = createListFiles(directory);
		writeFileSync(join(directory, 'list'), 'first');
		expect(await lists.read('list')).toEqual(['first']);
		writeFileSync(join(directory, 'list'), 'other');
		expect(await lists.read('list')).toEqual(['other']);
	});

	test.each([
		{what: 'a directory', make: (path: string) => mkdirSync(path)},
		{what: 'a file over 16 MB', make: (path: string) => writeFileSync(path, Buffer.alloc(16 * 1024 * 1024 + 1, '\n'))},
		{what: 'a pipe', make: (path: string) => execFileSync('mkfifo', [path])},
		{what: 'a link to /dev/zero', make: (path: string) => symlinkSync('/dev/zero', path)},
		{what: 'no file', make: () => undefined},
	])('$what cannot be decided', async ({make}) => {
		const directory = temporaryDirectory();
		make(join(directory, 'list'));
		expect(await verdictOf(filter, payload, directory)).toBe('unknown');
	});
});
