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
const mostRows = 300;

/** Rows of another gateway: the starts of one have one name. */
const isOther =
	'owner IN (SELECT incarnation FROM nodes WHERE name <> (SELECT name FROM nodes WHERE incarnation = $1))';

const newest = (table: string, after: string) =>
	`sequence > coalesce(${after}, (SELECT max(sequence) FROM ${table}), 0) - ${overlap}`;

/** Whether its message is being sent, or its job is asked. */
const isOpen = `(
	EXISTS (SELECT 1 FROM deliveries WHERE open_event = events.id)
	OR EXISTS (SELECT 1 FROM answers WHERE event_id = events.id AND run_id IS NULL AND state = 'sending')
)`;

const eventsText = `
	SELECT sequence, ${eventColumns}, ${isOpen} AS "isOpen" FROM events
	WHERE (${newest('events', '$2::bigint')} OR id = ANY($4::text[])) AND ${isOther} AND NOT id = ANY($3::text[])
	ORDER BY sequence DESC LIMIT ${mostRows}
`;

/**
Those that are under way, those that wait for a person wherever they were left, those that the asking gateway shows as open, those that came and went
since the last look, and those that were known in another state, whoever has them now; an inbox item also when it is open for another reason.
*/
const runsText = `
	WITH known AS (SELECT * FROM unnest($3::text[], $4::text[], $6::text[]) AS known (id, state, reason))
	SELECT sequence, ${runColumns} FROM runs
	WHERE (${isOther} AND state <> 'queued' OR state = 'inbox' OR id IN (SELECT id FROM known))
		AND (id, state, CASE WHEN state = 'inbox' THEN coalesce(reason, '') ELSE '' END) NOT IN (SELECT id, state, reason FROM known)
		AND id IN (
			(SELECT id FROM runs WHERE state = 'running' ORDER BY sequence DESC LIMIT ${mostRows})
			UNION ALL (SELECT id FROM runs WHERE state = 'inbox' ORDER BY sequence DESC LIMIT ${mostRows})
			UNION ALL (SELECT id FROM runs WHERE ${newest('runs', '$2::bigint')} ORDER BY sequence DESC LIMIT ${mostRows})
			UNION ALL SELECT unnest($5::text[])
			UNION ALL SELECT id FROM known
		)
	ORDER BY sequence DESC LIMIT ${mostRows}
`;

const lastRow = z.object({event: z.number(), run: z.number(), name: z.string().nullable()});
const lastText = `
	SELECT coalesce((SELECT max(sequence) FROM events), 0) AS event, coalesce((SELECT max(sequence) FROM runs), 0) AS run,
		(SELECT name FROM nodes WHERE incarnation = $1) AS name
`;
const otherEvent = eventRow.extend({isOpen: z.boolean()});

/** The statements. The first look, without `after`, has what is under way and the newest of the rest. */
export function createOtherWork(query: Query, writer: Writer): ReadOtherWork {
	return async ({after, knownEvents, openEvents, knownRuns, openRuns}) => {
		const own = writer.incarnation;
		const [last = {event: 0, run: 0, name: null}] = await readRows(lastRow, query(lastText, [own]));
		const events = query(eventsText, [own, after?.event ?? null, knownEvents, openEvents]);
		const [ids, states] = [knownRuns.map(({id}) => id), knownRuns.map(({state}) => state)];
		const reasons = knownRuns.map(({state, reason = ''}) => (state === 'inbox' ? reason : ''));
		const runs = await readRows(runRow, query(runsText, [own, after?.run ?? null, ids, states, openRuns, reasons]));
		return {
			last: {event: last.event, run: last.run},
			events: (await readRows(otherEvent, events)).toReversed(),
			runs: runs.toReversed().map(run => (run.node === last.name ? {...run, node: undefined} : run)),
		};
	};
}
