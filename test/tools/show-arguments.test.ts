import {describe, expect, test} from 'vitest';
import {showArguments} from '../../source/tools/show-arguments.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';

describe('arguments as they are shown', () => {
	test('are the arguments when nothing is wrong with them', () => {
		const args = {path: '/a', lines: [1, 2, null], deep: {flag: true}};
		expect(showArguments(args)).toEqual(args);
	});

	test.each<[string, JsonObject, JsonObject]>([
		[
			'secrets',
			{url: 'x', headers: {Authorization: 'Bearer 1'}},
			{url: 'x', headers: {Authorization: '‹redacted 8 chars›'}},
		],
		['hostile values', {path: 'a\u{202E}b\u{1B}'}, {path: 'a‹U+202E›b␛'}],
		['hostile names', {'a\u{200B}': 1}, {'a‹U+200B›': 1}],
		['line breaks', {text: 'a\nb'}, {text: 'a\nb'}],
		['long values', {text: 'x'.repeat(4100)}, {text: `${'x'.repeat(4000)}… 100 more`}],
	])('have %s made fit', (_, args, shown) => {
		expect(showArguments(args)).toEqual(shown);
	});

	test('do not hide a member behind another that looks alike', () => {
		expect(showArguments({'a\u{200B}': 1, 'a‹U+200B›': 2})).toEqual({'a‹U+200B›': 1, 'a‹U+200B› (2)': 2});
	});

	test('keep a member named __proto__', () => {
		expect(JSON.stringify(showArguments(JSON.parse('{"__proto__": "x"}')))).toBe('{"__proto__":"x"}');
	});

	test('tell of members that are too many to be shown', () => {
		const args = Object.fromEntries(Array.from({length: 205}, (_, index) => [`m${index}`, index]));
		expect(showArguments(args)['…']).toBe('5 more');
	});

	test('tell of list entries that are too many to be shown', () => {
		const {list} = showArguments({list: Array.from({length: 205}, () => 1)});
		expect(Array.isArray(list) ? list.at(-1) : undefined).toBe('… 5 more');
	});

	test('tell of what is nested too deeply', () => {
		let deep: JsonValue = 'core';
		for (let level = 0; level < 30; level++) {
			deep = [deep];
		}

		expect(JSON.stringify(showArguments({deep}))).toContain('nested deeper than 20 levels');
	});

	test('are bounded as a whole', () => {
		const args = Object.fromEntries(Array.from({length: 200}, (_, index) => [`m${index}`, 'x'.repeat(4000)]));
		const shown = showArguments(args);
		expect(JSON.stringify(shown).length).toBeLessThan(110_000);
		expect(shown.m199).toBe('… 4,000 more');
	});
});
