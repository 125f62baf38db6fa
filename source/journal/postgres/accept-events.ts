import {z} from 'zod';
import {type AcceptOutcome, type AcceptRows} from '../rows/accept-rows.ts';
import {type Writer} from '../rows/node-rows.ts';
import {answerColumns, boundColumns as answerNames} from './answers.ts';
import {boundColumns as eventNames} from './events.ts';
import {type Query, readRows} from './query.ts';
import {type WindowTable} from './waiting-runs.ts';

/** An event to accept, its body, and the current time in milliseconds since the epoch by the clock of the journal. */
export type AcceptedEvent = {
	readonly rows: AcceptRows;
	readonly body: Uint8Array | undefined;
	readonly now: number;
};

/** What accepting needs beside the events. */
type Accepting = {readonly windows: Pick<WindowTable, 'put'>; readonly writer: Writer};

/** Another process was quicker with something that this transaction builds on: nothing may be committed, and the whole is tried again. */
export class LostRace extends Error {
	override readonly name = 'LostRace';
}

const claimName = z.object({route: z.string(), deliveryId: z.string()});
const foundRow = z.object({
	kind: z.enum(['claim', 'open claim', 'window', 'waiting']),
	route: z.string(),
	name: z.string(),
	value: z.number(),
});

/** What decides about events: claims of delivery ids, open windows, and the number of waiting runs. */
type Known = {
	readonly claims: Map<string, {readonly expiresAt: number; readonly isOpen: boolean}>;
	readonly windows: Set<string>;
	waiting: number;
};

/**
Claims delivery ids and writes events, runs and messages, by one statement where that can decide about all of them.
A full queue leaves the delivery id unclaimed, so that the sender's retry is no duplicate (docs/webhooks.md, Accepted means kept).
*/
export async function acceptEvents(
	query: Query,
	{windows, writer}: Accepting,
	events: readonly AcceptedEvent[],
): Promise<readonly AcceptOutcome[]> {
	return (await acceptAtOnce(query, events, writer)) ?? acceptInTurn(query, {windows, writer}, events);
}

/**
The same by one statement, which is a transaction of its own unless one is under way. Undefined: nothing was written, as the queue has no place for all
of them, or as some depend on each other: those of one delivery id, and those of coalescing windows.
*/
export async function acceptAtOnce(
	query: Query,
	events: readonly AcceptedEvent[],
	writer: Writer,
): Promise<readonly AcceptOutcome[] | undefined> {
	const claims = events.flatMap(({rows: {claim}}) => (claim ? [keyOf(claim.route, claim.deliveryId)] : []));
	if (events.some(({rows}) => rows.window) || new Set(claims).size < claims.length) {
		return undefined;
	}

	const places = events.filter(({rows}) => rows.run).length;
	const limit = Math.min(...events.map(({rows: {run, queueLimit}}) => (run && queueLimit) ?? Number.POSITIVE_INFINITY));
	const written = await writeEvents(query, events, {
		writer,
		mostWaiting: Number.isFinite(limit) ? limit - places : undefined,
	});
	const outcomeOf = (index: number) => (written.open.has(index) ? 'open' : 'duplicate');
	const outcomes = events.map((_, index) => (written.refused.has(index) ? outcomeOf(index) : 'accepted'));
	return written.fits ? takeOverClaims(query, {events, outcomes, writer}) : undefined;
}

/** Reads what decides about the events, then writes those that are accepted. */
async function acceptInTurn(
	query: Query,
	{windows, writer}: Accepting,
	events: readonly AcceptedEvent[],
): Promise<readonly AcceptOutcome[]> {
	const known = await readKnown(query, events);
	const outcomes = events.map(event => decide(event, known));
	const accepted = events.filter((_, index) => outcomes[index] === 'accepted');
	const written = await (accepted.length > 0 && writeEvents(query, accepted, {writer}));
	if (written && written.refused.size > 0) {
		throw new LostRace('a delivery id was claimed meanwhile');
	}

	for (const {rows} of accepted) {
		await (rows.run && rows.window && windows.put(rows.window, rows.run));
	}

	return takeOverClaims(query, {events, outcomes, writer});
}

