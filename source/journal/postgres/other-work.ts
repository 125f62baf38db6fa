import {z} from 'zod';
import {type OtherWork, type OtherWorkQuery} from '../operations/operation-values.ts';
import {callRow} from '../rows/call-rows.ts';
import {eventRow} from '../rows/event-rows.ts';
import {isAbandoned, type Owner} from '../rows/node-rows.ts';
import {type UnreadableRows} from '../rows/read-rows.ts';
import {postgresDialect} from '../tables/dialect.ts';
import {runRow} from '../rows/run-rows.ts';
import {eventColumns} from '../tables/events.ts';
import {createFailedDeliveryTable} from '../tables/failed-deliveries.ts';
import {type Query, readRows} from '../tables/query.ts';
import {runColumns} from '../tables/runs.ts';

/** Work of other gateways of the journal, for the dashboard of this one. Each poll costs new rows and those under way. */
export type ReadOtherWork = (query: OtherWorkQuery) => Promise<OtherWork>;

const {nodeName} = postgresDialect;

/** Rows do not become visible in the order of their numbers: each poll goes back so far. */
const overlap = 256;
/** Of each kind, and of those that are read for the same reason; of more than that the newest count. */
const maxRows = 300;
/** Bound of a poll after a long time, which may filter out most rows that it reads. */
const recent = 10_000;
/** More places than gateways deliver from and to. */
const maxFailedDeliveries = 500;

/** Rows of another gateway: the starts of one have one name. */
const isOther =
	'owner IN (SELECT incarnation FROM nodes WHERE name <> (SELECT name FROM nodes WHERE incarnation = $1))';

const newest = (table: string, after: string) => `sequence > greatest(
	coalesce(${after}, (SELECT max(sequence) FROM ${table}), 0), (SELECT max(sequence) FROM ${table}) - ${recent}
) - ${overlap}`;

/** True while the event's message is being sent, or its job is asked. */
const isOpen = `(
	EXISTS (SELECT 1 FROM deliveries WHERE open_event = events.id)
	OR EXISTS (SELECT 1 FROM answers WHERE event_id = events.id AND run_id IS NULL AND state = 'sending')
)`;

/**
By the numbers of its rows: with both conditions at once the whole table would be read, since few rows have them. An event shown as open that
has ended has a limit of its own: else it would be left out for as long as more than that come with each poll.
*/
const eventsText = `
	SELECT sequence, ${eventColumns}, ${nodeName}, ${isOpen} AS "isOpen" FROM events
	WHERE ${isOther} AND NOT id = ANY($3::text[]) AND sequence IN (
		(
			SELECT sequence FROM events WHERE ${newest('events', '$2::bigint')} AND ${isOther}
			ORDER BY sequence DESC LIMIT ${maxRows}
		)
		UNION ALL (
			SELECT sequence FROM events WHERE id = ANY($4::text[]) AND NOT ${isOpen} ORDER BY sequence LIMIT ${maxRows}
		)
	)
	ORDER BY sequence DESC
`;

/**
Runs under way, runs that wait for a person wherever they were left, runs that the asking gateway shows as open, runs that came and went
since the last poll, and those that were known in another state, whichever gateway has them now; an inbox item also when it is open for another reason.
*/
const runsText = `
	WITH known AS (SELECT * FROM unnest($3::text[], $4::text[], $6::text[]) AS known (id, state, reason))
	SELECT sequence, ${runColumns}, ${nodeName} FROM runs
	WHERE (${isOther} AND state <> 'queued' OR state = 'inbox' OR id IN (SELECT id FROM known))
		AND (id, state, CASE WHEN state = 'inbox' THEN coalesce(reason, '') ELSE '' END) NOT IN (SELECT id, state, reason FROM known)
		AND id IN (
			(SELECT id FROM runs WHERE state = 'running' ORDER BY sequence DESC LIMIT ${maxRows})
			UNION ALL (SELECT id FROM runs WHERE state = 'inbox' ORDER BY sequence DESC LIMIT ${maxRows})
			UNION ALL (SELECT id FROM runs WHERE ${newest('runs', '$2::bigint')} ORDER BY sequence DESC LIMIT ${maxRows})
			UNION ALL SELECT unnest($5::text[])
			UNION ALL SELECT id FROM known
		)
	ORDER BY sequence DESC LIMIT ${maxRows}
`;

