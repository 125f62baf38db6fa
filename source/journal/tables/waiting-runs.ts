import {z} from 'zod';
import {type RunChange, type WindowName, type WindowRow} from '../rows/records.ts';
import {type TimedWindow} from '../rows/accept-rows.ts';
import {isOwnerAlive} from '../rows/node-rows.ts';
import {boundedLimit, unreadableReason} from '../rows/read-rows.ts';
import {type QueuedColumns} from '../rows/columns.ts';
import {
	movedRow,
	newestRow,
	queuePart,
	type QueuePart,
	type QueueQuery,
	takenRow,
	type WaitingRun,
	windowRow,
} from '../rows/run-rows.ts';
import {readRows, type TableAccess} from './query.ts';
import {setAside} from './set-aside.ts';

/** The queue: runs of the table that wait to be taken. Write inside a transaction. */
export type QueuedRuns = {
	readonly insert: (columns: QueuedColumns) => Promise<void>;
	/** The number of waiting runs, those of open windows included. */
	readonly count: () => Promise<number>;
	/** Runs behind a position. Rows do not become visible in the order of their numbers, so it goes back a little. */
	readonly behind: (query: QueueQuery) => Promise<QueuePart>;
	/** Takes runs out of the queue; returns the ids of those that were queued. One that another transaction takes at this moment is left to that. An inbox item is no gateway's: somebody at any of them may answer it. */
	readonly leave: (ids: readonly string[], change: RunChange) => Promise<ReadonlySet<string>>;
	/** Returns a run that this gateway took to its former position; false when it is not running, or another's. True again when the write is repeated. */
	readonly comeBack: (id: string, change: Omit<RunChange, 'state'>) => Promise<boolean>;
};

const countRow = z.object({count: z.number()});
const idRow = z.object({id: z.string()});

/** Positions that a scan of the queue goes back. */
const overlap = 256;
/** A window whose run cannot be read: its row goes where runs are, whole. */
const keptRow = z.object({event_id: z.string(), last_at: z.number(), record: z.string()});
const keeping = `
	INSERT INTO runs (id, event_id, changed_at, profile, record, state, reason)
	VALUES ($1::text, $1::text, $2, coalesce((SELECT profile FROM events WHERE id = $1::text), 'default'), $3, 'unreadable', $4)`;
const putRow = z.object({superseded: z.number()});
const dueRow = z.object({dueAt: z.number()});

/** Writes a run that waits; its values are `QueuedColumns`. */
export const insertQueued = `
	INSERT INTO runs (id, event_id, changed_at, profile, job, record, origin, state)
	VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued')
`;

/** The statements of the queue. */
export function createQueuedRuns({query, dialect, owner}: TableAccess): QueuedRuns {
	return {
		async insert(columns) {
			await query(insertQueued, columns);
		},
		async count() {
			return (await readRows(countRow, query(dialect.waitingCount)))[0]?.count ?? 0;
		},
		async behind({after, without, limit}) {
			// Asked before, so that no run comes in between.
			const [{newest} = {newest: 0}] = await readRows(
				newestRow,
				query('SELECT coalesce(max(sequence), 0) AS newest FROM runs'),
			);
			const text = `
				SELECT sequence, record FROM runs WHERE state = 'queued' AND sequence > $1 AND profile <> ALL($2)
				ORDER BY sequence LIMIT $3`;
			const found = query(text, [after - overlap, without, boundedLimit(limit)]);
			const rows = await setAside(query, 'runs', {schema: movedRow, rows: found, state: 'queued'});
			return queuePart(rows, {limit, newest});
		},
		async leave(ids, {state, reason = null, now}) {
			const text = `
				UPDATE runs SET state = $1, reason = $2, changed_at = $3, owner = CASE WHEN $1 <> 'inbox' THEN $5 END
				WHERE ${isOwnerAlive('$5')} AND id IN (
					SELECT id FROM runs WHERE state = 'queued' AND id = ANY($4) FOR UPDATE SKIP LOCKED
				) RETURNING id`;
			return new Set(
				(await readRows(idRow, query(text, [state, reason, now, ids, owner.instanceId]))).map(({id}) => id),
			);
		},
		async comeBack(id, {reason = null, now}) {
			const text = `
				UPDATE runs SET state = 'queued', reason = $1, changed_at = $2, owner = NULL, slot = NULL
				WHERE id = $3 AND (
					state = 'running' AND owner IS NOT DISTINCT FROM $4 OR state = 'queued' AND reason IS NOT DISTINCT FROM $1
				) RETURNING id`;
			return (await query(text, [reason, now, id, owner.instanceId])).length > 0;
		},
	};
}

