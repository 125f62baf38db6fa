import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {inTransaction} from './database.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type RunChange, type RunRecord, type WindowName, type WindowRow} from './records.ts';
import {isAtPlace, type Places} from './row-place.ts';
import {noEvent, runRecord} from './runs.ts';

/** The queue: runs of the table that wait to be taken. Write inside a group commit. */
export type QueuedRuns = {
	/** `eventPlace`: the row of the run's event. */
	readonly insert: (run: RunRecord, eventPlace: number | undefined) => void;
	/** Oldest first. */
	readonly next: (limit: number) => readonly RunRecord[];
	/** Takes a run out of the queue; false when it was not queued. */
	readonly leave: (id: string, change: RunChange) => boolean;
	/** Returns a run that was taken to its former position; false when it is not running. */
	readonly comeBack: (id: string, change: Omit<RunChange, 'state'>) => boolean;
};

const queuedRow = z.object({record: z.string().transform(jsonColumn).pipe(runRecord)});

/** Prepares the statements of the queue. */
export function createQueuedRuns(
	database: DatabaseSync,
	{waiting, places}: {readonly waiting: WaitingCount; readonly places: Places},
): QueuedRuns {
	const insert = database.prepare(`
		INSERT INTO runs (sequence, id, event, state, changed_at, record) VALUES (?, ?, ?, 'queued', ?, ?)
	`);
	const next = database.prepare(`SELECT record FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT ?`);
	const leave = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE state = 'queued' AND (${isAtPlace})
	`);
	const comeBack = database.prepare(`
		UPDATE runs SET state = 'queued', reason = ?, changed_at = ? WHERE state = 'running' AND (${isAtPlace})
	`);
	return {
		insert(run, eventPlace = noEvent) {
			const {sequence, id} = places.forNew(run.id, run.createdAt);
			insert.run(sequence, id, eventPlace === sequence ? null : eventPlace, run.createdAt, JSON.stringify(run));
			waiting.add(1);
		},
		next: limit => readRows(queuedRow, () => next.all(boundedLimit(limit))).map(({record}) => record),
		leave(id, {state, reason, now: changedAt}) {
			const hasLeft = leave.run(state, reason ?? null, changedAt, ...places.of(id)).changes > 0;
			waiting.add(hasLeft && state !== 'queued' ? -1 : 0);
			return hasLeft;
		},
		comeBack(id, {reason, now: changedAt}) {
			const hasComeBack = comeBack.run(reason ?? null, changedAt, ...places.of(id)).changes > 0;
			waiting.add(hasComeBack ? 1 : 0);
			return hasComeBack;
		},
	};
}

/** The open coalescing windows, each with the run that its latest event produced (docs/webhooks.md, Accepted means kept). */
export type WindowTable = {
	readonly has: (window: WindowName) => boolean;
	/** Opens the window, or replaces its run and counts that as superseded. `eventPlace`: the row of the event. */
	readonly put: (window: WindowName, run: RunRecord, eventPlace: number) => void;
	/** Closes the window and returns its run. */
	readonly take: (window: WindowName) => WaitingRun | undefined;
	/** All of them; the limit of queued runs bounds their number. */
	readonly list: () => readonly WindowRow[];
};

/** The content of a window. */
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

/**
The number of waiting runs: queued ones and open windows. Each event needs it, so it is cached, and read from the tables only when it may have
changed otherwise: at start, after a failed transaction, and when another process wrote (one that claims a job does).
*/
export type WaitingCount = {
	readonly value: () => number;
	/** Called with the difference on each change of the number. */
	readonly add: (change: number) => void;
	/** Runs `work` in a transaction. Rethrows its error; nothing is written or counted then. */
	readonly transaction: <Value>(work: () => Value) => Value;
};

/** Prepares the statements of the count. */
export function createWaitingCount(database: DatabaseSync): WaitingCount {
	const count = database.prepare(`
		SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count
	`);
	const version = database.prepare('PRAGMA data_version');
	let known: number | undefined;
	let knownVersion: unknown;
	/** While a transaction is open nobody else writes, so one check is enough. */
	let isCurrent = false;
	const look = () => {
		const found = version.get()?.['data_version'];
		known = found === knownVersion ? known : undefined;
		knownVersion = found;
		isCurrent = database.isTransaction;
	};

	return {
		value() {
			if (!isCurrent) {
				look();
			}

			known ??= Number(count.get()?.['count']);
			return known;
		},
		add(change) {
			known = known === undefined ? undefined : known + change;
		},
		transaction(work) {
			try {
				return inTransaction(database, work);
			} catch (caught) {
				known = undefined;
				throw caught;
			} finally {
				isCurrent = false;
			}
		},
	};
}
