import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {jsonColumn, readRows} from './read-rows.ts';
import {type RunRecord, type WindowName, type WindowRow} from './records.ts';
import {runRecord} from './runs.ts';
import {type WaitingCount} from './waiting-count.ts';

/** The coalescing windows that are open: the run each will lead to, as its latest event made it (docs/webhooks.md, Accepted means kept). */
export type WindowTable = {
	readonly has: (window: WindowName) => boolean;
	/** Opens the window, or replaces what waits in it and counts that as superseded. `eventPlace`: where the event of the run lies. */
	readonly put: (window: WindowName, run: RunRecord, eventPlace: number) => void;
	/** Closes the window and answers what waited in it. */
	readonly take: (window: WindowName) => WaitingRun | undefined;
	/** All of them; how many there are is bounded by the limit of queued runs. */
	readonly list: () => readonly WindowRow[];
};

/** What waits in a window. */
type WaitingRun = {readonly run: RunRecord; readonly eventPlace: number; readonly superseded: number};

const takenRow: z.ZodType<WaitingRun> = z
	.object({
		superseded: z.number(),
		eventPlace: z.number(),
		record: z.string().transform(jsonColumn).pipe(runRecord),
	})
	.transform(({record: run, ...rest}) => ({run, ...rest}));
const windowRow = z.object({route: z.string(), key: z.string(), firstAt: z.number(), lastAt: z.number()});

/** Prepares the statements of the table. */
export function createWindowTable(database: DatabaseSync, waiting: WaitingCount): WindowTable {
	const has = database.prepare('SELECT 1 FROM windows WHERE route = ? AND key = ?');
	const put = database.prepare(`
		INSERT INTO windows (route, key, event, first_at, last_at, superseded, record) VALUES (?, ?, ?, ?, ?, 0, ?)
		ON CONFLICT (route, key) DO UPDATE SET
			event = excluded.event, last_at = excluded.last_at, superseded = superseded + 1, record = excluded.record
	`);
	const take = database.prepare(
		'DELETE FROM windows WHERE route = ? AND key = ? RETURNING superseded, event AS eventPlace, record',
	);
	const list = database.prepare('SELECT route, key, first_at AS firstAt, last_at AS lastAt FROM windows');
	const isOpen = ({route, key}: WindowName) => has.get(route, key) !== undefined;
	return {
		has: isOpen,
		put(window, run, eventPlace) {
			waiting.add(isOpen(window) ? 0 : 1);
			put.run(window.route, window.key, eventPlace, run.createdAt, run.createdAt, JSON.stringify(run));
		},
		take({route, key}) {
			const taken = readRows(takenRow, () => take.all(route, key));
			waiting.add(-taken.length);
			return taken[0];
		},
		list: () => readRows(windowRow, () => list.all()),
	};
}
