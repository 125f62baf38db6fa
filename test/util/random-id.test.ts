import {expect, test} from 'vitest';
import {orderedId, randomId} from '../../source/util/random-id.ts';

const start = 1_800_000_000_000;
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

/** The time in the first 48 bits of an id. */
const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('a short id is twelve hexadecimal digits, and never the same', () => {
	const ids = Array.from({length: 4000}, randomId);
	expect(new Set(ids).size).toBe(4000);
	expect(ids.every(id => /^[0-9a-f]{12}$/u.test(id))).toBe(true);
});

test('an ordered id is a UUID of version 7 that begins with its time in milliseconds', () => {
	const ids = Array.from({length: 500}, (_, index) => orderedId(start + index));
	expect(ids.filter(id => !version7.test(id))).toEqual([]);
	expect(ids.map(timeOf)).toEqual(ids.map((_, index) => start + index));
});

test('reads a time as the example of RFC 9562, A.6, has it', () => {
	expect(timeOf('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')).toBe(Date.UTC(2022, 1, 22, 19, 22, 22));
});

test('ids of one millisecond sort in the order in which they were made, and stay in it while the counter lasts', () => {
	const ids = Array.from({length: 2000}, () => orderedId(start + 1000));
	expect(ids.toSorted()).toEqual(ids);
	expect(new Set(ids.map(timeOf))).toEqual(new Set([start + 1000]));
});

test('ids of one millisecond have different ends, by which people name them', () => {
	const ends = Array.from({length: 2000}, () => orderedId(start + 2000).slice(-8));
	expect(new Set(ends).size).toBe(2000);
});

test('a clock that goes back repeats none and makes none smaller, however many follow', () => {
	const before = orderedId(start + 5000);
	const ids = [before, ...Array.from({length: 10_000}, () => orderedId(start))];
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.toSorted()).toEqual(ids);
	expect(timeOf(ids.at(-1) ?? '')).toBeLessThan(start + 5010);
});

test('a fraction of a millisecond is left out', () => {
	expect(timeOf(orderedId(start + 9000.7))).toBe(start + 9000);
});
