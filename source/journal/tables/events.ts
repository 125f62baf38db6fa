import {z} from 'zod';
import {type EventEnd, type EventRecord, type EventRow} from '../rows/records.ts';
import {type EventColumns} from '../rows/columns.ts';
import {
	type DeliveryName,
	type EventQuery,
	eventRow,
	replayMark,
	jobNotAsked,
	storedEvent,
	toEventRecord,
} from '../rows/event-rows.ts';
import {isAbandoned} from '../rows/node-rows.ts';
import {boundedLimit, transformed, type UnreadableRows} from '../rows/read-rows.ts';
import {contentColumn, encodingColumn, unpackBytes} from './packed-bytes.ts';
import {readRows, type Statement, type TableAccess} from './query.ts';

/** The table of webhook requests. Write inside a transaction. */
export type EventTable = {
	readonly insert: (columns: EventColumns, body: Uint8Array | undefined) => Promise<void>;
	/** False when there is no such event. */
	readonly settle: (id: string, end: EventEnd) => Promise<boolean>;
	/** The events' messages or runs may or may not have arrived. */
	readonly markUncertain: (ids: readonly string[], reason: string) => Promise<void>;
	/** Newest first. */
	readonly list: (query: EventQuery) => Promise<readonly EventRow[]>;
	readonly find: (id: string) => Promise<EventRecord | undefined>;
};

const eventRecord = storedEvent
	.extend({body: contentColumn, encoding: encodingColumn})
	.transform(({body, encoding, ...row}, context) =>
		transformed(context, () => toEventRecord(row, unpackBytes(body, encoding))),
	);

/** The columns of a row of a list, but the gateway. */
export const eventColumns = `id, time, profile, route, event, delivery_id AS "deliveryId", status, outcome, reason, ms`;

/** The columns of an event in the order in which they are bound, the gateway and the body last. */
export const boundColumns =
	'id, time, profile, route, event, delivery_id, headers, status, outcome, reason, ms, trace, owner, body';

