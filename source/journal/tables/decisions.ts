import {type DecisionRow} from '../rows/records.ts';
import {type AskedRow} from '../../state/view-event.ts';
import {askedCount, type AskedQuery} from '../rows/asker-rows.ts';
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
	/** The requests that persons decided, by asker and tool, most first. */
	readonly countAsked: (query: AskedQuery) => Promise<readonly AskedRow[]>;
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

/** Decisions that are counted, and pairs of askers and tools that are listed. */
const countedDecisions = 10_000;
const maxPairs = 1000;

const counting = `
	SELECT asker, server, tool, count(*) AS asked, count(*) FILTER (WHERE outcome = 'approved') AS allowed,
		count(*) FILTER (WHERE outcome = 'denied') AS denied, max(time) AS "lastAt",
		max(call COLLATE "C") FILTER (WHERE outcome = 'approved') AS "callId"
	FROM decisions
	WHERE sequence > (SELECT max(sequence) FROM decisions) - ${countedDecisions}
		AND requested_at IS NOT NULL AND asker IS NOT NULL AND profile = $1
	GROUP BY asker, server, tool
	ORDER BY asked DESC, asker COLLATE "C", server COLLATE "C", tool COLLATE "C" LIMIT ${maxPairs}
`;

/** The statements of the table. */
export function createDecisionTable({query, dialect, owner}: TableAccess, unreadable: UnreadableRows): DecisionTable {
	const leaveOut = unreadable.of('decisions');
	const read = (rest: string, values: readonly unknown[], record = 'record') =>
		readRows(decisionRow, query(`SELECT id, ${record}, ${dialect.nodeName} FROM decisions ${rest}`, values), leaveOut);

	return {
		async insert(columns) {
			const record = columns[5];
			await query(
				`INSERT INTO decisions (id, time, call, run, requested_at, record, profile, server, tool, outcome, asker, small_record, owner)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
				[...columns, smallRecord(record), owner.instanceId],
			);
		},
		list: ({limit}) => read('ORDER BY sequence DESC LIMIT $1', [boundedLimit(limit)]),
		countAsked: ({profile}) => readRows(askedCount, query(counting, [profile])),
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
