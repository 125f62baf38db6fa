import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {packBytes, packedEncoding, unpackBytes} from './packed-bytes.ts';
import {type EventEnd, type EventRecord, type EventResultRow, type EventRow} from '../records.ts';
import {answerOfEvent, eventResults, runOfEvent} from '../rows/event-result-rows.ts';
import {type EventColumns} from '../rows/columns.ts';
import {
	type DeliveryClaim,
	type DeliveryName,
	type EventQuery,
	eventRow,
	jobNotAsked,
	storedEvent,
	toEventRecord,
} from '../rows/event-rows.ts';
import {isAbandoned, type Writer} from '../rows/node-rows.ts';
import {boundedLimit, readRows, type UnreadableRows} from '../rows/read-rows.ts';

/** The table of webhook requests. Write inside a transaction. */
export type EventTable = {
	readonly insert: (columns: EventColumns, body: Uint8Array | undefined) => void;
	/** False when there is no such event. */
	readonly settle: (id: string, end: EventEnd) => boolean;
	/** The gateway stopped before the event's job was requested. */
	readonly markStopped: (id: string) => void;
	/** The event's message or run may or may not have arrived. */
	readonly markUncertain: (id: string, reason: string) => void;
	/** Newest first. */
	readonly list: (query: EventQuery) => readonly EventRow[];
	readonly find: (id: string) => EventRecord | undefined;
};

const rowColumns = 'id, time, profile, route, event, delivery_id AS deliveryId, status, outcome, reason, ms';

const eventRecord = storedEvent
	.extend({body: z.instanceof(Uint8Array).nullable(), encoding: packedEncoding.nullable()})
	.transform(({encoding, body, ...row}) =>
		toEventRecord(row, body && encoding ? unpackBytes({bytes: body, encoding}) : undefined),
	);

/** An index of profiles would cost every event a page write. */
const recentEvents = 10_000;

/** Prepares the statements of the table. */
export function createEventTable(database: DatabaseSync, unreadable: UnreadableRows): EventTable {
	const leaveOut = unreadable.of('events');
	const insert = database.prepare(`
		INSERT INTO events (id, time, profile, route, event, delivery_id, headers, status, outcome, reason, ms, trace, body, encoding)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	`);
	const settle = database.prepare(`UPDATE events SET status = ?, outcome = ?, reason = ?, ms = ? WHERE id = ?`);
	const markStopped = database.prepare('UPDATE events SET status = ?, outcome = ?, reason = ? WHERE id = ?');
	// An earlier reason, such as a replay, is retained; a second stop adds nothing.
	const markUncertain = database.prepare(`
		UPDATE events SET outcome = 'outcome_uncertain',
			reason = CASE WHEN instr(ifnull(reason, ''), ?1) > 0 THEN reason ELSE ifnull(reason || '; ', '') || ?1 END
		WHERE id = ?
	`);
	const list = database.prepare(`SELECT ${rowColumns} FROM events ORDER BY sequence DESC LIMIT ?`);
	const listProfile = database.prepare(`
		SELECT ${rowColumns} FROM events
		WHERE sequence > (SELECT max(sequence) FROM events) - ${recentEvents} AND profile = ? ORDER BY sequence DESC LIMIT ?
	`);
	const listRoute = database.prepare(`
		SELECT ${rowColumns} FROM events WHERE route = ? AND profile = ifnull(?, profile) ORDER BY sequence DESC LIMIT ?
	`);
	const find = database.prepare(`SELECT ${rowColumns}, headers, body, encoding, trace FROM events WHERE id = ?`);
	return {
		insert(columns, body) {
			const packed = body && packBytes(body);
			insert.run(...columns, packed?.bytes ?? null, packed?.encoding ?? null);
		},
		settle: (id, end) => settle.run(end.status, end.outcome, end.reason ?? null, end.ms, id).changes > 0,
		markStopped: id => void markStopped.run(jobNotAsked.status, jobNotAsked.outcome, jobNotAsked.reason, id),
		markUncertain: (id, reason) => void markUncertain.run(reason, id),
		list({limit, route, profile}) {
			const most = boundedLimit(limit);
			const rows = () => {
				if (route !== undefined) {
					return listRoute.all(route, profile ?? null, most);
				}

				return profile === undefined ? list.all(most) : listProfile.all(profile, most);
			};

			return readRows(eventRow, rows, leaveOut);
		},
		find: id => readRows(eventRecord, () => find.all(id), leaveOut)[0],
	};
}

