import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {jsonColumn, readRows} from './read-rows.ts';
import {type RunRecord, type WindowName, type WindowRow} from './records.ts';
import {runRecord} from './runs.ts';

/** The coalescing windows that are open: the run each will lead to, as its latest event made it (spec/decisions.md, D8: accepted means kept). */
export type WindowTable = {
	readonly has: (window: WindowName) => boolean;
	/** Opens the window, or replaces what waits in it and counts that as superseded. */
	readonly put: (window: WindowName, run: RunRecord) => void;
	/** Closes the window and answers what waited in it. */
	readonly take: (window: WindowName) => {readonly run: RunRecord; readonly superseded: number} | undefined;
	/** All of them; how many there are is bounded by the limit of queued runs. */
	readonly list: () => readonly WindowRow[];
};

const takenRow = z.object({superseded: z.number(), record: z.string().transform(jsonColumn).pipe(runRecord)});
const windowRow = z.object({route: z.string(), key: z.string(), firstAt: z.number(), lastAt: z.number()});

/** Opens the table of a migrated database. */
export function createWindowTable(database: DatabaseSync): WindowTable {
	const has = database.prepare('SELECT 1 FROM windows WHERE route = ? AND key = ?');
	const put = database.prepare(`
		INSERT INTO windows (route, key, event_id, first_at, last_at, superseded, record) VALUES (?, ?, ?, ?, ?, 0, ?)
		ON CONFLICT (route, key) DO UPDATE SET
			event_id = excluded.event_id, last_at = excluded.last_at, superseded = superseded + 1, record = excluded.record
	`);
	const take = database.prepare('DELETE FROM windows WHERE route = ? AND key = ? RETURNING superseded, record');
	const list = database.prepare('SELECT route, key, first_at AS firstAt, last_at AS lastAt FROM windows');
	return {
		has: ({route, key}) => has.get(route, key) !== undefined,
		put: ({route, key}, run) =>
			void put.run(route, key, run.eventId, run.createdAt, run.createdAt, JSON.stringify(run)),
		take({route, key}) {
			const taken = readRows(takenRow, () => take.all(route, key))[0];
			return taken && {run: taken.record, superseded: taken.superseded};
		},
		list: () => readRows(windowRow, () => list.all()),
	};
}
