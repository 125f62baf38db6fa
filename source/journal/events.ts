import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type WebhookOutcomeName} from '../state/event.ts';
import {packBytes, packedEncoding, unpackBytes} from './packed-bytes.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type EventEnd, type EventRecord, type EventRow} from './records.ts';
import {createPlaces, idAt, isAtPlace} from './row-place.ts';

/** A request, and the place of its row. */
export type PlacedEvent = {readonly place: number; readonly event: EventRow};

/** The table of webhook requests. Write inside a group commit. */
export type EventTable = {
	/** Returns the place of the row. */
	readonly insert: (event: EventRecord) => number;
	/** The place of an event; undefined when it does not exist. */
	readonly place: (id: string) => number | undefined;
	readonly settle: (id: string, end: EventEnd) => void;
	/** The gateway stopped before the event's job was requested. */
	readonly markStopped: (id: string) => void;
	/** The event's message or run may or may not have arrived. */
	readonly markUncertain: (id: string, reason: string) => void;
	/** Newest first. */
	readonly list: (query: {readonly limit: number; readonly route?: string}) => readonly PlacedEvent[];
	readonly find: (id: string) => EventRecord | undefined;
};

const outcome = z.enum({
	accepted: 'accepted',
	coalesced: 'coalesced',
	duplicate: 'duplicate',
	ignored: 'ignored',
	delivered: 'delivered',
	rejected: 'rejected',
	delivery_failed: 'delivery_failed',
	outcome_uncertain: 'outcome_uncertain',
	unavailable: 'unavailable',
} as const satisfies {[Name in WebhookOutcomeName]: Name});

const eventColumns = z.object({
	sequence: z.number(),
	id: z.string().nullable(),
	time: z.number(),
	profile: z.string(),
	route: z.string(),
	event: z.string(),
	deliveryId: z.string(),
	status: z.number(),
	outcome,
	reason: z
		.string()
		.nullable()
		.transform(reason => reason ?? undefined),
	ms: z.number(),
});

const eventRow = eventColumns.transform(
	({sequence, id, ...row}): PlacedEvent => ({place: sequence, event: {id: id ?? idAt(sequence), ...row}}),
);

const rowColumns = 'sequence, id, time, profile, route, event, delivery_id AS deliveryId, status, outcome, reason, ms';

const placeRow = z.object({sequence: z.number()});

const eventTrace = z.object({
	signature: z.string().optional(),
	filter: z.string().optional(),
	script: z.string().optional(),
	text: z.string().optional(),
	target: z.string().optional(),
});

/** Headers are pairs, because a header may be named `__proto__`. */
const eventRecord = eventColumns
	.extend({
		headers: z
			.string()
			.transform(jsonColumn)
			.pipe(z.array(z.tuple([z.string(), z.string()]))),
		body: z.instanceof(Uint8Array).nullable(),
		encoding: packedEncoding.nullable(),
		trace: z
			.string()
			.nullable()
			.transform(trace => (trace === null ? undefined : jsonColumn(trace)))
			.pipe(eventTrace.optional()),
	})
	.transform(
		({sequence, id, encoding, body, headers, trace, ...row}): EventRecord => ({
			id: id ?? idAt(sequence),
			...row,
			...(trace && {trace}),
			headers: Object.fromEntries(headers),
			body: body && encoding ? unpackBytes({bytes: body, encoding}) : undefined,
		}),
	);

/** Prepares the statements of the table. `now` returns milliseconds since the epoch. */
export function createEventTable(database: DatabaseSync, now: () => number): EventTable {
	const places = createPlaces(database, 'events', now);
	const insert = database.prepare(`
		INSERT INTO events (sequence, id, time, profile, route, event, delivery_id, headers, body, encoding, status, outcome, reason, ms, trace)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	`);
	const settle = database.prepare(`UPDATE events SET status = ?, outcome = ?, reason = ?, ms = ? WHERE ${isAtPlace}`);
	const markStopped = database.prepare(
		`UPDATE events SET reason = 'the gateway stopped before its job was asked' WHERE ${isAtPlace}`,
	);
	// An earlier reason, such as a replay, is retained; a second stop adds nothing.
	const markUncertain = database.prepare(`
		UPDATE events SET outcome = 'outcome_uncertain',
			reason = CASE WHEN instr(ifnull(reason, ''), ?1) > 0 THEN reason ELSE ifnull(reason || '; ', '') || ?1 END
		WHERE ${isAtPlace}
	`);
	const list = database.prepare(`SELECT ${rowColumns} FROM events ORDER BY sequence DESC LIMIT ?`);
	const listRoute = database.prepare(`SELECT ${rowColumns} FROM events WHERE route = ? ORDER BY sequence DESC LIMIT ?`);
	const find = database.prepare(`SELECT ${rowColumns}, headers, body, encoding, trace FROM events WHERE ${isAtPlace}`);
	const findPlace = database.prepare(`SELECT sequence FROM events WHERE ${isAtPlace}`);
	return {
		insert(event) {
			const packed = event.body && packBytes(event.body);
			const {sequence, id} = places.forNew(event.id, event.time);
			insert.run(
				sequence,
				id,
				event.time,
				event.profile,
				event.route,
				event.event,
				event.deliveryId,
				JSON.stringify(Object.entries(event.headers)),
				packed?.bytes ?? null,
				packed?.encoding ?? null,
				event.status,
				event.outcome,
				event.reason ?? null,
				event.ms,
				event.trace ? JSON.stringify(event.trace) : null,
			);
			return sequence;
		},
		place: id => readRows(placeRow, () => findPlace.all(...places.of(id)))[0]?.sequence,
		settle: (id, end) => void settle.run(end.status, end.outcome, end.reason ?? null, end.ms, ...places.of(id)),
		markStopped: id => void markStopped.run(...places.of(id)),
		markUncertain: (id, reason) => void markUncertain.run(reason, ...places.of(id)),
		list({limit, route}) {
			const most = boundedLimit(limit);
			return readRows(eventRow, () => (route === undefined ? list.all(most) : listRoute.all(route, most)));
		},
		find: id => readRows(eventRecord, () => find.all(...places.of(id)))[0],
	};
}
