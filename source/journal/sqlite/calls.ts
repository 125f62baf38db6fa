import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {toProblem} from '../../util/problem.ts';
import {type CallResolution, type CallRow, type RuleUse, type UncertainQuery} from '../records.ts';
import {
	type CallPage,
	type CallPageQuery,
	type CallQuery,
	callRow,
	callsPerPage,
	type CallTime,
	callTime,
	readCallPage,
	ruleUse,
	toWholeCall,
	wholeCall,
} from '../rows/call-rows.ts';
import {type CallColumns, type CallEndColumns} from '../rows/columns.ts';
import {isAbandoned, type Writer} from '../rows/node-rows.ts';
import {boundedLimit, type LeaveOut, readRows, type UnreadableRows} from '../rows/read-rows.ts';
import {smallRecord} from './decisions.ts';
import {packBytes, packedEncoding, unpackBytes} from './packed-bytes.ts';

/** The table of tool calls. Write inside a transaction. */
export type CallTable = {
	readonly start: (call: CallColumns) => void;
	readonly finish: (id: string, end: CallEndColumns) => void;
	/** Writes a call that has no start yet, with its end. */
	readonly insertEnded: (call: CallColumns, end: CallEndColumns) => void;
	/** Calls with an unknown outcome, oldest first: their connection was lost, or an earlier process started them and never recorded an end. */
	readonly listUncertain: (query: UncertainQuery) => readonly CallRow[];
	/** Stores how a person resolved such a call. False when it is already resolved or does not exist. */
	readonly resolve: (id: string, resolved: CallResolution) => boolean;
	/** Newest first, without answers. */
	readonly list: (query: CallQuery) => readonly CallRow[];
	/** One page after another is all calls since a time. */
	readonly page: (query: CallPageQuery) => CallPage;
	/** The calls of a run, oldest first, without answers. */
	readonly ofRun: (runId: string, limit: number) => readonly CallRow[];
	/** When the calls of a run were made, and how long they took, oldest first. */
	readonly timesOfRun: (runId: string) => readonly CallTime[];
	/** The calls of these ids, without answers; large arguments are left out. */
	readonly withIds: (ids: readonly string[]) => readonly CallRow[];
	/** How often each rule decided, and when it last did. */
	readonly ruleUses: () => readonly RuleUse[];
	/** A call with its answer, and what was decided about it. */
	readonly find: (id: string) => CallRow | undefined;
};

const wholeCallRow = wholeCall
	.extend({answer: z.instanceof(Uint8Array).nullable(), encoding: packedEncoding.nullable()})
	.transform(({answer, encoding, ...call}) =>
		toWholeCall(
			call,
			answer && encoding ? Buffer.from(unpackBytes({bytes: answer, encoding})).toString('utf8') : undefined,
		),
	);

/** Calls without an end, and those of one profile, are searched among the newest only: an index for them would cost every call a page write. */
const recentCalls = 10_000;

/** Rules come and go, and their calls stay for a while. */
const mostUsedRules = 10_000;

