import {type EventResultRow, type EventRow} from '../records.ts';
import {answerOfEvent, eventResults, runOfEvent} from '../rows/event-result-rows.ts';
import {type Query, readRows} from './query.ts';

/** Adds to each event of a list the newest run and the messages it led to, newest first. */
export type ReadEventResults = (events: readonly EventRow[]) => Promise<readonly EventResultRow[]>;

const newestRuns = `
	SELECT DISTINCT ON (event_id) event_id AS "eventId", id, state FROM runs WHERE event_id = ANY($1::text[]) ORDER BY event_id, sequence DESC
`;
const answers = `
	SELECT event_id AS "eventId", target, state FROM answers WHERE event_id = ANY($1::text[]) ORDER BY sequence DESC
`;

/** The two statements: one list costs as many reads as one event. */
export function createEventResults(query: Query): ReadEventResults {
	return async events => {
		const ids = [events.map(({id}) => id)];
		return eventResults(events, {
			runs: await readRows(runOfEvent, query(newestRuns, ids)),
			answers: await readRows(answerOfEvent, query(answers, ids)),
		});
	};
}
