import {toProblem} from '../../util/problem.ts';
import {type CallResolution, type CallRow, type RuleUse, type UncertainQuery} from '../rows/records.ts';
import {
	type CallPage,
	type CallPageQuery,
	type CallQuery,
	callRow,
	callsPerPage,
	type CallTime,
	callTime,
	charactersPerPage,
	readCallPage,
	ruleUse,
	usesByRule,
	toFullCall,
	fullCall,
} from '../rows/call-rows.ts';
import {type CallColumns, type CallEndColumns} from '../rows/columns.ts';
import {isAbandoned, isOwnerAlive} from '../rows/node-rows.ts';
import {boundedLimit, type LeaveOut, transformed, type UnreadableRows} from '../rows/read-rows.ts';
import {smallRecord} from './decisions.ts';
import {contentColumn, encodingColumn, unpackText} from './packed-bytes.ts';
import {type Query, readRows, type TableAccess} from './query.ts';

/** The table of tool calls. Write inside a transaction. */
export type CallTable = {
	/** False when another gateway has declared this one dead, or the one that wrote the call: then nothing was written. True again when the write is repeated. */
	readonly start: (call: CallColumns) => Promise<boolean>;
	readonly finish: (id: string, end: CallEndColumns) => Promise<void>;
	/** Writes a call that has no start yet, with its end. */
	readonly insertEnded: (call: CallColumns, end: CallEndColumns) => Promise<void>;
	/** Calls with an unknown outcome, oldest first: their connection was lost, or no end was recorded. */
	readonly listUncertain: (query: UncertainQuery) => Promise<readonly CallRow[]>;
	/** Stores how a person resolved such a call. False when it is already resolved or does not exist. */
	readonly resolve: (id: string, resolved: CallResolution) => Promise<boolean>;
	/** Newest first, without results. */
	readonly list: (query: CallQuery) => Promise<readonly CallRow[]>;
	/** One page after another is all calls since a time. */
	readonly page: (query: CallPageQuery) => Promise<CallPage>;
	/** The calls of a run, oldest first, without results. */
	readonly ofRun: (runId: string, limit: number) => Promise<readonly CallRow[]>;
	/** When the calls of a run were made, and how long they took, oldest first. */
	readonly timesOfRun: (runId: string) => Promise<readonly CallTime[]>;
	/** The calls of these ids, without results; large arguments are left out. */
	readonly withIds: (ids: readonly string[]) => Promise<readonly CallRow[]>;
	/** Number of decisions of each rule, by their askers, and the time of the last. */
	readonly ruleUses: () => Promise<readonly RuleUse[]>;
	/** A call with its result, and what was decided about it. */
	readonly find: (id: string) => Promise<CallRow | undefined>;
};

const fullCallRow = fullCall
	.extend({answer: contentColumn, encoding: encodingColumn})
	.transform(({answer, encoding, ...call}, context) =>
		transformed(context, () => toFullCall(call, unpackText(answer, encoding))),
	);

/** Calls without an end, and those of one profile, are searched among the newest only: an index for them would cost every call. */
const recentCalls = 10_000;

/** Rules come and go, and their calls stay for a while. */
const maxUsedRules = 10_000;

const named = 'INSERT INTO calls (id, time, run, rule, profile, server, read_only, record, asker, small_record, owner)';
const values = '$1, $2::bigint, $3, $4, $5, $6, $7::integer, $8, $9, $10, $11';
const replacing = `
	ON CONFLICT (id) DO UPDATE SET rule = excluded.rule, record = excluded.record, small_record = excluded.small_record
`;
const unended = 'WHERE calls.owner IS NOT DISTINCT FROM excluded.owner AND calls.outcome IS NULL';
const ending = 'UPDATE calls SET outcome = $2, code = $3, ms = $4, answer = $5, encoding = $6 WHERE id = $1';

const recent = `sequence > (SELECT max(sequence) FROM calls) - ${recentCalls}`;

/** A character of JavaScript has three bytes at most, so these rows fill a page at least. The sizes of large records are known without reading them. */
const paging = `
	SELECT id, sequence, time, record FROM (
		SELECT id, sequence, time, record,
			sum(octet_length(record)) OVER (ORDER BY sequence DESC ROWS UNBOUNDED PRECEDING) - octet_length(record) AS passed
		FROM calls WHERE sequence < $1 ORDER BY sequence DESC LIMIT ${callsPerPage}
	) AS page
	WHERE passed < ${charactersPerPage * 3} ORDER BY sequence DESC
`;

