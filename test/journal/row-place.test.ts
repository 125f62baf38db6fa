import {DatabaseSync} from 'node:sqlite';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createPlaces, idAt} from '../../source/journal/row-place.ts';
import {orderedId, orderedIdOf} from '../../source/util/ordered-id.ts';

const start = Date.UTC(2026, 10, 22);
const day = 86_400_000;

function open(now = start) {
	const database = new DatabaseSync(':memory:');
	database.exec('CREATE TABLE events (sequence INTEGER PRIMARY KEY)');
	return {database, places: createPlaces(database, 'events', () => now)};
}

test('an ordered id is its place and needs no column', () => {
	const id = orderedIdOf({time: start, count: 5});
	const {sequence, id: column} = open().places.forNew(id, start);
	expect([column, idAt(sequence)]).toEqual([null, id]);
});

test('whatever its moment, an ordered id is found at its place for two years', () => {
	const moment = fc.record({
		time: fc.integer({min: Date.UTC(2007), max: Date.UTC(2073)}),
		count: fc.integer({min: 0, max: 4095}),
	});
	fc.assert(
		fc.property(moment, fc.integer({min: 0, max: 2 * 365}), ({time, count}, days) => {
			const id = orderedIdOf({time, count});
			const {sequence} = open().places.forNew(id, time);
			expect(Number.isSafeInteger(sequence)).toBe(true);
			expect(idAt(sequence)).toBe(id);
			expect(open(time + days * day).places.of(id)).toEqual([sequence, id]);
		}),
	);
});

test('an id is found after the clock was set back by days', () => {
	const id = orderedIdOf({time: start, count: 1});
	const {sequence} = open().places.forNew(id, start);
	expect(open(start - 20 * day).places.of(id)).toEqual([sequence, id]);
});

test('later ids have later places than earlier ones', () => {
	const {places} = open();
	const made = Array.from(
		{length: 5000},
		(_, index) => places.forNew(orderedId(start + index), start + index).sequence,
	);
	expect(made.toSorted((first, second) => first - second)).toEqual(made);
});

test.each([
	{what: 'a text', id: 'one'},
	{what: 'an id of another time', id: orderedIdOf({time: start - day, count: 1})},
])('$what is in the column, at a place no ordered id has', ({id}) => {
	const {sequence, id: column} = open().places.forNew(id, start);
	expect([column, Math.abs(sequence % 2)]).toEqual([id, 1]);
});

test('a row with a foreign id comes after all others, and before later ones', () => {
	const {database, places} = open();
	const insert = database.prepare('INSERT INTO events VALUES (?)');
	const ids = ['one', orderedIdOf({time: start, count: 9}), 'two', 'three', orderedIdOf({time: start + 2, count: 0})];
	const made = ids.map(id => {
		const {sequence} = places.forNew(id, id.length === 12 ? start + 1 : start);
		insert.run(sequence);
		return sequence;
	});
	expect(made.toSorted((first, second) => first - second)).toEqual(made);
});

test.each([
	{what: '1970, as a machine without a battery begins', time: 0},
	{what: 'a far future', time: Date.UTC(2200)},
])('a clock at $what makes exact places, one behind the other', ({time}) => {
	const {database, places} = open();
	const insert = database.prepare('INSERT INTO events VALUES (?)');
	const made = Array.from({length: 3}, (_, count) => {
		const {sequence} = places.forNew(orderedIdOf({time, count}), time);
		insert.run(sequence);
		return sequence;
	});
	expect(made.every(place => Number.isSafeInteger(place))).toBe(true);
	expect(new Set(made).size).toBe(3);
	expect(made.toSorted((first, second) => first - second)).toEqual(made);
});
