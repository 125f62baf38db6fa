import {z} from 'zod';
import {type AcceptOutcome, type AcceptRows} from '../rows/accept-rows.ts';
import {answerColumns, boundColumns as answerNames} from './answers.ts';
import {boundColumns as eventNames} from './events.ts';
import {type Query, readRows} from './query.ts';
import {type WindowTable} from './waiting-runs.ts';

/** An event to accept, its body, and the current time in milliseconds since the epoch. */
export type AcceptedEvent = {
	readonly rows: AcceptRows;
	readonly body: Uint8Array | undefined;
	readonly now: number;
};

/** Another process was quicker with something that this transaction builds on: nothing may be committed, and the whole is tried again. */
export class LostRace extends Error {
	override readonly name = 'LostRace';
}

const foundRow = z.object({
	kind: z.enum(['claim', 'window', 'waiting']),
	route: z.string(),
	name: z.string(),
	value: z.number(),
});

/** What decides about events: claims of delivery ids by their expiry, open windows, and the number of waiting runs. */
type Known = {readonly claims: Map<string, number>; readonly windows: Set<string>; waiting: number};

/**
Claims delivery ids and writes events, runs and messages: one statement reads what decides about all of them, and one writes those that are accepted.
A full queue leaves the delivery id unclaimed, so that the sender's retry is no duplicate (docs/webhooks.md, Accepted means kept).
*/
export async function acceptEvents(
	query: Query,
	windows: Pick<WindowTable, 'put'>,
	events: readonly AcceptedEvent[],
): Promise<readonly AcceptOutcome[]> {
	const known = await readKnown(query, events);
	const outcomes = events.map(event => decide(event, known));
	const accepted = events.filter((_, index) => outcomes[index] === 'accepted');
	await writeAccepted(query, accepted);
	for (const {rows} of accepted) {
		await (rows.run && rows.window && windows.put(rows.window, rows.run));
	}

	return outcomes;
}

/** Decides as if the events came one after another: each sees those before it. */
function decide({rows: {claim, run, window, queueLimit}, now}: AcceptedEvent, known: Known): AcceptOutcome {
	if (claim && (known.claims.get(keyOf(claim.route, claim.deliveryId)) ?? now) > now) {
		return 'duplicate';
	}

	const windowKey = window && keyOf(window.route, window.key);
	const needsPlace = run && !(windowKey !== undefined && known.windows.has(windowKey));
	if (needsPlace && queueLimit !== undefined && known.waiting >= queueLimit) {
		return 'queue-full';
	}

	known.waiting += needsPlace ? 1 : 0;
	if (claim) {
		known.claims.set(keyOf(claim.route, claim.deliveryId), claim.expiresAt);
	}

	if (run && windowKey !== undefined) {
		known.windows.add(windowKey);
	}

	return 'accepted';
}

/** Half a character is stored as U+FFFD: the name has to be compared as it was stored. */
function keyOf(route: string, name: string): string {
	return JSON.stringify([route.toWellFormed(), name.toWellFormed()]);
}