/** Prepares the statements of the table. */
export function createCallTable(database: DatabaseSync, writer: Writer, unreadable: UnreadableRows): CallTable {
	const leaveOut = unreadable.of('calls');
	const start = database.prepare(
		`INSERT INTO calls (id, time, run, rule, profile, server, read_only, record, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET rule = excluded.rule, record = excluded.record`,
	);
	const finish = database.prepare(
		'UPDATE calls SET outcome = ?, code = ?, ms = ?, answer = ?, encoding = ? WHERE id = ?',
	);
	const find = database.prepare(
		'SELECT id, record, outcome, code, ms, answer, encoding, resolution, resolved_by AS by FROM calls WHERE id = ?',
	);
	const list = database.prepare('SELECT id, record, outcome, code, ms FROM calls ORDER BY sequence DESC LIMIT ?');
	const before = database.prepare(
		`SELECT id, sequence, time, record FROM calls WHERE sequence < ? ORDER BY sequence DESC LIMIT ${callsPerPage}`,
	);
	const listProfile = database.prepare(`
		SELECT id, record, outcome, code, ms FROM calls
		WHERE sequence > (SELECT max(sequence) FROM calls) - ${recentCalls} AND profile = ?1 AND (?2 IS NULL OR server = ?2)
		ORDER BY sequence DESC LIMIT ?3
	`);
	const uncertain = database.prepare(`
		SELECT id, record, outcome, code, ms FROM (
			SELECT * FROM calls WHERE outcome = 'outcome_uncertain' AND resolution IS NULL
			UNION ALL
			SELECT * FROM calls
			WHERE sequence > (SELECT max(sequence) FROM calls) - ${recentCalls}
				AND outcome IS NULL AND resolution IS NULL AND ${isAbandoned} AND (owner IS NOT NULL OR time < ?)
		)
		WHERE profile = ? AND read_only = 0
		ORDER BY sequence DESC LIMIT ?`);
	const uses = database.prepare(`
		SELECT rule, count(*) AS uses, max(time) AS lastUsedAt FROM calls WHERE rule IS NOT NULL
		GROUP BY rule ORDER BY rule LIMIT ${mostUsedRules}`);
	const resolve = database.prepare(
		'UPDATE calls SET resolution = ?, resolved_by = ? WHERE id = ? AND resolution IS NULL',
	);
	const insert = (columns: CallColumns) => void start.run(...columns, writer.incarnation);
	const end = (id: string, [outcome, code, ms, answer]: CallEndColumns) => {
		const packed = answer === null ? undefined : packBytes(Buffer.from(answer));
		finish.run(outcome, code, ms, packed?.bytes ?? null, packed?.encoding ?? null, id);
	};

	return {
		listUncertain: ({profile, begunBefore, limit}) =>
			readRows(callRow, () => uncertain.all(begunBefore, profile, boundedLimit(limit)), leaveOut).reverse(),
		resolve: (id, {resolution, by}) => resolve.run(resolution, by, id).changes > 0,
		start: insert,
		finish: end,
		insertEnded(call, ended) {
			insert(call);
			end(call[0], ended);
		},
		list({profile, server, limit}) {
			const most = boundedLimit(limit);
			const rows = () => (profile === undefined ? list.all(most) : listProfile.all(profile, server ?? null, most));
			return readRows(callRow, rows, leaveOut);
		},
		page(query) {
			try {
				return readCallPage(before.iterate(query.before ?? Number.MAX_SAFE_INTEGER), query, leaveOut);
			} catch (caught) {
				throw toProblem(caught, 'storage_unavailable');
			}
		},
		...callsOfRuns(database, leaveOut),
		ruleUses: () => readRows(ruleUse, () => uses.all()),
		find: id => readRows(wholeCallRow, () => find.all(id), leaveOut)[0],
	};
}

/** The calls of a run, whole and as its trace has them. */
function callsOfRuns(database: DatabaseSync, leaveOut: LeaveOut): Pick<CallTable, 'ofRun' | 'timesOfRun' | 'withIds'> {
	const ofRun = database.prepare(
		'SELECT id, record, outcome, code, ms FROM calls WHERE run = ? ORDER BY sequence LIMIT ?',
	);
	const timesOfRun = database.prepare(
		`SELECT id, time, ms, outcome FROM calls WHERE run = ? ORDER BY sequence LIMIT ${recentCalls}`,
	);
	const withIds = database.prepare(`
		SELECT id, ${smallRecord}, outcome, code, ms FROM calls WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sequence
	`);
	return {
		ofRun: (runId, limit) => readRows(callRow, () => ofRun.all(runId, boundedLimit(limit)), leaveOut),
		timesOfRun: runId => readRows(callTime, () => timesOfRun.all(runId)),
		withIds: ids => readRows(callRow, () => withIds.all(JSON.stringify(ids)), leaveOut),
	};
}
