import {describe, expect, test} from 'vitest';
import {isNamedBy, nameId, readNamedId, shownId} from '../../source/util/id-part.ts';

const first = '019a1b2c-0000-7abc-8def-00000000aaaa';
const second = '019a1b2c-0001-7abc-8def-00000000bbbb';
const alike = '019b1b2c-0001-7abc-8def-11111100bbbb';
const short = '4f1c09d2a7be';
const ids = [first, second, alike, short];

describe('what a typed text names', () => {
	test.each([
		['all of an id', second, {kind: 'found', id: second}],
		['the beginning of an older id', '4f1c', {kind: 'found', id: short}],
		['the end of an older id', 'a7be', {kind: 'found', id: short}],
		['an end that only one has', '00aaaa', {kind: 'found', id: first}],
		['a beginning that only one has', '019a1b2c-0001', {kind: 'found', id: second}],
		['what lists show of it', shownId(first), {kind: 'found', id: first}],
		['an end that two have', '00bbbb', {kind: 'ambiguous', ids: [second, alike]}],
		['a beginning that two have', '019a', {kind: 'ambiguous', ids: [first, second]}],
		['a middle', '7abc', {kind: 'none'}],
		['nothing of any', 'ffff', {kind: 'none'}],
		['three characters of an end', 'aaa', {kind: 'too-short'}],
		['three characters of nothing', 'zzz', {kind: 'none'}],
		['nothing typed', '', {kind: 'too-short'}],
	])('%s', (...row) => {
		const [, typed, named] = row;
		expect(nameId(ids, typed)).toEqual(named);
	});

	test('all of an id wins over a longer one that ends with it, however short it is', () => {
		expect([nameId(['0000abcd', 'abcd'], 'abcd'), nameId(['e1', 'e1e1'], 'e1')]).toEqual([
			{kind: 'found', id: 'abcd'},
			{kind: 'found', id: 'e1'},
		]);
	});

	test('an id that is listed twice is one id', () => {
		expect(nameId([first, first], 'aaaa')).toEqual({kind: 'found', id: first});
	});
});

test('an id is shown by its last eight characters, an older one too', () => {
	expect([first, short, 'e1'].map(shownId)).toEqual(['0000aaaa', '09d2a7be', 'e1']);
});

test('a single id is compared in the same way', () => {
	expect([isNamedBy(first, 'aaaa'), isNamedBy(first, '019a'), isNamedBy(first, 'aaa'), isNamedBy('e1', 'e1')]).toEqual([
		true,
		true,
		false,
		true,
	]);
});

describe('reading it', () => {
	test('answers the id, or that there is none', () => {
		expect([readNamedId(ids, 'aaaa'), readNamedId(ids, 'cccc')]).toEqual([first, undefined]);
	});

	test('refuses what names several, and lists them whole', () => {
		expect(() => readNamedId(ids, '00bbbb')).toThrow(
			expect.objectContaining({
				code: 'ambiguous_id',
				message: `"00bbbb" matches more than one id: ${second}, ${alike}`,
			}),
		);
	});

	test('lists no more of them than help to choose, and nothing that moves a cursor', () => {
		const many = Array.from({length: 9}, (_, index) => `same${index}\u001B[2J`);
		expect(() => readNamedId(many, 'same')).toThrow(/^[^\u001B]*same4[^\u001B]* and more$/u);
	});

	test('refuses too short a text as wrong usage', () => {
		expect(() => readNamedId(ids, 'aaa')).toThrow(
			expect.objectContaining({code: 'bad_usage', message: expect.stringMatching(/at least 4 characters/u)}),
		);
	});
});