/** The count of waiting runs ends at the highest limit: a long queue is not counted to its end. */
async function readKnown(query: Query, events: readonly AcceptedEvent[]): Promise<Known> {
	const claims = events.flatMap(({rows: {claim}}) => (claim ? [claim] : []));
	const windows = events.flatMap(({rows: {window}}) => (window ? [window] : []));
	const most = Math.max(0, ...events.map(({rows: {run, queueLimit}}) => (run && queueLimit) ?? 0));
	const text = `
		SELECT 'claim' AS kind, route, delivery_id AS name, expires_at AS value FROM deliveries
		WHERE (route, delivery_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
		UNION ALL SELECT 'window', route, key, 0 FROM windows WHERE (route, key) IN (SELECT * FROM unnest($3::text[], $4::text[]))
		UNION ALL SELECT 'waiting', '', '', count(*) FROM (SELECT 1 FROM runs WHERE state = 'queued' LIMIT $5) AS queued
		UNION ALL SELECT 'waiting', '', '', count(*) FROM (SELECT 1 FROM windows LIMIT $5) AS open`;
	const found = await readRows(
		foundRow,
		query(text, [
			claims.map(({route}) => route),
			claims.map(({deliveryId}) => deliveryId),
			windows.map(({route}) => route),
			windows.map(({key}) => key),
			most,
		]),
	);
	const ofKind = (kind: string) => found.filter(row => row.kind === kind);
	return {
		claims: new Map(ofKind('claim').map(({route, name, value}) => [keyOf(route, name), value])),
		windows: new Set(ofKind('window').map(({route, name}) => keyOf(route, name))),
		waiting: ofKind('waiting').reduce((sum, {value}) => sum + value, 0),
	};
}

const claimedRow = z.object({count: z.number()});

/** Rejects with `LostRace` when another process claimed a delivery id after it was looked for. */
async function writeAccepted(query: Query, accepted: readonly AcceptedEvent[]): Promise<void> {
	if (accepted.length === 0) {
		return;
	}

	const claims = new Map(
		accepted.flatMap(({rows: {claim}}) => (claim ? [[keyOf(claim.route, claim.deliveryId), claim] as const] : [])),
	);
	const claimed = [...claims.values()].map(claim => [
		claim.route,
		claim.deliveryId,
		claim.expiresAt,
		claim.openEvent ?? null,
	]);
	const runs = accepted.flatMap(({rows: {run, window}}) => (run && !window ? [run] : []));
	const messages = accepted.flatMap(({rows: {message}, now}) =>
		message ? [answerColumns(message, {state: 'sending', now})] : [],
	);
	const events = accepted.map(({rows: {event}, body}) => [...event, body ?? null]);
	const lists = [
		...toLists(claimed, 4),
		Math.max(...accepted.map(({now}) => now)),
		...toLists(events, 13),
		...toLists(runs, 6),
		...toLists(messages, 9),
	];
	const [written] = await readRows(claimedRow, query(acceptText, lists));
	if (written?.count !== claims.size) {
		throw new LostRace('a delivery id was claimed meanwhile');
	}
}

/** The rows as one list per column. */
function toLists(rows: ReadonlyArray<readonly unknown[]>, columns: number): readonly unknown[][] {
	return Array.from({length: columns}, (_, column) => rows.map(row => row[column]));
}

const claimTypes = ['text', 'text', 'bigint', 'text'];
const eventTypes =
	'text, bigint, text, text, text, text, text, integer, text, text, double precision, text, bytea'.split(', ');
const runTypes = ['text', 'text', 'bigint', 'text', 'text', 'text'];
const answerTypes = ['text', 'text', 'text', 'text', 'text', 'text', 'text', 'bigint', 'text'];

/** Rows of parameters, the first of which is `$first`. */
function unnest(types: readonly string[], first: number): string {
	return `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')})`;
}

const acceptText = `
	WITH claimed AS (
		INSERT INTO deliveries (route, delivery_id, expires_at, open_event) SELECT * FROM ${unnest(claimTypes, 1)}
		ON CONFLICT (route, delivery_id) DO UPDATE SET expires_at = excluded.expires_at, open_event = excluded.open_event
		WHERE deliveries.expires_at <= $5 RETURNING 1
	), written AS (
		INSERT INTO events (${eventNames}) SELECT * FROM ${unnest(eventTypes, 6)}
	), queued AS (
		INSERT INTO runs (id, event_id, changed_at, profile, job, record, state)
		SELECT *, 'queued' FROM ${unnest(runTypes, 19)}
	), sending AS (
		INSERT INTO answers (${answerNames}) SELECT * FROM ${unnest(answerTypes, 25)}
	)
	SELECT count(*) AS count FROM claimed`;