const insertion = `INSERT INTO events (${boundColumns}, encoding) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

/** An index of profiles would cost every event a page write. */
const recentEvents = 10_000;

/** The statement that writes an event, and its values. */
export function insertEvent(
	{dialect, owner}: Pick<TableAccess, 'dialect' | 'owner'>,
	columns: EventColumns,
	body: Uint8Array | undefined,
): Statement {
	const [content, encoding] = body ? dialect.pack(body) : [null, null];
	return [insertion, [...columns, owner.instanceId, content, encoding]];
}

/** The statements of the table. */
export function createEventTable({query, dialect, owner}: TableAccess, unreadable: UnreadableRows): EventTable {
	const leaveOut = unreadable.of('events');
	const rowColumns = `${eventColumns}, ${dialect.nodeName}`;
	const list = (rest: string, values: readonly unknown[]) =>
		readRows(eventRow, query(`SELECT ${rowColumns} FROM events ${rest}`, values), leaveOut);
	return {
		async insert(columns, body) {
			await query(...insertEvent({dialect, owner}, columns, body));
		},
		async settle(id, {status, outcome, reason = null, ms}) {
			const settled = await query(
				'UPDATE events SET status = $1, outcome = $2, reason = $3, ms = $4 WHERE id = $5 RETURNING id',
				[status, outcome, reason, ms, id],
			);
			return settled.length > 0;
		},
		async markUncertain(ids, reason) {
			// An earlier reason, such as a replay, is retained; a second stop adds nothing.
			await query(
				`UPDATE events SET outcome = 'outcome_uncertain', reason = CASE
					WHEN strpos(coalesce(reason, ''), $1) > 0 THEN reason ELSE coalesce(reason || '; ', '') || $1 END
				WHERE id = ANY($2)`,
				[reason, ids],
			);
		},
		list({limit, ...query}) {
			const {condition, values} = conditionOf(query);
			return list(`${condition} ORDER BY sequence DESC LIMIT $${values.length + 1}`, [...values, boundedLimit(limit)]);
		},
		async find(id) {
			const text = `SELECT ${rowColumns}, headers, body, encoding, trace FROM events WHERE id = $1`;
			return (await readRows(eventRecord, query(text, [id]), leaveOut))[0];
		},
	};
}

/** An event that may be handled again: it failed, nothing of it is in doubt or goes on, and no replay followed. The ids of events have 36 characters. */
const failedEvents = `(outcome = 'delivery_failed' OR EXISTS (SELECT 1 FROM runs WHERE runs.event_id = events.id AND runs.state = 'failed'))
	AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.event_id = events.id AND runs.state <> 'failed')
	AND NOT EXISTS (SELECT 1 FROM answers WHERE answers.event_id = events.id AND answers.state <> 'failed')
	AND id NOT IN (SELECT substr(reason, length('${replayMark}') + 1, 36) FROM events WHERE reason LIKE '${replayMark}%')`;

/** The WHERE clause of a list, and its values. */
function conditionOf({route, profile, status, since, until}: Omit<EventQuery, 'limit'>): {
	readonly condition: string;
	readonly values: readonly unknown[];
} {
	const values: unknown[] = [];
	const bound = (value: unknown) => `$${values.push(value)}`;
	const conditions = [
		...(route === undefined ? [] : [`route = ${bound(route)}`]),
		...(profile === undefined ? [] : [`profile = ${bound(profile)}`]),
		...(profile === undefined || route !== undefined
			? []
			: [`sequence > (SELECT max(sequence) FROM events) - ${recentEvents}`]),
		...(since === undefined ? [] : [`time >= ${bound(since)}`]),
		...(until === undefined ? [] : [`time < ${bound(until)}`]),
		...(status === undefined ? [] : [status === 'failed' ? failedEvents : `outcome = ${bound(status)}`]),
	];
	return {condition: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values};
}

/** The delivery ids a route has seen, each until it expires (docs/webhooks.md, Limits). Times are milliseconds since the epoch. */
export type DeliveryTable = {
	/** The event was acted on, or may have been: its claim stays. */
	readonly confirm: (eventId: string) => Promise<void>;
	/** True when the claim of an event was released because its gateway counted as gone; one that is open stays so until the transaction ends. */
	readonly wasReleased: (eventId: string) => Promise<boolean>;
	/** Decides the claims of all unsettled events up to a time whose gateway is not alive: a claim stays if its event led to a run or a message, else it is released, and its event says so. */
	readonly releaseOpen: (before: number) => Promise<void>;
	readonly release: (name: DeliveryName) => Promise<void>;
	/** True when the delivery id is claimed by this gateway, by the one that wrote the event, which an earlier instance of this one is, or by nobody, until the transaction ends; false once another one has answered a retry as a duplicate. */
	readonly isOwn: (claim: DeliveryName & {readonly eventId?: string}) => Promise<boolean>;
	/** Releases the claim of an event that is not settled. */
	readonly releaseUnsettled: (eventId: string) => Promise<void>;
};

/** SQLite has 0 and 1. */
const ownClaim = z.object({isOwn: z.union([z.boolean(), z.number()]).nullable()});
const openRow = z.object({eventId: z.string()});

/** The statements of the table. */
export function createDeliveryTable({query, owner}: TableAccess): DeliveryTable {
	return {
		async confirm(eventId) {
			await query('UPDATE deliveries SET open_event = NULL WHERE open_event = $1', [eventId]);
		},
		async wasReleased(eventId) {
			const open = await query('SELECT 1 FROM deliveries WHERE open_event = $1 FOR UPDATE', [eventId]);
			const released = 'SELECT 1 FROM events WHERE id = $1 AND reason = $2';
			return open.length === 0 && (await query(released, [eventId, jobNotAsked.reason])).length > 0;
		},
		async releaseOpen(before) {
			const isOver = `${isAbandoned} AND NOT EXISTS (SELECT 1 FROM events WHERE events.id = open_event AND events.time > $1)`;
			await query(
				`UPDATE deliveries SET open_event = NULL WHERE open_event IS NOT NULL AND ${isOver}
				AND (EXISTS (SELECT 1 FROM runs WHERE runs.event_id = open_event)
					OR EXISTS (SELECT 1 FROM answers WHERE answers.event_id = open_event))`,
				[before],
			);
			const removal = `DELETE FROM deliveries WHERE open_event IS NOT NULL AND ${isOver} RETURNING open_event AS "eventId"`;
			const released = (await readRows(openRow, query(removal, [before]))).map(({eventId}) => eventId);
			await query('UPDATE events SET status = $1, outcome = $2, reason = $3 WHERE id = ANY($4)', [
				jobNotAsked.status,
				jobNotAsked.outcome,
				jobNotAsked.reason,
				released,
			]);
		},
		async releaseUnsettled(eventId) {
			await query('DELETE FROM deliveries WHERE open_event = $1', [eventId]);
		},
		async isOwn({route, deliveryId, eventId = null}) {
			const text = `SELECT owner IS NOT DISTINCT FROM $3 OR owner = (SELECT owner FROM events WHERE id = $4) AS "isOwn"
				FROM deliveries WHERE route = $1 AND delivery_id = $2 FOR UPDATE`;
			const [claim] = await readRows(ownClaim, query(text, [route, deliveryId, owner.instanceId, eventId]));
			return claim === undefined || claim.isOwn === null || Boolean(claim.isOwn);
		},
		async release({route, deliveryId}) {
			await query('DELETE FROM deliveries WHERE route = $1 AND delivery_id = $2', [route, deliveryId]);
		},
	};
}
