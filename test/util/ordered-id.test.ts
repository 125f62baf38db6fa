import {expect, test} from 'vitest';
import {orderedId} from '../../source/util/ordered-id.ts';

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