/**
A claim that makes an event a duplicate counts as this gateway's before that is answered: the gateway which refused its sender the first time, since it did
not hear that the event is on disk, withdraws it no more. What it has withdrawn meanwhile is `open`: the sender comes again. Asked behind the statement that
writes events, which would have to look for the claims of each.
*/
async function takeOverClaims(
	query: Query,
	{
		events,
		outcomes,
		writer,
	}: {
		readonly events: readonly AcceptedEvent[];
		readonly outcomes: readonly AcceptOutcome[];
		readonly writer: Writer;
	},
): Promise<readonly AcceptOutcome[]> {
	const claims = events.flatMap(({rows: {claim}}, index) => (claim && outcomes[index] === 'duplicate' ? [claim] : []));
	if (claims.length === 0) {
		return outcomes;
	}

	const text = `
		UPDATE deliveries SET owner = $3 WHERE (route, delivery_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
		RETURNING route, delivery_id AS "deliveryId"`;
	const names = [claims.map(({route}) => route), claims.map(({deliveryId}) => deliveryId)];
	const taken = await readRows(claimName, query(text, [...names, writer.incarnation]));
	const keys = new Set(taken.map(({route, deliveryId}) => keyOf(route, deliveryId)));
	return outcomes.map((outcome, index) => {
		const claim = events[index]?.rows.claim;
		return outcome === 'duplicate' && claim && !keys.has(keyOf(claim.route, claim.deliveryId)) ? 'open' : outcome;
	});
}

