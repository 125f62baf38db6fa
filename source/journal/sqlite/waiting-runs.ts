import {type DatabaseSync} from 'node:sqlite';
import {type RunChange, type RunRecord, type WindowName, type WindowRow} from '../records.ts';
import {type Writer} from '../rows/node-rows.ts';
import {boundedLimit, readRows, unreadableReason} from '../rows/read-rows.ts';
import {prepareSetAside} from './set-aside.ts';
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

/** The queue: runs of the table that wait to be taken. Write inside a transaction. */
export type QueuedRuns = {
	readonly insert: (columns: QueuedColumns) => void;
	/** The number of waiting runs, those of open windows included. */
	readonly count: () => number;
	/** Oldest first, without those of these profiles. */
	readonly next: (limit: number, without?: readonly string[]) => readonly RunRecord[];
	/** Those behind a position. */
	readonly behind: (query: QueueQuery) => QueuePart;
	/** Takes a run out of the queue; false when it was not queued. An inbox item is no gateway's: somebody at any of them may answer it. */
	readonly leave: (id: string, change: RunChange) => boolean;
	/** Returns a run that this gateway took to its former position; false when it is not running, or another's. True again when the write is repeated. */
	readonly comeBack: (id: string, change: Omit<RunChange, 'state'>) => boolean;
};

/** Prepares the statements of the queue. */
export function createQueuedRuns(database: DatabaseSync, writer: Writer): QueuedRuns {
	const insert = database.prepare(`
		INSERT INTO runs (id, event_id, changed_at, profile, job, record, state) VALUES (?, ?, ?, ?, ?, ?, 'queued')
	`);
	const count = database.prepare('SELECT count FROM waiting');
	const next = database.prepare(`
		SELECT sequence, record FROM runs WHERE state = 'queued' AND profile NOT IN (SELECT value FROM json_each(?))
		ORDER BY sequence LIMIT ?
	`);
	const behind = database.prepare(`
		SELECT sequence, record FROM runs
		WHERE state = 'queued' AND sequence > ? AND profile NOT IN (SELECT value FROM json_each(?)) ORDER BY sequence LIMIT ?
	`);
	const newest = database.prepare('SELECT coalesce(max(sequence), 0) AS newest FROM runs');
	const leave = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ?, owner = ? WHERE state = 'queued' AND id = ?
	`);
	const comeBack = database.prepare(`
		UPDATE runs SET state = 'queued', reason = ?1, changed_at = ?2, owner = NULL
		WHERE id = ?3 AND (state = 'running' AND owner IS ?4 OR state = 'queued' AND reason IS ?1)
	`);
	const setAside = prepareSetAside(database, 'runs');
	return {
		insert: columns => void insert.run(...columns),
		count: () => Number(count.get()?.['count']),
		next(limit, without = []) {
			const read = () => next.all(JSON.stringify(without), boundedLimit(limit));
			let found = read();
			let rows = setAside(movedRow, found, 'queued');
			// Rows that were set aside are in nobody's way any more.
			while (rows.length === 0 && found.length > 0) {
				found = read();
				rows = setAside(movedRow, found, 'queued');
			}

			return rows.map(({record}) => record);
		},
		behind({after, without, limit}) {
			const rows = setAside(movedRow, behind.all(after, JSON.stringify(without), boundedLimit(limit)), 'queued');
			return queuePart(rows, {limit, newest: readRows(newestRow, () => newest.all())[0]?.newest ?? 0});
		},
		leave: (id, {state, reason, now: changedAt}) =>
			leave.run(state, reason ?? null, changedAt, state === 'inbox' ? null : writer.incarnation, id).changes > 0,
		comeBack: (id, {reason, now: changedAt}) =>
			comeBack.run(reason ?? null, changedAt, id, writer.incarnation).changes > 0,
	};
}

/** The open coalescing windows, each with the run that its latest event produced (docs/webhooks.md, Accepted means kept). */
export type WindowTable = {
	readonly has: (window: WindowName) => boolean;
	/** Opens the window, or replaces its run and counts that as superseded. */
	readonly put: (window: WindowName, run: QueuedColumns) => void;
	/** Closes the window and returns its run. */
	readonly take: (window: WindowName) => WaitingRun | undefined;
	/** Closes the window that this event alone opened; false when there is none. */
	readonly drop: (eventId: string) => boolean;
	/** All of them; the limit of queued runs bounds their number. */
	readonly list: () => readonly WindowRow[];
};

/** Prepares the statements of the table. */
export function createWindowTable(database: DatabaseSync): WindowTable {
	const has = database.prepare('SELECT 1 FROM windows WHERE route = ? AND key = ?');
	const put = database.prepare(`
		INSERT INTO windows (route, key, event_id, first_at, last_at, superseded, record) VALUES (?, ?, ?, ?, ?, 0, ?)
		ON CONFLICT (route, key) DO UPDATE SET
			event_id = excluded.event_id, last_at = excluded.last_at, superseded = superseded + 1, record = excluded.record
	`);
	const take = database.prepare(
		'DELETE FROM windows WHERE route = ? AND key = ? RETURNING event_id, last_at, superseded, record',
	);
	const keep = database.prepare(`
		INSERT INTO runs (id, event_id, changed_at, profile, record, state, reason)
		VALUES (?1, ?1, ?2, coalesce((SELECT profile FROM events WHERE id = ?1), 'default'), ?3, 'unreadable', ?4)
	`);
	const drop = database.prepare('DELETE FROM windows WHERE event_id = ? AND superseded = 0');
	const list = database.prepare('SELECT route, key, first_at AS firstAt, last_at AS lastAt FROM windows');
	return {
		has: ({route, key}) => has.get(route, key) !== undefined,
		put: ({route, key}, [, eventId, createdAt, , , record]) =>
			void put.run(route, key, eventId, createdAt, createdAt, record),
		take({route, key}) {
			const [row] = take.all(route, key);
			const {data} = takenRow.safeParse(row);
			if (row && !data) {
				keep.run(row['event_id'] ?? null, row['last_at'] ?? null, row['record'] ?? null, unreadableReason);
			}

			return data;
		},
		drop: eventId => drop.run(eventId).changes > 0,
		list: () => readRows(windowRow, () => list.all()),
	};
}
