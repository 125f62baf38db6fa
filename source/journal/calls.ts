import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type ApprovalOutcomeName, type ApprovalScope, type CallOutcome} from '../state/approval-event.ts';
import {type Origin} from '../state/origin.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {type ProblemCode, problemCodes} from '../util/problem-codes.ts';
import {boundedLimit, jsonColumn, readRows} from './read-rows.ts';
import {
	type CallEnd,
	type CallRecord,
	type CallRow,
	type DecisionRecord,
	type UncertainQuery,
	type UncertainResolution,
} from './records.ts';

/** The table of tool calls. Write inside a group commit. */
export type CallTable = {
	readonly start: (call: CallRecord) => void;
	readonly finish: (id: string, end: CallEnd) => void;
	/** Calls with an unknown outcome, oldest first: their connection was lost, or an earlier process started them and never recorded an end. */
	readonly listUncertain: (query: UncertainQuery) => readonly CallRow[];
	/** Stores how a person resolved such a call. False when it is already resolved or does not exist. */
	readonly resolve: (id: string, resolution: UncertainResolution) => boolean;
	/** Newest first. */
	readonly list: (query: {readonly limit: number}) => readonly CallRow[];
};

/** The outcomes of an approval, for a schema. */
const approvalOutcomes = {
	approved: 'approved',
	denied: 'denied',
	timed_out: 'timed_out',
	no_channel: 'no_channel',
	cancelled: 'cancelled',
} as const satisfies {[Name in ApprovalOutcomeName]: Name};

const callOutcome = z.enum({
	ok: 'ok',
	tool_error: 'tool_error',
	failed: 'failed',
	outcome_uncertain: 'outcome_uncertain',
	...approvalOutcomes,
} as const satisfies {[Name in CallOutcome]: Name});

const problemCode = z.custom<ProblemCode>(code => typeof code === 'string' && Object.hasOwn(problemCodes, code));

const origin: z.ZodType<Origin> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('command-line')}),
	z.object({kind: z.literal('endpoint'), client: z.string()}),
	z.object({kind: z.literal('demo'), client: z.string()}),
	z.object({
		kind: z.literal('run'),
		runId: z.string(),
		route: z.string(),
		deliveryId: z.string(),
		job: z.string().optional(),
		signature: z.string().optional(),
	}),
	z.object({kind: z.literal('dashboard')}),
]);

const callRecord: z.ZodType<CallRecord> = z.object({
	id: z.string(),
	time: z.number(),
	profile: z.string(),
	server: z.string(),
	tool: z.string(),
	arguments: z.custom<JsonObject>(isJsonObject),
	origin,
	readOnly: z.literal(true).optional(),
});

const callRow = z
	.object({
		record: z.string().transform(jsonColumn).pipe(callRecord),
		outcome: callOutcome.nullable(),
		code: problemCode.nullable(),
		ms: z.number().nullable(),
	})
	.transform(
		({record, outcome, code, ms}): CallRow =>
			outcome === null ? record : {...record, end: {outcome, ...(code && {code}), ms: ms ?? 0}},
	);

/** Calls without an end are searched among the newest only: an index for them would cost every call a page write. */
const recentCalls = 10_000;

/** Prepares the statements of the table. */
export function createCallTable(database: DatabaseSync): CallTable {
	const start = database.prepare('INSERT INTO calls (id, time, record) VALUES (?, ?, ?)');
	const finish = database.prepare('UPDATE calls SET outcome = ?, code = ?, ms = ? WHERE id = ?');
	const list = database.prepare('SELECT record, outcome, code, ms FROM calls ORDER BY sequence DESC LIMIT ?');
	const uncertain = database.prepare(`
		SELECT record, outcome, code, ms FROM (
			SELECT sequence, record, outcome, code, ms FROM calls WHERE outcome = 'outcome_uncertain' AND resolution IS NULL
			UNION ALL
			SELECT sequence, record, outcome, code, ms FROM calls 
			WHERE sequence > (SELECT max(sequence) FROM calls) - ${recentCalls}
				AND outcome IS NULL AND resolution IS NULL AND time < ?
		)
		WHERE json_extract(record, '$.profile') = ? AND json_extract(record, '$.readOnly') IS NULL
		ORDER BY sequence DESC LIMIT ?`);
	const resolve = database.prepare('UPDATE calls SET resolution = ? WHERE id = ? AND resolution IS NULL');
	return {
		listUncertain: ({profile, begunBefore, limit}) =>
			readRows(callRow, () => uncertain.all(begunBefore, profile, boundedLimit(limit))).reverse(),
		resolve: (id, resolution) => resolve.run(resolution, id).changes > 0,
		start: call => void start.run(call.id, call.time, JSON.stringify(call)),
		finish: (id, end) => void finish.run(end.outcome, end.code ?? null, end.ms, id),
		list: ({limit}) => readRows(callRow, () => list.all(boundedLimit(limit))),
	};
}

/** The table of approval decisions. Write inside a group commit. */
export type DecisionTable = {
	readonly insert: (decision: DecisionRecord) => void;
	/** Newest first. */
	readonly list: (query: {readonly limit: number}) => readonly DecisionRecord[];
};

const decisionRecord: z.ZodType<DecisionRecord> = z.object({
	id: z.string(),
	time: z.number(),
	profile: z.string(),
	server: z.string(),
	tool: z.string(),
	argumentsHash: z.string(),
	outcome: z.enum(approvalOutcomes),
	scope: z
		.enum({once: 'once', session: 'session', always: 'always'} as const satisfies {[Name in ApprovalScope]: Name})
		.optional(),
	by: z.string().optional(),
	message: z.string().optional(),
});

const decisionRow = z.object({record: z.string().transform(jsonColumn).pipe(decisionRecord)});

/** Prepares the statements of the table. */
export function createDecisionTable(database: DatabaseSync): DecisionTable {
	const insert = database.prepare('INSERT INTO decisions (id, time, record) VALUES (?, ?, ?)');
	const list = database.prepare('SELECT record FROM decisions ORDER BY sequence DESC LIMIT ?');
	return {
		insert: decision => void insert.run(decision.id, decision.time, JSON.stringify(decision)),
		list: ({limit}) => readRows(decisionRow, () => list.all(boundedLimit(limit))).map(row => row.record),
	};
}
