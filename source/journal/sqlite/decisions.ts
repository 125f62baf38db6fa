import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type ApprovalOutcomeName, approvalScopes} from '../../state/approval-event.ts';
import {type Origin} from '../../state/origin.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {boundedLimit, jsonColumn, readRows, smallRecord} from './read-rows.ts';
import {type DecisionRecord} from '../records.ts';

/** The outcomes of an approval, for a schema. */
export const approvalOutcomes = {
	approved: 'approved',
	denied: 'denied',
	timed_out: 'timed_out',
	no_channel: 'no_channel',
	cancelled: 'cancelled',
} as const satisfies {[Name in ApprovalOutcomeName]: Name};

/** Where a call or a request came from, inside of a record. */
export const originColumn: z.ZodType<Origin> = z.discriminatedUnion('kind', [
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
	z.object({kind: z.literal('dashboard'), by: z.string().optional()}),
]);

/** When a decision was made, and asked for where a person was asked, in milliseconds since the epoch. */
export type DecisionTime = {readonly id: string; readonly time: number; readonly requestedAt: number | null};

/** The table of approval decisions. Write inside a transaction. */
export type DecisionTable = {
	readonly insert: (columns: DecisionColumns) => void;
	/** Newest first. */
	readonly list: (query: {readonly limit: number}) => readonly DecisionRecord[];
	readonly find: (id: string) => DecisionRecord | undefined;
	/** The decision about a call; the latest, if there are several. */
	readonly ofCall: (callId: string) => DecisionRecord | undefined;
	/** The decisions about calls and requests of a run, oldest first. */
	readonly ofRun: (runId: string, limit: number) => readonly DecisionRecord[];
	/** When the decisions about a run were asked for and made, oldest first. */
	readonly timesOfRun: (runId: string) => readonly DecisionTime[];
	/** The decisions of these ids; large arguments are left out. */
	readonly withIds: (ids: readonly string[]) => readonly DecisionRecord[];
};

const decisionRecord: z.ZodType<DecisionRecord> = z.object({
	id: z.string(),
	callId: z.string().optional(),
	time: z.number(),
	profile: z.string(),
	server: z.string(),
	tool: z.string(),
	argumentsHash: z.string(),
	outcome: z.enum(approvalOutcomes),
	scope: z.enum(approvalScopes).optional(),
	by: z.string().optional(),
	message: z.string().optional(),
	requestedAt: z.number().optional(),
	origin: originColumn.optional(),
	arguments: z.custom<JsonObject>(isJsonObject).optional(),
});

const decisionTime: z.ZodType<DecisionTime> = z.object({
	id: z.string(),
	time: z.number(),
	requestedAt: z.number().nullable(),
});

const decisionRow = z.object({record: z.string().transform(jsonColumn).pipe(decisionRecord)});

/** The columns of a decision, in the order in which they are bound. */
export type DecisionColumns = readonly [
	id: string,
	time: number,
	callId: string | null,
	run: string | null,
	record: string,
];

/** Made where the decision is: flat values cross to the journal's thread sooner than the record. */
export function decisionColumns(decision: DecisionRecord): DecisionColumns {
	const {id, time, callId = null, origin} = decision;
	return [id, time, callId, origin?.kind === 'run' ? origin.runId : null, JSON.stringify(decision)];
}

/** Prepares the statements of the table. */
export function createDecisionTable(database: DatabaseSync): DecisionTable {
	const insert = database.prepare('INSERT INTO decisions (id, time, call, run, record) VALUES (?, ?, ?, ?, ?)');
	const list = database.prepare('SELECT record FROM decisions ORDER BY sequence DESC LIMIT ?');
	const find = database.prepare('SELECT record FROM decisions WHERE id = ? ORDER BY sequence DESC LIMIT 1');
	const ofCall = database.prepare('SELECT record FROM decisions WHERE call = ? ORDER BY sequence DESC LIMIT 1');
	const ofRun = database.prepare('SELECT record FROM decisions WHERE run = ? ORDER BY sequence LIMIT ?');
	const timesOfRun = database.prepare(`
		SELECT id, time, json_extract(record, '$.requestedAt') AS requestedAt FROM decisions
		WHERE run = ? ORDER BY sequence LIMIT 10000
	`);
	const withIds = database.prepare(`
		SELECT ${smallRecord} FROM decisions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sequence
	`);
	const read = (rows: () => readonly unknown[]) => readRows(decisionRow, rows).map(({record}) => record);
	return {
		insert: columns => void insert.run(...columns),
		list: ({limit}) => read(() => list.all(boundedLimit(limit))),
		find: id => read(() => find.all(id))[0],
		ofCall: callId => read(() => ofCall.all(callId))[0],
		ofRun: (runId, limit) => read(() => ofRun.all(runId, boundedLimit(limit))),
		timesOfRun: runId => readRows(decisionTime, () => timesOfRun.all(runId)),
		withIds: ids => read(() => withIds.all(JSON.stringify(ids))),
	};
}
