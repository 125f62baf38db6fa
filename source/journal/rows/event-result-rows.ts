import {z} from 'zod';
import {type EventResultRow, type EventRow} from '../records.ts';
import {answerState} from './answer-rows.ts';
import {runStatus} from './run-rows.ts';

/** A run that an event led to. */
export const runOfEvent = z.object({eventId: z.string(), id: z.string(), state: runStatus});
/** A message that an event led to. */
export const answerOfEvent = z.object({eventId: z.string(), target: z.string(), state: answerState});

/** The events with what became of each: its newest run, of runs oldest first, and its messages, newest first. */
export function eventResults(
	events: readonly EventRow[],
	led: {
		readonly runs: ReadonlyArray<z.output<typeof runOfEvent>>;
		readonly answers: ReadonlyArray<z.output<typeof answerOfEvent>>;
	},
): readonly EventResultRow[] {
	const newest = new Map(led.runs.map(({eventId, ...run}) => [eventId, run]));
	const messages = Map.groupBy(led.answers, ({eventId}) => eventId);
	return events.map(event => {
		const run = newest.get(event.id);
		const deliveries = (messages.get(event.id) ?? []).map(({target, state}) => ({target, state}));
		return {...event, ...(run && {run}), deliveries};
	});
}
