import {z} from 'zod';
import {type EventResultRow, type EventRow} from '../rows/records.ts';
import {messageState} from '../rows/message-rows.ts';
import {runStatus} from '../rows/run-rows.ts';
import {type Query, readRows} from './query.ts';

/** A run that an event led to. */
const runOfEvent = z.object({eventId: z.string(), id: z.string(), state: runStatus});
/** A message that an event led to. */
const messageOfEvent = z.object({eventId: z.string(), target: z.string(), state: messageState});

/** Adds to each event of a list the newest run and the messages it led to, newest first. */
export type ReadEventResults = (events: readonly EventRow[]) => Promise<readonly EventResultRow[]>;

const runsText = `
	SELECT event_id AS "eventId", id, state FROM runs WHERE event_id = ANY($1::text[]) ORDER BY sequence
`;
const messagesText = `
	SELECT event_id AS "eventId", target, state FROM answers WHERE event_id = ANY($1::text[]) ORDER BY sequence DESC
`;

/** The two statements: one list costs as many reads as one event. */
export function createEventResults(query: Query): ReadEventResults {
	return async events => {
		const ids = [events.map(({id}) => id)];
		return eventResults(events, {
			runs: await readRows(runOfEvent, query(runsText, ids)),
			messages: await readRows(messageOfEvent, query(messagesText, ids)),
		});
	};
}

/** The events with what became of each: its newest run, of runs oldest first, and its messages, newest first. */
function eventResults(
	events: readonly EventRow[],
	found: {
		readonly runs: ReadonlyArray<z.output<typeof runOfEvent>>;
		readonly messages: ReadonlyArray<z.output<typeof messageOfEvent>>;
	},
): readonly EventResultRow[] {
	const newest = new Map(found.runs.map(({eventId, ...run}) => [eventId, run]));
	const messages = Map.groupBy(found.messages, ({eventId}) => eventId);
	return events.map(event => {
		const run = newest.get(event.id);
		const deliveries = (messages.get(event.id) ?? []).map(({target, state}) => ({target, state}));
		return {...event, ...(run && {run}), deliveries};
	});
}
