import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {answerState} from './answers.ts';
import {type PlacedEvent} from './events.ts';
import {readRows} from './read-rows.ts';
import {type EventResultRow} from './records.ts';
import {idAt} from './row-place.ts';
import {runStatus} from './runs.ts';

/** Adds to each event of a list the newest run and the messages it led to, newest first. */
export type ReadEventResults = (events: readonly PlacedEvent[]) => readonly EventResultRow[];

const runColumns = z.object({place: z.number(), sequence: z.number(), id: z.string().nullable(), state: runStatus});
const answerColumns = z.object({eventId: z.string(), target: z.string(), state: answerState});

/** Prepares the two statements: one list costs as many reads as one event. */
export function createEventResults(database: DatabaseSync): ReadEventResults {
	const runs = database.prepare(`
		SELECT event AS place, sequence, id, state FROM runs WHERE event IN (SELECT value FROM json_each(?1)) AND event <> 0
		UNION ALL
		SELECT sequence, sequence, id, state FROM runs WHERE sequence IN (SELECT value FROM json_each(?1)) AND event IS NULL
		ORDER BY sequence
	`);
	const answers = database.prepare(`
		SELECT event_id AS eventId, json_extract(record, '$.target') AS target, state FROM answers
		WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC
	`);
	return events => {
		const places = JSON.stringify(events.map(({place}) => place));
		const ids = JSON.stringify(events.map(({event}) => event.id));
		const newest = new Map(readRows(runColumns, () => runs.all(places)).map(run => [run.place, run]));
		const messages = Map.groupBy(
			readRows(answerColumns, () => answers.all(ids)),
			({eventId}) => eventId,
		);
		return events.map(({place, event}) => {
			const run = newest.get(place);
			const deliveries = (messages.get(event.id) ?? []).map(({target, state}) => ({target, state}));
			return {...event, ...(run && {run: {id: run.id ?? idAt(run.sequence), state: run.state}}), deliveries};
		});
	};
}
