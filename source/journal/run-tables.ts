import {type DatabaseSync} from 'node:sqlite';
import {createQueuedRuns, type QueuedRuns} from './queued-runs.ts';
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
export function openRunTables(database: DatabaseSync, now: () => number): RunTables {
	const waiting = createWaitingCount(database);
	return {
		runs: createRunTable(database, {waiting, now}),
		queue: createQueuedRuns(database, {waiting, now}),
		windows: createWindowTable(database, waiting),
		waiting,
	};
}
