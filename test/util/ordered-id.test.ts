import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {orderedId, orderedIdOf, readOrderedId} from '../../source/util/ordered-id.ts';

const start = 1_800_000_000_000;

test('is twelve hexadecimal digits, and never the same within a millisecond', () => {
	const ids = Array.from({length: 4000}, () => orderedId(start));
	expect(new Set(ids).size).toBe(4000);
	expect(ids.every(id => /^[0-9a-f]{12}$/u.test(id))).toBe(true);
});

test('sorts behind those of an earlier millisecond', () => {
	const ids = Array.from({length: 300}, (_, index) => orderedId(start + 10 + index));
	expect(ids.toSorted()).toEqual(ids);
});

test('a clock that goes back makes none come twice and none smaller, however many follow', () => {
	const before = orderedId(start + 5000);
	const ids = [before, ...Array.from({length: 10_000}, () => orderedId(start))];
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.toSorted()).toEqual(ids);
});

test.each([
	{what: 'at once', after: 0},
	{what: 'a year later', after: 365 * 86_400_000},
	{what: 'a year before, by a clock that is behind', after: -365 * 86_400_000},
])('is read back $what', ({after}) => {
	const id = orderedIdOf({time: start, count: 7});
	expect(readOrderedId(id, start + after)).toEqual({time: start, count: 7});
});

test('is read back whatever its moment', () => {
	fc.assert(
		fc.property(fc.integer({min: -1e12, max: 4e12}), fc.integer({min: 0, max: 4095}), (time, count) => {
			expect(readOrderedId(orderedIdOf({time, count}), time)).toEqual({time, count});
		}),
	);
});

test.each(['', 'event', '0123456789a', '0123456789abc', '0123456789AB', '-23456789abc'])('%j is none', text => {
	expect(readOrderedId(text, start)).toBeUndefined();
});
