import {z} from 'zod';
import {type OtherWork, type OtherWorkQuery} from '../operations.ts';
import {eventRow} from '../rows/event-rows.ts';
import {type Writer} from '../rows/node-rows.ts';
import {runRow} from '../rows/run-rows.ts';
import {rowColumns as eventColumns} from './events.ts';
import {type Query, readRows} from './query.ts';
import {rowColumns as runColumns} from './runs.ts';

/** What other gateways of the journal do, for the dashboard of this one. A look each second costs what is new and what is under way. */
export type ReadOtherWork = (query: OtherWorkQuery) => Promise<OtherWork>;

/** Rows do not become visible in the order of their numbers: each look goes back so far. */
const overlap = 256;
/** Of each kind; of more than that the newest count. */
const mostRows = 500;

const isOther = 'owner IS NOT NULL AND owner IS DISTINCT FROM $1';

const newest = (table: string, after: string) =>
	`sequence > coalesce(${after}, (SELECT max(sequence) FROM ${table}), 0) - ${overlap}`;

const openEvent = z.object({id: z.string()});
/** An event whose message is being sent, or whose job is asked, is not over. */
const openEventsText = `
	SELECT open_event AS id FROM deliveries WHERE open_event IS NOT NULL AND ${isOther}
	UNION SELECT event_id FROM answers WHERE state = 'sending' AND run_id IS NULL AND event_id <> '' AND ${isOther}
	LIMIT ${mostRows}
`;

/** Those that came since the last look and are over, and those that were open then. */
const eventsText = `
	SELECT sequence, ${eventColumns} FROM events
	WHERE ${isOther} AND NOT id = ANY($3::text[]) AND id IN (
		(SELECT id FROM events WHERE ${newest('events', '$2::bigint')} AND ${isOther} ORDER BY sequence DESC LIMIT ${mostRows})
		UNION ALL SELECT unnest($4::text[])
	)
		AND NOT EXISTS (SELECT 1 FROM deliveries WHERE open_event = events.id)
		AND NOT EXISTS (SELECT 1 FROM answers WHERE event_id = events.id AND run_id IS NULL AND state = 'sending')
	ORDER BY sequence DESC LIMIT ${mostRows}
`;

/** Those that are under way, those that wait for a person wherever they were left, those that the asking gateway shows as open, and those that came and went since the last look. */
const runsText = `
	SELECT sequence, ${runColumns} FROM runs
	WHERE (${isOther} AND state <> 'queued' OR state = 'inbox') AND NOT id || ' ' || state = ANY($3::text[]) AND id IN (
		(SELECT id FROM runs WHERE state = 'running' ORDER BY sequence DESC LIMIT ${mostRows})
		UNION ALL (SELECT id FROM runs WHERE state = 'inbox' ORDER BY sequence DESC LIMIT ${mostRows})
		UNION ALL (SELECT id FROM runs WHERE ${newest('runs', '$2::bigint')} ORDER BY sequence DESC LIMIT ${mostRows})
		UNION ALL SELECT unnest($4::text[])
	)
	ORDER BY sequence DESC LIMIT ${mostRows}
`;

const lastRow = z.object({event: z.number(), run: z.number()});
const lastText = `
	SELECT coalesce((SELECT max(sequence) FROM events), 0) AS event, coalesce((SELECT max(sequence) FROM runs), 0) AS run
`;

/** The statements. The first look, without `after`, finds no events: they are over. */
export function createOtherWork(query: Query, writer: Writer): ReadOtherWork {
	return async ({after, knownEvents, openEvents, knownRuns, openRuns}) => {
		const own = writer.incarnation;
		const [last = {event: 0, run: 0}] = await readRows(lastRow, query(lastText));
		const open = await readRows(openEvent, query(openEventsText, [own]));
		const asked = after && [own, after.event, knownEvents, openEvents];
		const events = asked ? await readRows(eventRow, query(eventsText, asked)) : [];
		const runs = await readRows(runRow, query(runsText, [own, after?.run ?? null, knownRuns, openRuns]));
		return {last, events: events.toReversed(), openEvents: open.map(({id}) => id), runs: runs.toReversed()};
	};
}
