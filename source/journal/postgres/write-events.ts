import {z} from 'zod';
import {type AcceptRows} from '../rows/accept-rows.ts';
import {type Owner} from '../rows/node-rows.ts';
import {messageColumns, boundColumns as messageNames} from '../tables/messages.ts';
import {boundColumns as eventNames} from '../tables/events.ts';
import {type Query, readRows} from '../tables/query.ts';

/** An event to accept, its body, the contents of its files, and the current time in milliseconds since the epoch by the clock of the journal. */
export type AcceptedEvent = {
	readonly rows: AcceptRows;
	readonly body: Uint8Array | undefined;
	readonly contents: readonly Uint8Array[];
	readonly now: number;
};

/** Half a character is stored as U+FFFD: the name has to be compared as it was stored. */
export function keyOf(route: string, name: string): string {
	return JSON.stringify([route.toWellFormed(), name.toWellFormed()]);
}

const writtenRow = z.object({
	fits: z.boolean(),
	queued: z.number(),
	refused: z.array(z.number()),
	open: z.array(z.number()),
});

/** The rows that were written; `fits` is false when none was, as there are too few places. `refused` has the numbers of the events that were not, counted from 0, and `open` those of them whose id is claimed by an event that is not over. */
type Written = {
	readonly fits: boolean;
	readonly queued: number;
	readonly refused: ReadonlySet<number>;
	readonly open: ReadonlySet<number>;
};

/** Writes those events whose delivery id is free. Places for their runs are taken from those that the owner has reserved: at least `count`, or nothing is written. */
export async function writeEvents(
	query: Query,
	accepted: readonly AcceptedEvent[],
	{owner, reserved}: {readonly owner: Owner; readonly reserved?: {readonly owner: string; readonly count: number}},
): Promise<Written> {
	// An id that was claimed and free again within the list is written once.
	const claims = new Map<string, readonly unknown[]>();
	for (const [index, {rows}] of accepted.entries()) {
		if (rows.claim) {
			const {route, deliveryId, expiresAt, openEvent = null} = rows.claim;
			claims.set(keyOf(route, deliveryId), [index, route, deliveryId, expiresAt, openEvent, owner.instanceId]);
		}
	}

	const events = accepted.map(({rows: {event}, body}, index) => [index, ...event, owner.instanceId, body ?? null]);
	const runs = accepted.flatMap(({rows: {run, window}}, index) => (run && !window ? [[index, ...run]] : []));
	const messages = accepted.flatMap(({rows, now}, index) =>
		rows.messages.map(message => [index, ...messageColumns(message, {state: 'sending', now}, owner)]),
	);
	const lists = [
		Math.max(...accepted.map(({now}) => now)),
		reserved?.count ?? null,
		reserved?.owner ?? null,
		...toLists([...claims.values()], claimTypes),
		...toLists(events, eventTypes),
		...toLists(runs, runTypes),
		...toLists(messages, messageTypes),
	];
	const [written] = await readRows(writtenRow, query(acceptText, lists));
	const {fits = false, queued = 0, refused, open} = written ?? {};
	return {fits, queued, refused: new Set(refused), open: new Set(open)};
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
const runTypes = ['integer', 'text', 'text', 'bigint', 'text', 'text', 'text', 'text'];
const messageTypes = [
	'integer',
	'text',
	'text',
	'text',
	'text',
	'text',
	'text',
	'text',
	'bigint',
	'text',
	'text',
	'text',
];

/** Rows of parameters, the first of which is `$first`, under these names. */
function unnest(types: readonly string[], first: number, names: string): string {
	return `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')}) AS listed (number, ${names})`;
}

const [claimNames, runNames] = [
	'route, delivery_id, expires_at, open_event, owner',
	'id, event_id, changed_at, profile, job, record, origin',
];
const firstClaim = 4;
const firstEvent = firstClaim + claimTypes.length;
const firstRun = firstEvent + eventTypes.length;
const isWritten = 'WHERE (SELECT holds FROM fits) AND number NOT IN (SELECT number FROM refused)';

/**
A claim that came while the statement ran is not seen by it, and counts as one of the event that was refused for it: both are of one route. The row with
the reserved places ($3) is this gateway's alone.
*/
const acceptText = `
	WITH fits AS MATERIALIZED (
		SELECT $2::bigint IS NULL
			OR coalesce((SELECT places >= $2 FROM queue_reservations WHERE owner = $3::text FOR UPDATE), false) AS holds
	), asked AS (
		SELECT * FROM ${unnest(claimTypes, firstClaim, claimNames)}
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
		SELECT ${runNames}, 'queued' FROM ${unnest(runTypes, firstRun, runNames)} ${isWritten} RETURNING 1
	), used AS (
		UPDATE queue_reservations SET places = greatest(places - (SELECT count(*) FROM queued), 0)
		WHERE owner = $3 AND EXISTS (SELECT 1 FROM queued)
	), sending AS (
		INSERT INTO answers (${messageNames})
		SELECT ${messageNames} FROM ${unnest(messageTypes, firstRun + runTypes.length, messageNames)} ${isWritten}
	)
	SELECT (SELECT holds FROM fits) AS fits, (SELECT count(*) FROM queued) AS queued, ARRAY(SELECT number FROM refused) AS refused,
		ARRAY(SELECT number FROM refused WHERE is_open) AS open`;
