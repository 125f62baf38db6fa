import {z} from 'zod';
import {type RunChange, type RunRecord, type WindowName, type WindowRow} from '../records.ts';
import {boundedLimit} from '../rows/read-rows.ts';
import {type QueuedColumns} from '../rows/columns.ts';
import {queuedRow, takenRow, type WaitingRun, windowRow} from '../rows/run-rows.ts';
import {type Query, readRows} from './query.ts';

/** The queue: runs of the table that wait to be taken. Write inside a transaction. */
export type QueuedRuns = {
	readonly insert: (columns: QueuedColumns) => Promise<void>;
	/** The number of waiting runs, those of open windows included. */
	readonly count: () => Promise<number>;
	/** Oldest first. */
	readonly next: (limit: number) => Promise<readonly RunRecord[]>;
	/** Takes runs out of the queue; returns the ids of those that were queued. One that another transaction takes at this moment is left to that. */
	readonly leave: (ids: readonly string[], change: RunChange) => Promise<ReadonlySet<string>>;
	/** Returns a run that was taken to its former position; false when it is not running. */
	readonly comeBack: (id: string, change: Omit<RunChange, 'state'>) => Promise<boolean>;
};

const countRow = z.object({count: z.number()});
const idRow = z.object({id: z.string()});

/** The statements of the queue. */
export function createQueuedRuns(query: Query): QueuedRuns {
	return {
		async insert(columns) {
			await query(
				`INSERT INTO runs (id, event_id, changed_at, profile, job, record, state)
				VALUES ($1, $2, $3, $4, $5, $6, 'queued')`,
				columns,
			);
		},
		async count() {
			const text = `SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count`;
			return (await readRows(countRow, query(text)))[0]?.count ?? 0;
		},
		async next(limit) {
			const text = `SELECT record FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT $1`;
			return (await readRows(queuedRow, query(text, [boundedLimit(limit)]))).map(({record}) => record);
		},
		async leave(ids, {state, reason = null, now}) {
			const text = `
				UPDATE runs SET state = $1, reason = $2, changed_at = $3 WHERE id IN (
					SELECT id FROM runs WHERE state = 'queued' AND id = ANY($4) FOR UPDATE SKIP LOCKED
				) RETURNING id`;
			return new Set((await readRows(idRow, query(text, [state, reason, now, ids]))).map(({id}) => id));
		},
		async comeBack(id, {reason = null, now}) {
			const text = `
				UPDATE runs SET state = 'queued', reason = $1, changed_at = $2 WHERE state = 'running' AND id = $3 RETURNING id`;
			return (await query(text, [reason, now, id])).length > 0;
		},
	};
}

/** The open coalescing windows, each with the run that its latest event produced (docs/webhooks.md, Accepted means kept). */
export type WindowTable = {
	/** Opens the window, or replaces its run and counts that as superseded. */
	readonly put: (window: WindowName, run: QueuedColumns) => Promise<void>;
	/** Closes the window and returns its run. */
	readonly take: (window: WindowName) => Promise<WaitingRun | undefined>;
	/** Closes the window that this event alone opened. */
	readonly drop: (eventId: string) => Promise<void>;
	/** All of them; the limit of queued runs bounds their number. */
	readonly list: () => Promise<readonly WindowRow[]>;
};

/** The statements of the table. */
export function createWindowTable(query: Query): WindowTable {
	return {
		async put({route, key}, [, eventId, createdAt, , , record]) {
			await query(
				`INSERT INTO windows (route, key, event_id, first_at, last_at, superseded, record)
				VALUES ($1, $2, $3, $4, $4, 0, $5)
				ON CONFLICT (route, key) DO UPDATE SET event_id = excluded.event_id, last_at = excluded.last_at,
					superseded = windows.superseded + 1, record = excluded.record`,
				[route, key, eventId, createdAt, record],
			);
		},
		async take({route, key}) {
			const text = 'DELETE FROM windows WHERE route = $1 AND key = $2 RETURNING superseded, record';
			return (await readRows(takenRow, query(text, [route, key])))[0];
		},
		async drop(eventId) {
			await query('DELETE FROM windows WHERE event_id = $1 AND superseded = 0', [eventId]);
		},
		list: () =>
			readRows(windowRow, query('SELECT route, key, first_at AS "firstAt", last_at AS "lastAt" FROM windows')),
	};
}
