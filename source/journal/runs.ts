import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type RunStatus} from '../state/work-event.ts';
import {type JsonObject, isJsonObject} from '../util/json-text.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {type RunChange, type RunEnd, type RunRecord, type RunResult, type RunRow} from './records.ts';
import {type PlaceKey, type Places, isAtPlace} from './row-place.ts';

/** The table of runs, beside its queue. Write inside a group commit. */
export type RunTable = {
	readonly setState: (id: string, change: RunChange) => void;
	readonly finish: (id: string, end: RunEnd, now: number) => void;
	/** Moves every run of state `from`; returns them, oldest first. */
	readonly moveAll: (from: RunStatus, change: RunChange) => readonly RunRecord[];
	/** Newest first. */
	readonly list: (query: {readonly states?: readonly RunStatus[]; readonly limit: number}) => readonly RunRow[];
	readonly find: (id: string) => RunRow | undefined;
	/** The runs of the event at this place, newest first. */
	readonly ofEvent: (eventPlace: number) => readonly RunRow[];
	readonly findConversation: (id: string) => string | undefined;
};

/** The column that holds the state of a run. */
export const runStatus = z.enum({
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

const movedRow = z.object({sequence: z.number(), record: z.string().transform(jsonColumn).pipe(runRecord)});

const conversationRow = z.object({conversation: z.string().nullable()});

/** The column `event` of a run without an event. Null means an event at the run's own place, which is the usual case. */
export const noEvent = 0;

/** Prepares the statements of the table. `countWaiting` is called with each change of the number of queued runs. */
export function createRunTable(
	database: DatabaseSync,
	{places, countWaiting}: {readonly places: Places; readonly countWaiting: (change: number) => void},
): RunTable {
	const isQueued = database.prepare(`SELECT 1 FROM runs WHERE state = 'queued' AND (${isAtPlace})`);
	const setState = database.prepare(`UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE ${isAtPlace}`);
	const move = database.prepare(`
		UPDATE runs SET state = ?, reason = ?, changed_at = ? WHERE state = ? RETURNING sequence, record
	`);
	const finish = database.prepare(
		`UPDATE runs SET state = ?, reason = ?, changed_at = ?, result = ?, conversation = ? WHERE ${isAtPlace}`,
	);
	const columns = 'state, reason, changed_at AS changedAt, result, record';
	const list = database.prepare(`
		SELECT ${columns} FROM runs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY sequence DESC LIMIT ?
	`);
	const find = database.prepare(`SELECT ${columns} FROM runs WHERE ${isAtPlace}`);
	const ofEvent = database.prepare(`
		SELECT ${columns} FROM runs WHERE (event = ?1 AND event <> ${noEvent}) OR (sequence = ?1 AND event IS NULL)
		ORDER BY sequence DESC LIMIT 10
	`);
	const conversation = database.prepare(`SELECT conversation FROM runs WHERE ${isAtPlace}`);
	/** Updates the row of a run, and the count when the run enters or leaves the queue. */
	const change = (id: string, state: RunStatus, update: (key: PlaceKey) => {changes: number | bigint}) => {
		const key = places.of(id);
		const before = isQueued.get(...key) === undefined ? 0 : 1;
		const {changes} = update(key);
		countWaiting((state === 'queued' ? Number(changes) : 0) - before);
	};

	return {
		setState(id, {state, reason, now: changedAt}) {
			change(id, state, key => setState.run(state, reason ?? null, changedAt, ...key));
		},
		finish(id, end, changedAt) {
			const {state, reason = null, result, conversation: text = null} = end;
			change(id, state, key => finish.run(state, reason, changedAt, JSON.stringify(result), text, ...key));
		},
		moveAll(from, {state, reason, now: changedAt}) {
			const moved = readRows(movedRow, () => move.all(state, reason ?? null, changedAt, from));
			countWaiting(((state === 'queued' ? 1 : 0) - (from === 'queued' ? 1 : 0)) * moved.length);
			return moved.sort((first, second) => first.sequence - second.sequence).map(row => row.record);
		},
		list: ({states = runStatus.options, limit}) =>
			readRows(runRow, () => list.all(JSON.stringify(states), boundedLimit(limit))),
		find: id => readRows(runRow, () => find.all(...places.of(id)))[0],
		ofEvent: eventPlace => readRows(runRow, () => ofEvent.all(eventPlace)),
		findConversation: id =>
			readRows(conversationRow, () => conversation.all(...places.of(id)))[0]?.conversation ?? undefined,
	};
}
