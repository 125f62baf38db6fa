import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type RunStatus} from '../state/run-event.ts';
import {type JsonObject, isJsonObject} from '../util/json-text.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type RunEnd, type RunRecord, type RunResult, type RunRow} from './records.ts';

/** Where a run goes, and when. */
export type RunChange = {readonly state: RunStatus; readonly reason?: string; readonly now: number};

/** The table of runs. Writes belong into a group commit. */
export type RunTable = {
	readonly insert: (run: RunRecord) => void;
	/** Queued runs and open windows together. */
	readonly countWaiting: () => number;
	/** Moves a queued run on, the oldest unless one is named, and answers it. */
	readonly take: (change: RunChange & {readonly id?: string}) => RunRecord | undefined;
	/** Oldest first. */
	readonly nextQueued: (limit: number) => readonly RunRecord[];
	readonly setState: (id: string, change: RunChange) => void;
	readonly finish: (id: string, end: RunEnd, now: number) => void;
	/** Moves every run of state `from`; answers them, oldest first. */
	readonly moveAll: (from: RunStatus, change: RunChange) => readonly RunRecord[];
	/** Newest first. */
	readonly list: (query: {readonly states?: readonly RunStatus[]; readonly limit: number}) => readonly RunRow[];
	readonly find: (id: string) => RunRow | undefined;
	/** The runs an event led to, newest first. */
	readonly ofEvent: (eventId: string) => readonly RunRow[];
	readonly findConversation: (id: string) => string | undefined;
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
	signature: z.string().optional(),
	job: z.string().optional(),
	prompt: z.string(),
	deliver: z.string(),
	deliverExtra: z.custom<JsonObject>(isJsonObject),
	skills: z.array(z.string()),
	toolsets: z.array(z.string()).optional(),
	foreign: z.array(z.tuple([z.number(), z.number()])).optional(),
	conversation: z.string().optional(),
	createdAt: z.number(),
});

const runResult: z.ZodType<RunResult> = z.object({
	model: z.string().optional(),
	usage: z.object({inputTokens: z.number(), outputTokens: z.number()}).optional(),
	answer: z.string().optional(),
});

const runRow = z
	.object({
		state: runStatus,
		reason: z
			.string()
			.nullable()
			.transform(reason => reason ?? undefined),
		changedAt: z.number(),
		result: z
			.string()
			.nullable()
			.transform(text => (text === null ? undefined : jsonColumn(text)))
			.pipe(runResult.optional()),
		record: z.string().transform(jsonColumn).pipe(runRecord),
	})
	.transform(({record, ...rest}): RunRow => ({...record, ...rest}));

const takenRow = z.object({sequence: z.number(), record: z.string().transform(jsonColumn).pipe(runRecord)});

const conversationRow = z.object({conversation: z.string().nullable()});

/** Opens the table of a migrated database. */
export function createRunTable(database: DatabaseSync): RunTable {
	const insert = database.prepare(`
		INSERT INTO runs (id, event_id, state, changed_at, record) VALUES (?, ?, 'queued', ?, ?)
	`);
	const count = database.prepare('SELECT count FROM waiting');
	const take = database.prepare(`
		UPDATE runs SET state = ?1, reason = ?2, changed_at = ?3
		WHERE sequence = (
			SELECT sequence FROM runs WHERE state = 'queued' AND (?4 IS NULL OR id = ?4) ORDER BY sequence LIMIT 1
		)
		RETURNING sequence, record
	`);
	const setState = database.prepare('UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE id = ?');
	const move = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE state = ? RETURNING sequence, record
	`);
	const finish = database.prepare(
		'UPDATE runs SET state = ?, reason = ?, changed_at = ?, result = ?, conversation = ? WHERE id = ?',
	);
	const columns = 'state, reason, changed_at AS changedAt, result, record';
	const list = database.prepare(`
		SELECT ${columns} FROM runs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC LIMIT ?
	`);
	const find = database.prepare(`SELECT ${columns} FROM runs WHERE id = ?`);
	const ofEvent = database.prepare(`SELECT ${columns} FROM runs WHERE event_id = ? ORDER BY sequence DESC LIMIT 10`);
	const next = database.prepare(`
		SELECT sequence, record FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT ?
	`);
	const conversation = database.prepare('SELECT conversation FROM runs WHERE id = ?');
	return {
		insert: run => void insert.run(run.id, run.eventId, run.createdAt, JSON.stringify(run)),
		// Asked at every event; the one column of a table of ours needs no schema.
		countWaiting: () => Number(count.get()?.['count'] ?? 0),
		take: ({state, reason, now, id}) =>
			readRows(takenRow, () => take.all(state, reason ?? null, now, id ?? null))[0]?.record,
		nextQueued: limit => readRows(takenRow, () => next.all(boundedLimit(limit))).map(row => row.record),
		setState: (id, {state, reason, now}) => void setState.run(state, reason ?? null, now, id),
		finish: (id, end, now) => {
			const {state, reason = null, result, conversation: text = null} = end;
			finish.run(state, reason, now, JSON.stringify(result), text, id);
		},
		moveAll: (from, {state, reason, now}) =>
			readRows(takenRow, () => move.all(state, reason ?? null, now, from))
				.sort((first, second) => first.sequence - second.sequence)
				.map(row => row.record),
		list: ({states = runStatus.options, limit}) =>
			readRows(runRow, () => list.all(JSON.stringify(states), boundedLimit(limit))),
		find: id => readRows(runRow, () => find.all(id))[0],
		ofEvent: eventId => readRows(runRow, () => ofEvent.all(eventId)),
		findConversation: id => readRows(conversationRow, () => conversation.all(id))[0]?.conversation ?? undefined,
	};
}
