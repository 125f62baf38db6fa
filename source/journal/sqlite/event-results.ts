import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type EventResultRow, type EventRow} from '../records.ts';
import {answerState} from '../rows/answer-rows.ts';
import {readRows} from '../rows/read-rows.ts';
import {runStatus} from '../rows/run-rows.ts';

/** Adds to each event of a list the newest run and the messages it led to, newest first. */
export type ReadEventResults = (events: readonly EventRow[]) => readonly EventResultRow[];

const runColumns = z.object({eventId: z.string(), id: z.string(), state: runStatus});
const answerColumns = z.object({eventId: z.string(), target: z.string(), state: answerState});

/** Prepares the two statements: one list costs as many reads as one event. */
export function createEventResults(database: DatabaseSync): ReadEventResults {
	const runs = database.prepare(`
		SELECT event_id AS eventId, id, state FROM runs WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY sequence
	`);
	const answers = database.prepare(`
		SELECT event_id AS eventId, json_extract(record, '$.target') AS target, state FROM answers
		WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC
	`);
	return events => {
		const ids = JSON.stringify(events.map(({id}) => id));
		const newest = new Map(readRows(runColumns, () => runs.all(ids)).map(({eventId, ...run}) => [eventId, run]));
		const messages = Map.groupBy(
			readRows(answerColumns, () => answers.all(ids)),
			({eventId}) => eventId,
		);
		return events.map(event => {
			const run = newest.get(event.id);
			const deliveries = (messages.get(event.id) ?? []).map(({target, state}) => ({target, state}));
			return {...event, ...(run && {run}), deliveries};
		});
	};
}
