import {assert, boolean, constant, constantFrom, integer, nat, object, property, record, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {partLimits, shownJson, fullLimits} from '../../source/util/shown-json.ts';

const redactor = createRedactor();
redactor.learn('hunter2');
const masks = {names: 'secret', partsOf: redactor.partsOf} as const;
const show = (value: JsonObject, room: {textBytes: number; bytes: number} = partLimits) =>
	shownJson(value, {room, masks});
const bytes = (value: JsonValue) => Buffer.byteLength(JSON.stringify(value));

function nested(depth: number): JsonValue {
	let value: JsonValue = 'core';
	for (let level = 0; level < depth; level++) {
		value = [value];
	}

	return value;
}

describe('JSON as it is shown', () => {
	test.each<[string, JsonObject]>([
		['what is nested deeply', {deep: nested(150)}],
		['more than 200 members', Object.fromEntries(Array.from({length: 700}, (_, index) => [`m${index}`, index]))],
		['more than 200 entries', {list: Array.from({length: 700}, () => 1)}],
		['a long name', {['n'.repeat(2000)]: 1}],
		['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}') as JsonObject],
	])('is the same with %s', (_, value) => {
		const shown = show(value);
		expect(JSON.stringify(shown.value)).toBe(JSON.stringify(value));
		expect(shown).toMatchObject({sentBytes: bytes(value), cutBytes: 0, maskedValues: 0});
	});

	test('names in the place of a cut how much is missing, and the sum is exact', () => {
		const {value, ...facts} = show({content: 'x'.repeat(95_007), path: '/a'});
		expect(value).toEqual({content: `${'x'.repeat(4000)}‹91,007 B not shown›`, path: '/a'});
		expect(facts).toEqual({sentBytes: 95_033, cutBytes: 91_007, maskedValues: 0, markedCharacters: 0});
	});

	test.each<[string, JsonObject, JsonObject]>([
		['members', {a: 'xxxx', b: 1, c: 2}, {a: 'xxxx', '‹2 more, 12 B not shown›': null}],
		['entries', {a: [12, 34, 56, 78]}, {a: [12, 34, '‹2 more, 6 B not shown›']}],
		['the end of a name', {['n'.repeat(20)]: 1}, {'nnnnnnnn‹12 B not shown›': 1}],
		['the end of a text between two signs', {a: '👍👍👍'}, {a: '👍‹8 B not shown›'}],
	])('cuts %s', (_, value, cut) => {
		expect(show(value, {textBytes: 8, bytes: 11}).value).toEqual(cut);
	});

	test.each<[JsonObject, JsonObject, number]>([
		[{headers: {Authorization: 'Bearer 1'}}, {headers: {Authorization: '‹redacted 8 chars›'}}, 1],
		[{token: {a: 1}, list: [{password: null}]}, {token: '‹redacted›', list: [{password: '‹redacted›'}]}, 2],
		[{url: 'x?k=hunter2&y'}, {url: 'x?k=‹redacted 7 chars›&y'}, 1],
		[{'a hunter2': 1}, {'a ‹redacted 7 chars›': 1}, 1],
	])('masks the secrets of %j', (value, shown, maskedValues) => {
		expect(show(value)).toEqual({
			value: shown,
			sentBytes: bytes(value),
			cutBytes: 0,
			maskedValues,
			markedCharacters: 0,
		});
	});

	test('masks before it cuts, so that no half of a secret is left', () => {
		expect(show({a: '12345hunter2'}, {textBytes: 8, bytes: 100}).value).toEqual({a: '12345‹redacted 7 chars›'});
	});

	test('holds no sign of ours that a value wrote', () => {
		expect(show({a: '‹redacted 8 chars›', '‹2 more›': '‹9 B not shown›'}).value).toEqual({
			a: '‹U+2039›redacted 8 chars‹U+203A›',
			'‹U+2039›2 more‹U+203A›': '‹U+2039›9 B not shown‹U+203A›',
		});
	});

	test('keeps both of two members whose names are cut to the same', () => {
		const names = Object.keys(
			show({[`${'n'.repeat(20)}a`]: 1, [`${'n'.repeat(20)}b`]: 2}, {textBytes: 4, bytes: 900}).value,
		);
		expect(names).toEqual(['nnnn‹17 B not shown›', 'nnnn‹17 B not shown›‹2›']);
	});

	test('masks nothing where no masks are wanted', () => {
		const value = {token: 'hunter2'};
		expect(shownJson(value, {room: fullLimits, masks: undefined})).toMatchObject({value, maskedValues: 0});
	});

	test('shows all bytes but those it says are cut, for plain values', () => {
		const value = object({
			key: string({unit: constantFrom('a', 'b', '"', '\\', '\n', 'ü')}),
			values: [string({unit: constantFrom('a', '"', '\n', '日', '👍')}), integer(), boolean(), constant(null)],
			maxDepth: 4,
		});
		const room = record({textBytes: nat(12), bytes: nat(80)});
		assert(
			property(value, room, (whole, most) => {
				const shown = show(whole as JsonObject, most);
				const signs = JSON.stringify(shown.value).matchAll(/([\d,]+) B not shown›/gu);
				const counts = Array.from(signs, ([, count = '']) => Number(count.replaceAll(',', '')));
				expect(counts.reduce((sum, count) => sum + count, 0)).toBe(shown.cutBytes);
				expect(Buffer.byteLength(withoutSigns(JSON.stringify(shown.value)))).toBe(shown.sentBytes - shown.cutBytes);
			}),
			{numRuns: 500},
		);
	});
});

/** JSON without the signs of a cut and the members that only count others. */
function withoutSigns(json: string): string {
	return json.replaceAll(/,?"‹[\d,]+ more, [^›]*›"(?::null)?/gu, '').replaceAll(/‹[^›]*›/gu, '');
}