/** Decides as if the events came one after another: each sees those before it. */
function decide({rows: {claim, run, window, queueLimit}, now}: AcceptedEvent, known: Known): AcceptOutcome {
	const earlier = claim && known.claims.get(keyOf(claim.route, claim.deliveryId));
	if (earlier && earlier.expiresAt > now) {
		return earlier.isOpen ? 'open' : 'duplicate';
	}

	const windowKey = window && keyOf(window.route, window.key);
	const needsPlace = run && !(windowKey !== undefined && known.windows.has(windowKey));
	if (needsPlace && queueLimit !== undefined && known.waiting >= queueLimit) {
		return 'queue-full';
	}

	known.waiting += needsPlace ? 1 : 0;
	if (claim) {
		const {route, deliveryId, expiresAt, openEvent} = claim;
		known.claims.set(keyOf(route, deliveryId), {expiresAt, isOpen: openEvent !== undefined});
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
		SELECT CASE WHEN open_event IS NULL THEN 'claim' ELSE 'open claim' END AS kind, route, delivery_id AS name,
			expires_at AS value FROM deliveries
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
	const ofKind = (...kinds: readonly string[]) => found.filter(({kind}) => kinds.includes(kind));
	return {
		claims: new Map(
			ofKind('claim', 'open claim').map(({kind, route, name, value}) => [
				keyOf(route, name),
				{expiresAt: value, isOpen: kind === 'open claim'},
			]),
		),
		windows: new Set(ofKind('window').map(({route, name}) => keyOf(route, name))),
		waiting: ofKind('waiting').reduce((sum, {value}) => sum + value, 0),
	};
}

const writtenRow = z.object({fits: z.boolean(), refused: z.array(z.number()), open: z.array(z.number())});

/** Writes those events whose delivery id is free, unless more runs wait already than `mostWaiting`. `refused` has the numbers of the others, counted from 0, and `open` those of them whose id is claimed by an event that is not over. */
async function writeEvents(
	query: Query,
	accepted: readonly AcceptedEvent[],
	{writer, mostWaiting}: {readonly writer: Writer; readonly mostWaiting?: number | undefined},
): Promise<{readonly fits: boolean; readonly refused: ReadonlySet<number>; readonly open: ReadonlySet<number>}> {
	// An id that was claimed and free again within the list is written once.
	const claims = new Map<string, readonly unknown[]>();
	for (const [index, {rows}] of accepted.entries()) {
		if (rows.claim) {
			const {route, deliveryId, expiresAt, openEvent = null} = rows.claim;
			claims.set(keyOf(route, deliveryId), [index, route, deliveryId, expiresAt, openEvent, writer.incarnation]);
		}
	}

	const events = accepted.map(({rows: {event}, body}, index) => [index, ...event, writer.incarnation, body ?? null]);
	const runs = accepted.flatMap(({rows: {run, window}}, index) => (run && !window ? [[index, ...run]] : []));
	const messages = accepted.flatMap(({rows: {message}, now}, index) =>
		message ? [[index, ...answerColumns(message, {state: 'sending', now}, writer)]] : [],
	);
	const lists = [
		Math.max(...accepted.map(({now}) => now)),
		mostWaiting ?? null,
		...toLists([...claims.values()], claimTypes),
		...toLists(events, eventTypes),
		...toLists(runs, runTypes),
		...toLists(messages, answerTypes),
	];
	const [written] = await readRows(writtenRow, query(acceptText, lists));
	return {fits: written?.fits ?? false, refused: new Set(written?.refused), open: new Set(written?.open)};
}

/** The rows as one list per column. */
function toLists(rows: ReadonlyArray<readonly unknown[]>, columns: readonly string[]): readonly unknown[][] {
	return columns.map((_, column) => rows.map(row => row[column]));
}

/** Each row begins with the number of its event. */
const claimTypes = ['integer', 'text', 'text', 'bigint', 'text', 'text'];
const eventTypes =
	'integer, text, bigint, text, text, text, text, text, integer, text, text, double precision, text, text, bytea'.split(
		', ',
	);
const runTypes = ['integer', 'text', 'text', 'bigint', 'text', 'text', 'text'];
const answerTypes = ['integer', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'bigint', 'text', 'text'];

/** Rows of parameters, the first of which is `$first`, under these names. */
function unnest(types: readonly string[], first: number, names: string): string {
	return `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')}) AS listed (number, ${names})`;
}

const [claimNames, runNames] = [
	'route, delivery_id, expires_at, open_event, owner',
	'id, event_id, changed_at, profile, job, record',
];
const [firstEvent, firstRun] = [3 + claimTypes.length, 3 + claimTypes.length + eventTypes.length];
const isWritten = 'WHERE (SELECT holds FROM fits) AND number NOT IN (SELECT number FROM refused)';

/**
The count of waiting runs ends at the limit: a long queue is not counted to its end. A claim that came while the statement ran is not seen by it, and
counts as one of the event that was refused for it: both are of one route.
*/
const acceptText = `
	WITH fits AS MATERIALIZED (
		SELECT $2::bigint IS NULL OR (
			(SELECT count(*) FROM (SELECT 1 FROM runs WHERE state = 'queued' LIMIT greatest($2 + 1, 0)) AS queued)
			+ (SELECT count(*) FROM (SELECT 1 FROM windows LIMIT greatest($2 + 1, 0)) AS open)
		) <= $2 AS holds
	), asked AS (
		SELECT * FROM ${unnest(claimTypes, 3, claimNames)}
	), claimed AS (
		INSERT INTO deliveries (${claimNames}) SELECT ${claimNames} FROM asked WHERE (SELECT holds FROM fits)
		ON CONFLICT (route, delivery_id) DO UPDATE
		SET expires_at = excluded.expires_at, open_event = excluded.open_event, owner = excluded.owner
		WHERE deliveries.expires_at <= $1 RETURNING route, delivery_id
	), refused AS MATERIALIZED (
		SELECT number, coalesce(
			(SELECT known.open_event IS NOT NULL FROM deliveries AS known
			WHERE known.route = asked.route AND known.delivery_id = asked.delivery_id AND known.expires_at > $1),
			open_event IS NOT NULL
		) AS is_open
		FROM asked WHERE (route, delivery_id) NOT IN (SELECT route, delivery_id FROM claimed)
	), written AS (
		INSERT INTO events (${eventNames}) SELECT ${eventNames} FROM ${unnest(eventTypes, firstEvent, eventNames)} ${isWritten}
	), queued AS (
		INSERT INTO runs (${runNames}, state)
		SELECT ${runNames}, 'queued' FROM ${unnest(runTypes, firstRun, runNames)} ${isWritten}
	), sending AS (
		INSERT INTO answers (${answerNames})
		SELECT ${answerNames} FROM ${unnest(answerTypes, firstRun + runTypes.length, answerNames)} ${isWritten}
	)
	SELECT (SELECT holds FROM fits) AS fits, ARRAY(SELECT number FROM refused) AS refused,
		ARRAY(SELECT number FROM refused WHERE is_open) AS open`;