/** The statements of the table. */
export function createCallTable(access: TableAccess, unreadable: UnreadableRows): CallTable {
	const leaveOut = unreadable.of('calls');
	const {query, dialect} = access;
	const rowColumns = `id, record, outcome, code, ms, ${dialect.nodeName}`;
	const uncertainty = `
		SELECT ${rowColumns} FROM (
			SELECT * FROM calls WHERE outcome = 'outcome_uncertain' AND resolution IS NULL
			UNION ALL
			SELECT * FROM calls
			WHERE ${recent} AND outcome IS NULL AND resolution IS NULL AND ${isAbandoned} AND (owner IS NOT NULL OR time < $1)
		) AS uncertain
		WHERE profile = $2 AND read_only = 0 ORDER BY sequence DESC LIMIT $3
	`;
	return {
		...createCallWrites(access),
		listUncertain: async ({profile, begunBefore, limit}) =>
			(await readRows(callRow, query(uncertainty, [begunBefore, profile, boundedLimit(limit)]), leaveOut)).reverse(),
		async resolve(id, {resolution, by}) {
			const resolved = await query(
				'UPDATE calls SET resolution = $2, resolved_by = $3 WHERE id = $1 AND resolution IS NULL RETURNING 1',
				[id, resolution, by],
			);
			return resolved.length > 0;
		},
		list({profile, server, limit}) {
			const maxRows = boundedLimit(limit);
			return readRows(
				callRow,
				profile === undefined
					? query(`SELECT ${rowColumns} FROM calls ORDER BY sequence DESC LIMIT $1`, [maxRows])
					: query(
							`SELECT ${rowColumns} FROM calls WHERE ${recent} AND profile = $1 AND server = coalesce($2, server)
							ORDER BY sequence DESC LIMIT $3`,
							[profile, server ?? null, maxRows],
						),
				leaveOut,
			);
		},
		async page(asked) {
			const rows = await query(paging, [asked.before ?? Number.MAX_SAFE_INTEGER]);
			try {
				return readCallPage(rows, asked, leaveOut);
			} catch (caught) {
				throw toProblem(caught, 'storage_unavailable');
			}
		},
		...callsOfRuns(query, rowColumns, leaveOut),
		ruleUses: async () =>
			usesByRule(
				await readRows(
					ruleUse,
					query(`
						SELECT rule, asker, count(*) AS uses, max(time) AS "lastUsedAt" FROM calls WHERE rule IS NOT NULL
						GROUP BY rule, asker ORDER BY rule COLLATE "C", uses DESC, asker COLLATE "C" LIMIT ${maxUsedRules}
					`),
				),
			),
		async find(id) {
			const columns = `answer, encoding, resolution, resolved_by AS by, ${rowColumns}`;
			const [call] = await readRows(fullCallRow, query(`SELECT ${columns} FROM calls WHERE id = $1`, [id]), leaveOut);
			return call;
		},
	};
}

/** The statements that begin and end calls. */
function createCallWrites({query, dialect, owner}: TableAccess): Pick<CallTable, 'start' | 'finish' | 'insertEnded'> {
	const columnsOf = (call: CallColumns) => [...call, smallRecord(call[7]), owner.instanceId];

	const end = async (id: string, [outcome, code, ms, answer]: CallEndColumns) => {
		const [content, encoding] = answer === null ? [null, null] : dialect.pack(answer);
		await query(ending, [id, outcome, code, ms, content, encoding]);
	};

	return {
		start: async call =>
			(
				await query(
					`${named} SELECT ${values} WHERE ${isOwnerAlive('$11')} ${replacing} ${unended} RETURNING 1`,
					columnsOf(call),
				)
			).length > 0,
		finish: end,
		async insertEnded(call, ended) {
			await query(`${named} VALUES (${values}) ${replacing}`, columnsOf(call));
			await end(call[0], ended);
		},
	};
}

/** The calls of a run, in full and as its trace has them. */
function callsOfRuns(
	query: Query,
	rowColumns: string,
	leaveOut: LeaveOut,
): Pick<CallTable, 'ofRun' | 'timesOfRun' | 'withIds'> {
	return {
		ofRun: (runId, limit) =>
			readRows(
				callRow,
				query(`SELECT ${rowColumns} FROM calls WHERE run = $1 ORDER BY sequence LIMIT $2`, [
					runId,
					boundedLimit(limit),
				]),
				leaveOut,
			),
		timesOfRun: runId =>
			readRows(
				callTime,
				query(`SELECT id, time, ms, outcome FROM calls WHERE run = $1 ORDER BY sequence LIMIT ${recentCalls}`, [runId]),
			),
		withIds: ids =>
			readRows(
				callRow,
				query(
					`SELECT ${rowColumns.replace('record', 'coalesce(small_record, record) AS record')} FROM calls WHERE id = ANY($1::text[])
					ORDER BY sequence`,
					[ids],
				),
				leaveOut,
			),
	};
}
