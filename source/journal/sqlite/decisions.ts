import {type DatabaseSync} from 'node:sqlite';
import {type DecisionRow} from '../records.ts';
import {decisionRow, type DecisionTime, decisionTime} from '../rows/decision-rows.ts';
import {type DecisionColumns} from '../rows/columns.ts';
import {boundedLimit, readRows, type UnreadableRows} from '../rows/read-rows.ts';

/** The table of approval decisions. Write inside a transaction. */
export type DecisionTable = {
	readonly insert: (columns: DecisionColumns) => void;
	/** Newest first. */
	readonly list: (query: {readonly limit: number}) => readonly DecisionRow[];
	readonly find: (id: string) => DecisionRow | undefined;
	/** The decision about a call; the latest, if there are several. */
	readonly ofCall: (callId: string) => DecisionRow | undefined;
	/** The decisions about calls and requests of a run, oldest first. */
	readonly ofRun: (runId: string, limit: number) => readonly DecisionRow[];
	/** When the decisions about a run were asked for and made, oldest first. */
	readonly timesOfRun: (runId: string) => readonly DecisionTime[];
	/** The decisions of these ids; large arguments are left out. */
	readonly withIds: (ids: readonly string[]) => readonly DecisionRow[];
};

/** The record of a row that is one of many: without arguments, where they are large. */
export const smallRecord =
	"CASE WHEN length(record) > 10000 THEN json_set(record, '$.arguments', json('{}')) ELSE record END AS record";

/** Prepares the statements of the table. */
export function createDecisionTable(database: DatabaseSync, unreadable: UnreadableRows): DecisionTable {
	const insert = database.prepare(
		'INSERT INTO decisions (id, time, call, run, requested_at, record) VALUES (?, ?, ?, ?, ?, ?)',
	);
	const list = database.prepare('SELECT id, record FROM decisions ORDER BY sequence DESC LIMIT ?');
	const find = database.prepare('SELECT id, record FROM decisions WHERE id = ? ORDER BY sequence DESC LIMIT 1');
	const ofCall = database.prepare('SELECT id, record FROM decisions WHERE call = ? ORDER BY sequence DESC LIMIT 1');
	const ofRun = database.prepare('SELECT id, record FROM decisions WHERE run = ? ORDER BY sequence LIMIT ?');
	const timesOfRun = database.prepare(`
		SELECT id, time, requested_at AS requestedAt FROM decisions
		WHERE run = ? ORDER BY sequence LIMIT 10000
	`);
	const withIds = database.prepare(`
		SELECT id, ${smallRecord} FROM decisions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sequence
	`);
	const read = (rows: () => readonly unknown[]) => readRows(decisionRow, rows, unreadable.of('decisions'));
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
