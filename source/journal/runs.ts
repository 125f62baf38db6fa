import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type RunStatus} from '../state/run-event.ts';
import {type JsonObject, isJsonObject} from '../util/json-text.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type RunRecord, type RunRow} from './records.ts';

/** Where a run goes, and when. */
export type RunChange = {readonly state: RunStatus; readonly reason?: string; readonly now: number};

/** The table of runs. Writes belong into a group commit. */
export type RunTable = {
	readonly insert: (run: RunRecord) => void;
	/** Queued runs and open windows together. */
	readonly countWaiting: () => number;
	/** Moves the oldest queued run on and answers it. */
	readonly takeOldest: (change: RunChange) => RunRecord | undefined;
	readonly setState: (id: string, change: RunChange) => void;
	/** Moves every run of state `from`; answers them, oldest first. */
	readonly moveAll: (from: RunStatus, change: RunChange) => readonly RunRecord[];
	/** Newest first. */
	readonly list: (query: {readonly states?: readonly RunStatus[]; readonly limit: number}) => readonly RunRow[];
	readonly find: (id: string) => RunRow | undefined;
	/** The runs an event led to, newest first. */
	readonly ofEvent: (eventId: string) => readonly RunRow[];
};

const runStatus = z.enum({
	queued: 'queued',
	running: 'running',
	inbox: 'inbox',
	finished: 'finished',
	failed: 'failed',
	cancelled: 'cancelled',
	interrupted: 'interrupted',
} as const satisfies {[Name in RunStatus]: Name});

/** The column that holds a run. */
export const runRecord: z.ZodType<RunRecord> = z.object({
	id: z.string(),
	eventId: z.string(),
	profile: z.string(),
	route: z.string(),
	event: z.string(),
	deliveryId: z.string(),
	job: z.string().optional(),
	prompt: z.string(),
	deliver: z.string(),
	deliverExtra: z.custom<JsonObject>(isJsonObject),
	skills: z.array(z.string()),
	toolsets: z.array(z.string()).optional(),
	createdAt: z.number(),
});

const runRow = z
	.object({
		state: runStatus,
		reason: z
			.string()
			.nullable()
			.transform(reason => reason ?? undefined),
		changedAt: z.number(),
		record: z.string().transform(jsonColumn).pipe(runRecord),
	})
	.transform(({record, ...rest}): RunRow => ({...record, ...rest}));

const takenRow = z.object({sequence: z.number(), record: z.string().transform(jsonColumn).pipe(runRecord)});

const countRow = z.object({count: z.number()});

/** Opens the table of a migrated database. */
export function createRunTable(database: DatabaseSync): RunTable {
	const insert = database.prepare(`
		INSERT INTO runs (id, event_id, state, changed_at, record) VALUES (?, ?, 'queued', ?, ?)
	`);
	const count = database.prepare('SELECT count FROM waiting');
	const take = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ?
		WHERE sequence = (SELECT sequence FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT 1)
		RETURNING sequence, record
	`);
	const setState = database.prepare('UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE id = ?');
	const move = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE state = ? RETURNING sequence, record
	`);
	const columns = 'state, reason, changed_at AS changedAt, record';
	const list = database.prepare(`
		SELECT ${columns} FROM runs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC LIMIT ?
	`);
	const find = database.prepare(`SELECT ${columns} FROM runs WHERE id = ?`);
	const ofEvent = database.prepare(`SELECT ${columns} FROM runs WHERE event_id = ? ORDER BY sequence DESC LIMIT 10`);
	return {
		insert: run => void insert.run(run.id, run.eventId, run.createdAt, JSON.stringify(run)),
		countWaiting: () => readRows(countRow, () => count.all())[0]?.count ?? 0,
		takeOldest: ({state, reason, now}) => readRows(takenRow, () => take.all(state, reason ?? null, now))[0]?.record,
		setState: (id, {state, reason, now}) => void setState.run(state, reason ?? null, now, id),
		moveAll: (from, {state, reason, now}) =>
			readRows(takenRow, () => move.all(state, reason ?? null, now, from))
				.sort((first, second) => first.sequence - second.sequence)
				.map(row => row.record),
		list: ({states = runStatus.options, limit}) =>
			readRows(runRow, () => list.all(JSON.stringify(states), boundedLimit(limit))),
		find: id => readRows(runRow, () => find.all(id))[0],
		ofEvent: eventId => readRows(runRow, () => ofEvent.all(eventId)),
	};
}
