import {type DecisionRow} from '../rows/records.ts';
import {decisionRow, type DecisionTime, decisionTime} from '../rows/decision-rows.ts';
import {type DecisionColumns} from '../rows/columns.ts';
import {boundedLimit, type UnreadableRows} from '../rows/read-rows.ts';
import {type JsonObject, parseJson} from '../../util/json-text.ts';
import {readRows, type TableAccess} from './query.ts';

/** The table of approval decisions. Write inside a transaction. */
export type DecisionTable = {
	readonly insert: (columns: DecisionColumns) => Promise<void>;
	/** Newest first. */
	readonly list: (query: {readonly limit: number}) => Promise<readonly DecisionRow[]>;
	readonly find: (id: string) => Promise<DecisionRow | undefined>;
	/** The decision about a call; the latest, if there are several. */
	readonly ofCall: (callId: string) => Promise<DecisionRow | undefined>;
	/** The decisions about calls and requests of a run, oldest first. */
	readonly ofRun: (runId: string, limit: number) => Promise<readonly DecisionRow[]>;
	/** When the decisions about a run were asked for and made, oldest first. */
	readonly timesOfRun: (runId: string) => Promise<readonly DecisionTime[]>;
	/** The decisions of these ids; large arguments are left out. */
	readonly withIds: (ids: readonly string[]) => Promise<readonly DecisionRow[]>;
};

const largeCharacters = 10_000;

/** The record of a row that is one of many: without arguments, where they are large; null where the record itself is small enough. PostgreSQL could not take them out: its functions refuse some JSON (`schemaText`). */
export function smallRecord(record: string): string | null {
	return record.length > largeCharacters ? JSON.stringify({...(parseJson(record) as JsonObject), arguments: {}}) : null;
}

/** The statements of the table. */
export function createDecisionTable({query, dialect, owner}: TableAccess, unreadable: UnreadableRows): DecisionTable {
	const leaveOut = unreadable.of('decisions');
	const read = (rest: string, values: readonly unknown[], record = 'record') =>
		readRows(decisionRow, query(`SELECT id, ${record}, ${dialect.nodeName} FROM decisions ${rest}`, values), leaveOut);

	return {
		async insert(columns) {
			const record = columns[5];
			await query(
				'INSERT INTO decisions (id, time, call, run, requested_at, record, small_record, owner) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
				[...columns, smallRecord(record), owner.instanceId],
			);
		},
		list: ({limit}) => read('ORDER BY sequence DESC LIMIT $1', [boundedLimit(limit)]),
		find: async id => (await read('WHERE id = $1 ORDER BY sequence DESC LIMIT 1', [id]))[0],
		ofCall: async callId => (await read('WHERE call = $1 ORDER BY sequence DESC LIMIT 1', [callId]))[0],
		ofRun: (runId, limit) => read('WHERE run = $1 ORDER BY sequence LIMIT $2', [runId, boundedLimit(limit)]),
		timesOfRun: runId =>
			readRows(
				decisionTime,
				query(
					'SELECT id, time, requested_at AS "requestedAt" FROM decisions WHERE run = $1 ORDER BY sequence LIMIT 10000',
					[runId],
				),
			),
		withIds: ids =>
			read('WHERE id = ANY($1::text[]) ORDER BY sequence', [ids], 'coalesce(small_record, record) AS record'),
	};
}
