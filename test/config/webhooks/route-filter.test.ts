import {describe, expect, test} from 'vitest';
import {isMalformed, parseFilters} from '../../../source/config/webhooks/route-filter.ts';

describe('a filter', () => {
	test.each([
		[
			{field: 'a', exists: true},
			{kind: 'exists', field: 'a', present: true},
		],
		[
			{field: 'a', exists: false},
			{kind: 'exists', field: 'a', present: false},
		],
		[
			{field: 'a', exists: 'no'},
			{kind: 'exists', field: 'a', present: false},
		],
		[
			{field: 'a', missing: true},
			{kind: 'exists', field: 'a', present: false},
		],
		[
			{field: 'a', missing: false},
			{kind: 'exists', field: 'a', present: true},
		],
		[
			{field: 'a', equals: null},
			{kind: 'equals', field: 'a', value: null},
		],
		[
			{field: 'a', equals: {b: [1]}},
			{kind: 'equals', field: 'a', value: {b: [1]}},
		],
		[
			{field: 'a', not_equals: 5},
			{kind: 'not-equals', field: 'a', value: 5},
		],
		[
			{field: 'a', contains: 'b'},
			{kind: 'contains', field: 'a', value: 'b'},
		],
		[
			{field: 'a', in: [1, 'b']},
			{kind: 'in', field: 'a', values: [1, 'b']},
		],
		[
			{field: 'a', in_file: 'list.txt'},
			{kind: 'in-file', field: 'a', path: 'list.txt'},
		],
		[
			{field: 'a', regex: '^b'},
			{kind: 'regex', field: 'a', pattern: '^b'},
		],
		[{all: [{field: 'a', equals: 1}]}, {kind: 'all', filters: [{kind: 'equals', field: 'a', value: 1}]}],
		[{any: {field: 'a', equals: 1}}, {kind: 'any', filters: [{kind: 'equals', field: 'a', value: 1}]}],
		[{not: {field: 'a', equals: 1}}, {kind: 'not', filter: {kind: 'equals', field: 'a', value: 1}}],
		[
			{
				not: [
					{field: 'a', equals: 1},
					{field: 'b', equals: 2},
				],
			},
			{
				kind: 'not',
				filter: {
					kind: 'all',
					filters: [
						{kind: 'equals', field: 'a', value: 1},
						{kind: 'equals', field: 'b', value: 2},
					],
				},
			},
		],
	])('%j', (written, expected) => {
		expect(parseFilters(written)).toEqual([expected]);
	});

	test.each([
		[{}],
		[{field: 'a'}],
		[{field: ''}],
		[{field: '', equals: 1}],
		[{field: 5, equals: 1}],
		[{equals: 1}],
		[{field: 'a', equals: 1, contains: 2}],
		[{field: 'a', equals: 1, note: 'x'}],
		[{field: 'a', like: 1}],
		[{field: 'a', exists: 'perhaps'}],
		[{field: 'a', in: 'b'}],
		[{field: 'a', in_file: 5}],
		[{field: 'a', in_file: ''}],
		[{field: 'a', regex: 5}],
		[{field: 'a', all: []}],
		[{all: 'x'}],
		[{none: []}],
		['text'],
		[5],
		[true],
	])('%j is malformed', written => {
		expect(parseFilters(written)).toEqual([{kind: 'malformed'}]);
	});

	test.each([
		[{not: {field: 'a'}}],
		[{not: [{field: 'a', equals: 1}, 'x']}],
		[{not: {any: [{field: 'a'}, {field: 'b', equals: 1}]}}],
	])('%j: the opposite of a malformed filter is malformed', written => {
		expect(parseFilters(written)).toEqual([{kind: 'malformed'}]);
	});
});

test.each([[undefined], [null], [[]]])('%j is no filter', written => {
	expect(parseFilters(written)).toEqual([]);
});

test('a list is read one by one', () => {
	expect(parseFilters([{field: 'a', equals: 1}, 'x']).map(filter => filter.kind)).toEqual(['equals', 'malformed']);
});

test('a malformed filter is found at any depth', () => {
	expect(parseFilters({any: [{all: [{field: 'a'}]}]}).some(isMalformed)).toBe(true);
});
