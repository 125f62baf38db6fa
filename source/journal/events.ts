import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type WebhookOutcomeName} from '../state/event.ts';
import {bodyEncoding, packBody, unpackBody} from './body-codec.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type EventEnd, type EventRecord, type EventRow} from './records.ts';

/** The table of webhook requests. Writes belong into a group commit. */
export type EventTable = {
	readonly insert: (event: EventRecord) => void;
	readonly settle: (id: string, end: EventEnd) => void;
	/** The gateway stopped before the event had its end. */
	readonly markStopped: (id: string) => void;
	/** Newest first. */
	readonly list: (query: {readonly limit: number; readonly route?: string}) => readonly EventRow[];
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
	unavailable: 'unavailable',
} as const satisfies {[Name in WebhookOutcomeName]: Name});

const eventRow = z.object({
	id: z.string(),
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

const rowColumns = 'id, time, profile, route, event, delivery_id AS deliveryId, status, outcome, reason, ms';

const eventTrace = z.object({
	signature: z.string().optional(),
	filter: z.string().optional(),
	script: z.string().optional(),
	text: z.string().optional(),
	target: z.string().optional(),
});

/** Headers lie as pairs, since a header may be called `__proto__`. */
const eventRecord = eventRow
	.extend({
		headers: z
			.string()
			.transform(jsonColumn)
			.pipe(z.array(z.tuple([z.string(), z.string()]))),
		body: z.instanceof(Uint8Array).nullable(),
		encoding: bodyEncoding.nullable(),
		trace: z
			.string()
			.nullable()
			.transform(trace => (trace === null ? undefined : jsonColumn(trace)))
			.pipe(eventTrace.optional()),
	})
	.transform(
		({encoding, body, headers, trace, ...row}): EventRecord => ({
			...row,
			...(trace && {trace}),
			headers: Object.fromEntries(headers),
			body: body && encoding ? unpackBody({bytes: body, encoding}) : undefined,
		}),
	);

/** Opens the table of a migrated database. */
export function createEventTable(database: DatabaseSync): EventTable {
	const insert = database.prepare(`
		INSERT INTO events (id, time, profile, route, event, delivery_id, headers, body, encoding, status, outcome, reason, ms, trace)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	`);
	const settle = database.prepare('UPDATE events SET status = ?, outcome = ?, reason = ?, ms = ? WHERE id = ?');
	const markStopped = database.prepare(
		`UPDATE events SET reason = 'the gateway stopped during the delivery' WHERE id = ?`,
	);
	const list = database.prepare(`SELECT ${rowColumns} FROM events ORDER BY sequence DESC LIMIT ?`);
	const listRoute = database.prepare(`SELECT ${rowColumns} FROM events WHERE route = ? ORDER BY sequence DESC LIMIT ?`);
	const find = database.prepare(`SELECT ${rowColumns}, headers, body, encoding, trace FROM events WHERE id = ?`);
	return {
		insert(event) {
			const packed = event.body && packBody(event.body);
			insert.run(
				event.id,
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
		},
		settle: (id, end) => void settle.run(end.status, end.outcome, end.reason ?? null, end.ms, id),
		markStopped: id => void markStopped.run(id),
		list({limit, route}) {
			const most = boundedLimit(limit);
			return readRows(eventRow, () => (route === undefined ? list.all(most) : listRoute.all(route, most)));
		},
		find: id => readRows(eventRecord, () => find.all(id))[0],
	};
}