/** The delivery ids a route has seen, each until it expires (docs/webhooks.md, Limits). Times are milliseconds since the epoch. */
export type DeliveryTable = {
	/** `open`: claimed, and whether that stays is decided when its event ends. */
	readonly state: (name: DeliveryName & {readonly now: number}) => 'free' | 'open' | 'claimed';
	/** Claims the id until `expiresAt`; look at its `state` first. */
	readonly claim: (claim: DeliveryClaim) => void;
	/** The event was acted on, or may have been: its claim stays. */
	readonly confirm: (eventId: string) => void;
	/** Decides the claims of all unsettled events up to a time whose gateway is not alive: a claim stays if its event was acted on, else it is released. Returns the events of released claims. */
	readonly releaseOpen: (before: number, wasActedOn: (eventId: string) => boolean) => readonly string[];
	readonly release: (name: DeliveryName) => void;
	/** Releases the claim of an event that is not settled. */
	readonly releaseUnsettled: (eventId: string) => void;
};

const openRow = z.object({id: z.string()});

/** Prepares the statements of the table. */
export function createDeliveryTable(database: DatabaseSync, writer: Writer): DeliveryTable {
	const find = database.prepare(
		'SELECT open_event IS NOT NULL AS isOpen FROM deliveries WHERE route = ? AND delivery_id = ? AND expires_at > ?',
	);
	const claim = database.prepare(
		'INSERT OR REPLACE INTO deliveries (route, delivery_id, expires_at, open_event, owner) VALUES (?, ?, ?, ?, ?)',
	);
	const release = database.prepare('DELETE FROM deliveries WHERE route = ? AND delivery_id = ?');
	const confirm = database.prepare('UPDATE deliveries SET open_event = NULL WHERE open_event = ?');
	const listOpen = database.prepare(`
		SELECT open_event AS id FROM deliveries WHERE open_event IS NOT NULL AND ${isAbandoned}
		AND NOT EXISTS (SELECT 1 FROM events WHERE events.id = open_event AND events.time > ?)
	`);
	const releaseEvent = database.prepare('DELETE FROM deliveries WHERE open_event = ?');
	return {
		state({route, deliveryId, now}) {
			const found = find.get(route, deliveryId, now);
			const taken = found?.['isOpen'] === 1 ? 'open' : 'claimed';
			return found ? taken : 'free';
		},
		claim: ({route, deliveryId, expiresAt, openEvent}) =>
			void claim.run(route, deliveryId, expiresAt, openEvent ?? null, writer.incarnation),
		confirm: eventId => void confirm.run(eventId),
		releaseOpen(before, wasActedOn) {
			const open = readRows(openRow, () => listOpen.all(before)).map(({id}) => id);
			const released = open.filter(id => !wasActedOn(id));
			open.filter(wasActedOn).forEach(id => confirm.run(id));
			released.forEach(id => releaseEvent.run(id));
			return released;
		},
		releaseUnsettled: eventId => void releaseEvent.run(eventId),
		release: ({route, deliveryId}) => void release.run(route, deliveryId),
	};
}

/** Adds to each event of a list the newest run and the messages it led to, newest first. */
export type ReadEventResults = (events: readonly EventRow[]) => readonly EventResultRow[];

/** Prepares the two statements: one list costs as many reads as one event. */
export function createEventResults(database: DatabaseSync): ReadEventResults {
	const runs = database.prepare(`
		SELECT event_id AS eventId, id, state FROM runs WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY sequence
	`);
	const answers = database.prepare(`
		SELECT event_id AS eventId, CASE WHEN json_valid(record) THEN json_extract(record, '$.target') END AS target, state FROM answers
		WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC
	`);
	return events => {
		const ids = JSON.stringify(events.map(({id}) => id));
		return eventResults(events, {
			runs: readRows(runOfEvent, () => runs.all(ids)),
			answers: readRows(answerOfEvent, () => answers.all(ids)),
		});
	};
}
