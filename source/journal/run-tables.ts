import {type DatabaseSync} from 'node:sqlite';
import {createQueuedRuns, type QueuedRuns} from './queued-runs.ts';
import {createPlaces} from './row-place.ts';
import {type RunTable, createRunTable} from './runs.ts';
import {createWaitingCount, type WaitingCount} from './waiting-count.ts';
import {type WindowTable, createWindowTable} from './windows.ts';

/** Everything about runs: those that wait in the queue or in a window, how many they are, and all others. */
export type RunTables = {
	readonly runs: RunTable;
	readonly queue: QueuedRuns;
	readonly windows: WindowTable;
	readonly waiting: WaitingCount;
};

/** Opens them in a migrated database. `now` answers milliseconds since the epoch. */
export function createRunTables(database: DatabaseSync, now: () => number): RunTables {
	const waiting = createWaitingCount(database);
	const places = createPlaces(database, 'runs', now);
	return {
		runs: createRunTable(database, {waiting, places}),
		queue: createQueuedRuns(database, {waiting, places}),
		windows: createWindowTable(database, waiting),
		waiting,
	};
}