const isUnderWay = `outcome IS NULL AND NOT ${isAbandoned}`;

/**
Calls recorded since the last poll, calls under way, of these or of all, and the ends of calls that the asking gateway shows as open. The
inner limit of those under way tells the planner that they are few: it takes a table of many for worth compiling the statement, which costs more than it.
*/
const callsText = `
	SELECT id, coalesce(small_record, record) AS record, outcome, code, ms, ${nodeName}, ${isUnderWay} AS "isOpen" FROM calls
	WHERE ${isOther} AND NOT id = ANY($3::text[]) AND NOT (id = ANY($4::text[]) AND ${isUnderWay}) AND sequence IN (
		(
			SELECT sequence FROM calls WHERE ${newest('calls', '$2::bigint')} AND ${isOther}
			ORDER BY sequence DESC LIMIT ${maxRows}
		)
		UNION ALL (
			SELECT sequence FROM (
				SELECT sequence, id, outcome, owner FROM calls
				WHERE ${newest('calls', 'CASE WHEN $5::boolean THEN 0 ELSE $2::bigint END')}
				ORDER BY sequence DESC LIMIT ${recent + overlap}
			) AS recent
			WHERE ${isUnderWay} AND ${isOther} AND NOT id = ANY($4::text[])
			ORDER BY sequence DESC LIMIT ${maxRows}
		)
		UNION ALL (
			SELECT sequence FROM calls WHERE id = ANY($4::text[]) AND NOT (${isUnderWay}) ORDER BY sequence LIMIT ${maxRows}
		)
	)
	ORDER BY sequence DESC
`;

const lastRow = z.object({event: z.number(), run: z.number(), call: z.number(), name: z.string().nullable()});
const lastText = `
	SELECT coalesce((SELECT max(sequence) FROM events), 0) AS event, coalesce((SELECT max(sequence) FROM runs), 0) AS run,
		coalesce((SELECT max(sequence) FROM calls), 0) AS call, (SELECT name FROM nodes WHERE incarnation = $1) AS name
`;
const otherEvent = eventRow.extend({isOpen: z.boolean()});
const otherCall = callRow.and(z.object({isOpen: z.boolean()}));

/** The statements. The first poll, without `after`, has work under way and the newest of the rest. */
export function createOtherWork(query: Query, owner: Owner, unreadable: UnreadableRows): ReadOtherWork {
	const failedDeliveries = createFailedDeliveryTable(query);
	return async ({after, underWay, knownCalls, openCalls, knownEvents, openEvents, knownRuns, openRuns}) => {
		const own = owner.instanceId;
		const [last = {event: 0, run: 0, call: 0, name: null}] = await readRows(lastRow, query(lastText, [own]));
		// One after the other: a pool may have two connections, and senders wait for them.
		const askedEvents = [own, after?.event ?? null, knownEvents, openEvents];
		const events = await readRows(otherEvent, query(eventsText, askedEvents), unreadable.of('events'));
		const [ids, states] = [knownRuns.map(({id}) => id), knownRuns.map(({state}) => state)];
		const reasons = knownRuns.map(({state, reason = ''}) => (state === 'inbox' ? reason : ''));
		const askedRuns = [own, after?.run ?? null, ids, states, openRuns, reasons];
		const runs = await readRows(runRow, query(runsText, askedRuns));
		const askedCalls = [own, after?.call ?? null, knownCalls, openCalls, underWay === 'all'];
		const calls = await readRows(otherCall, query(callsText, askedCalls), unreadable.of('calls'));
		return {
			last: {event: last.event, run: last.run, call: last.call},
			calls: calls.toReversed(),
			failedDeliveries: await failedDeliveries.list({limit: maxFailedDeliveries}),
			events: events.toReversed(),
			runs: runs.toReversed().map(run => (run.node === last.name ? {...run, node: undefined} : run)),
		};
	};
}
