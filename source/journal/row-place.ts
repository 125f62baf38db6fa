import {type DatabaseSync} from 'node:sqlite';
import {orderedIdOf, readOrderedId} from '../util/ordered-id.ts';

/**
The position of a row in a table whose `sequence` follows time. An ordered id itself encodes its place (an even number) and needs no column and no
index, which would touch one more page per event. A row with any other id stores it in the column `id` and has an odd place.
*/
export type RowPlace = {readonly sequence: number; readonly id: string | null};

/** The time of place 0: places from 2006 to 2074 are exact integers. */
const zeroMilliseconds = Date.UTC(2040, 0);
/** The first place of rows whose clock is out of that range. */
const earliestPlace = -9_000_000_000_000_000;
const countsPerMillisecond = 0x10_00;
/** An id whose time is further from that of its row was not created for it. */
const closeMilliseconds = 60 * 60 * 1000;
/** The most that a clock which was set back may be behind its rows. */
const aheadMilliseconds = 30 * 24 * 60 * 60 * 1000;
/** The time digits of an id repeat after twice this long. */
const halfTurnMilliseconds = 2 ** 35;

/** The parameters of `isAtPlace`. */
export type PlaceKey = readonly [sequence: number | null, id: string];

/** The places of one table. */
export type Places = {
	/** For a new row with the time `time`, in milliseconds since the epoch. */
	readonly forNew: (id: string, time: number) => RowPlace;
	/** Where the row of an id may be; valid for two years. */
	readonly of: (id: string) => PlaceKey;
};

/** Finds a row by its place or its column. */
export const isAtPlace = 'sequence = ? OR id = ?';

/** Prepares the places of a table. `now` returns milliseconds since the epoch. */
export function createPlaces(database: DatabaseSync, table: 'events' | 'runs', now: () => number): Places {
	const last = database.prepare(`SELECT max(sequence) AS place FROM ${table}`);
	/** After all rows, and at the time of the row unless that is before them. */
	const oddPlace = (time: number) => {
		const behind = Number(last.get()?.['place'] ?? earliestPlace);
		const atItsTime = toPlace({time, count: 0});
		return Math.floor(Math.max(behind, Number.isSafeInteger(atItsTime) ? atItsTime : earliestPlace) / 2) * 2 + 3;
	};

	return {
		forNew(id, time) {
			const moment = readOrderedId(id, time);
			const isMadeForIt = moment && Math.abs(moment.time - time) <= closeMilliseconds;
			const sequence = isMadeForIt ? toPlace(moment) : Number.NaN;
			return Number.isSafeInteger(sequence) ? {sequence, id: null} : {sequence: oddPlace(time), id};
		},
		of(id) {
			// The id fits several times; take the latest one that the clock can have shown.
			const moment = readOrderedId(id, now() + aheadMilliseconds - halfTurnMilliseconds);
			return [moment ? toPlace(moment) : null, id];
		},
	};
}

/** The id of a row that has none in its column. */
export function idAt(sequence: number): string {
	const moments = sequence / 2;
	const count = ((moments % countsPerMillisecond) + countsPerMillisecond) % countsPerMillisecond;
	return orderedIdOf({time: zeroMilliseconds + (moments - count) / countsPerMillisecond, count});
}

/** Rows with ids created before `time` (milliseconds since the epoch) all have a smaller place. */
export function firstPlaceAfter(time: number): number {
	return Math.max(
		earliestPlace,
		Math.min(toPlace({time: time + closeMilliseconds, count: 0}), Number.MAX_SAFE_INTEGER),
	);
}

function toPlace({time, count}: {readonly time: number; readonly count: number}): number {
	return ((time - zeroMilliseconds) * countsPerMillisecond + count) * 2;
}
