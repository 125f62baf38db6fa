import {describe, expect, test} from 'vitest';
import {maskArguments, showJson} from '../../source/tools/show-arguments.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';
import {shownValue} from '../../source/util/shown-json.ts';

describe('arguments as they are shown', () => {
	test('are the arguments when nothing is wrong with them', () => {
		const args = {path: '/a', lines: [1, 2, null], deep: {flag: true}};
		expect(maskArguments(args)).toEqual({
			value: args,
			sentBytes: 53,
			cutBytes: 0,
			maskedValues: 0,
			markedCharacters: 0,
		});
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
		['long values', {text: 'x'.repeat(4100)}, {text: `${'x'.repeat(4000)}‹100 B not shown›`}],
	])('have %s made fit', (_, args, shown) => {
		expect(shownValue(maskArguments(args).value)).toEqual(shown);
	});

	test('do not hide a member behind another that looks alike', () => {
		const value = shownValue(maskArguments({'a\u{200B}': 1, 'a‹U+200B›': 2}).value);
		expect(value).toEqual({'a‹U+200B›': 1, 'a‹U+2039›U+200B‹U+203A›': 2});
	});

	test('are bounded as a whole', () => {
		const args = Object.fromEntries(Array.from({length: 200}, (_, index) => [`m${index}`, 'x'.repeat(4000)]));
		const {value, cutBytes} = maskArguments(args);
		expect(JSON.stringify(value).length).toBeLessThan(40_000);
		expect(cutBytes).toBeGreaterThan(700_000);
	});
});

describe('a schema as it is shown', () => {
	test('keeps a member named __proto__', () => {
		expect(JSON.stringify(showJson(JSON.parse('{"__proto__": "x"}')))).toBe('{"__proto__":"x"}');
	});

	test('counts members and entries that are too many to be shown', () => {
		const members = Object.fromEntries(Array.from({length: 205}, (_, index) => [`m${index}`, index]));
		expect(showJson(members)['…']).toBe('5 more');
		const {list} = showJson({list: Array.from({length: 205}, () => 1)});
		expect(Array.isArray(list) ? list.at(-1) : undefined).toBe('… 5 more');
	});

	test('names what is nested too deeply', () => {
		let deep: JsonValue = 'core';
		for (let level = 0; level < 30; level++) {
			deep = [deep];
		}

		expect(JSON.stringify(showJson({deep}))).toContain('nested more than 20 levels deep');
	});

	test('is bounded as a whole', () => {
		const schema = Object.fromEntries(Array.from({length: 200}, (_, index) => [`m${index}`, 'x'.repeat(4000)]));
		const shown = showJson(schema);
		expect(JSON.stringify(shown).length).toBeLessThan(110_000);
		expect(shown['m199']).toBe('… 4,000 more');
	});
});
