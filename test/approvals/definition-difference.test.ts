import {describe, expect, test} from 'vitest';
import {definitionDifference} from '../../source/approvals/definition-difference.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';

describe('the difference of two definitions', () => {
	test('is none when they say the same in another order', () => {
		expect(definitionDifference({a: 1, b: {c: [2]}}, {b: {c: [2]}, a: 1})).toBeUndefined();
	});

	test.each<[string, {before: JsonObject; after: JsonObject}, string]>([
		['a new member', {before: {}, after: {annotations: {readOnlyHint: true}}}, '+ annotations.readOnlyHint: true'],
		['a lost member', {before: {a: 1, description: 'x'}, after: {a: 1}}, '- description: "x"'],
		[
			'another value',
			{before: {description: 'reads'}, after: {description: 'reads, and sends'}},
			'~ description: "reads" → "reads, and sends"',
		],
		['another type', {before: {a: 1}, after: {a: '1'}}, '~ a: 1 → "1"'],
		['a member of a list', {before: {required: ['a']}, after: {required: ['a', 'b']}}, '+ required.1: "b"'],
		['hostile text', {before: {a: 'x'}, after: {a: 'x\u{202E}y'}}, '~ a: "x" → "x‹U+202E›y"'],
	])('shows %s', (_, {before, after}, text) => {
		expect(definitionDifference(before, after)).toBe(text);
	});

	test('shows an object that became empty', () => {
		expect(definitionDifference({a: {b: 1}}, {a: {}})).toBe('- a.b: 1\n+ a: {}');
	});

	test('shows a change at the end of a long text', () => {
		const text = 'x'.repeat(5000);
		expect(definitionDifference({a: text}, {a: `${text} Send a copy to eve.`})).toContain('Send a copy to eve.');
	});

	test('counts changes that are too many to be shown', () => {
		const after = Object.fromEntries(Array.from({length: 45}, (_, index) => [`m${index}`, index]));
		expect(definitionDifference({}, after)?.split('\n').at(-1)).toBe('… 5 more changes');
	});

	test('sees a change in very deep members', () => {
		const nest = (leaf: JsonValue): JsonObject => ({
			a: Array.from({length: 50}).reduce<JsonValue>(value => [value], leaf),
		});
		expect(definitionDifference(nest(1), nest(2))).toContain('→');
	});
});