/** The open coalescing windows, each with the run that its latest event produced (docs/journal.md, Accepted means kept). */
export type WindowTable = {
	/** Opens the window, or replaces its run and counts that as superseded. */
	readonly put: (window: TimedWindow, run: QueuedColumns) => Promise<'opened' | 'replaced'>;
	/** Milliseconds until a window is due; undefined when it is closed. Any gateway may have extended it. */
	readonly dueIn: (window: WindowName, now: number) => Promise<number | undefined>;
	/** Closes the window and returns its run. */
	readonly take: (window: WindowName) => Promise<WaitingRun | undefined>;
	/** Closes the window that this event alone opened; false when there is none. */
	readonly drop: (eventId: string) => Promise<boolean>;
	/** All of them, with times by the clock of this process; the limit of queued runs bounds their number. */
	readonly list: () => Promise<readonly WindowRow[]>;
};

/** The statements of the table. */
export function createWindowTable({query, owner}: Omit<TableAccess, 'dialect'>): WindowTable {
	return {
		async put({route, key, windowSeconds, maxWaitSeconds}, [, eventId, createdAt, , , record]) {
			const text = `
				INSERT INTO windows (route, key, event_id, first_at, last_at, due_at, superseded, record)
				VALUES ($1, $2, $3, $4, $4, $4 + least($6::bigint, $7), 0, $5)
				ON CONFLICT (route, key) DO UPDATE SET event_id = excluded.event_id, last_at = excluded.last_at,
					due_at = least(windows.first_at + $7, excluded.last_at + $6),
					superseded = windows.superseded + 1, record = excluded.record
				RETURNING superseded`;
			const times = [windowSeconds, maxWaitSeconds].map(seconds => Math.round(seconds * 1000));
			const values = [route, key, eventId, createdAt + owner.clockAhead, record, ...times];
			const [written] = await readRows(putRow, query(text, values));
			return written?.superseded === 0 ? 'opened' : 'replaced';
		},
		async take({route, key}) {
			const text = 'DELETE FROM windows WHERE route = $1 AND key = $2 RETURNING event_id, last_at, superseded, record';
			const [row] = await query(text, [route, key]);
			const {data} = takenRow.safeParse(row);
			const {data: kept} = keptRow.safeParse(row);
			await (!data && kept && query(keeping, [kept.event_id, kept.last_at, kept.record, unreadableReason]));
			return data;
		},
		drop: async eventId =>
			(await query('DELETE FROM windows WHERE event_id = $1 AND superseded = 0 RETURNING 1', [eventId])).length > 0,
		async dueIn({route, key}, now) {
			const text = 'SELECT due_at AS "dueAt" FROM windows WHERE route = $1 AND key = $2 FOR UPDATE';
			const [open] = await readRows(dueRow, query(text, [route, key]));
			return open && open.dueAt - now - owner.clockAhead;
		},
		async list() {
			const text = 'SELECT route, key, first_at AS "firstAt", last_at AS "lastAt" FROM windows';
			const open = await readRows(windowRow, query(text));
			return open.map(({firstAt, lastAt, ...window}) => ({
				...window,
				firstAt: firstAt - owner.clockAhead,
				lastAt: lastAt - owner.clockAhead,
			}));
		},
	};
}
