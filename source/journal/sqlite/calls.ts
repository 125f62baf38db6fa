import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {type CallOutcome} from '../../state/approval-event.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {type ProblemCode, problemCodes} from '../../util/problem-codes.ts';
import {approvalOutcomes, originColumn} from './decisions.ts';
import {packBytes, packedEncoding, unpackBytes} from './packed-bytes.ts';
import {toProblem} from '../../util/problem.ts';
import {boundedLimit, jsonColumn, readRows, smallRecord} from './read-rows.ts';
import {
	type CallAnswer,
	type CallEnd,
	type CallRecord,
	type CallResolution,
	type CallRow,
	type RuleUse,
	type UncertainQuery,
	type UncertainResolution,
} from '../records.ts';

/** Which calls a list has. Those of one profile, or of one of its servers, are looked for among the newest 10,000. */
export type CallQuery = {readonly profile?: string; readonly server?: string; readonly limit: number};

/** A page of the calls of a profile, newest first: `before` is the `next` of the page before it. */
export type CallPageQuery = {readonly profile: string; readonly since?: number; readonly before?: number};

/** Calls without their ends, perhaps none, and where the next page begins; the last one has no `next`. */
export type CallPage = {readonly calls: readonly CallRecord[]; readonly next?: number};

/** When a call was made, in milliseconds since the epoch; without an outcome it has no end. */
export type CallTime = {
	readonly id: string;
	readonly time: number;
	readonly ms: number | null;
	readonly outcome: CallOutcome | null;
};

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

/** How a call ended, as it is stored. */
export const callOutcome = z.enum({
	ok: 'ok',
	tool_error: 'tool_error',
	failed: 'failed',
	outcome_uncertain: 'outcome_uncertain',
	...approvalOutcomes,
} as const satisfies {[Name in CallOutcome]: Name});

const problemCode = z.custom<ProblemCode>(code => typeof code === 'string' && Object.hasOwn(problemCodes, code));

const callRecord: z.ZodType<CallRecord> = z.object({
	id: z.string(),
	time: z.number(),
	profile: z.string(),
	server: z.string(),
	tool: z.string(),
	arguments: z.custom<JsonObject>(isJsonObject),
	origin: originColumn,
	readOnly: z.literal(true).optional(),
	judged: z
		.object({
			fingerprint: z.string(),
			decision: z.enum(['free', 'remembered', 'allowed', 'denied', 'asked']),
			rule: z
				.object({id: z.string(), action: z.enum(['allow', 'ask', 'deny']), source: z.enum(['config', 'stored'])})
				.optional(),
			untrusted: z.array(z.string()).optional(),
		})
		.optional(),
});

const callTime: z.ZodType<CallTime> = z.object({
	id: z.string(),
	time: z.number(),
	ms: z.number().nullable(),
	outcome: callOutcome.nullable(),
});

const ruleUse: z.ZodType<RuleUse> = z.object({rule: z.string(), uses: z.number(), lastUsedAt: z.number()});

const callAnswer: z.ZodType<CallAnswer> = z.object({
	text: z.string(),
	structuredContent: z.custom<JsonObject>(isJsonObject).optional(),
});

const uncertainResolution = z.enum({
	done: 'done',
	not_done: 'not_done',
	repeated: 'repeated',
} as const satisfies {[Name in UncertainResolution]: Name});

const storedCall = z.object({
	record: z.string().transform(jsonColumn).pipe(callRecord),
	outcome: callOutcome.nullable(),
	code: problemCode.nullable(),
	ms: z.number().nullable(),
});

const callRow = storedCall.transform(({record, ...end}): CallRow => endedCall(record, end));

const wholeCallRow = storedCall
	.extend({
		answer: z.instanceof(Uint8Array).nullable(),
		encoding: packedEncoding.nullable(),
		resolution: uncertainResolution.nullable(),
		by: z.string().nullable(),
	})
	.transform(({record, answer: bytes, encoding, resolution, by, ...end}): CallRow => {
		const answer = bytes && encoding ? unpackAnswer(unpackBytes({bytes, encoding})) : undefined;
		const resolved = resolution && by !== null ? {resolved: {resolution, by}} : {};
		return {...endedCall(record, {...end, answer}), ...resolved};
	});

function endedCall(
	record: CallRecord,
	{outcome, code, ms, answer}: Omit<z.output<typeof storedCall>, 'record'> & {readonly answer?: CallAnswer | undefined},
): CallRow {
	return outcome === null
		? record
		: {...record, end: {outcome, ...(code && {code}), ms: ms ?? 0, ...(answer && {answer})}};
}

/** The columns of a call that starts, in the order in which they are bound. */
export type CallColumns = readonly [id: string, time: number, run: string | null, rule: string | null, record: string];

/** Made where the call is: flat values cross to the journal's thread sooner than the record. */
export function callColumns(call: CallRecord): CallColumns {
	const {id, time, origin, judged} = call;
	return [id, time, origin.kind === 'run' ? origin.runId : null, judged?.rule?.id ?? null, JSON.stringify(call)];
}

/** The columns of a call that ended. The answer is compressed where it is written. */
export type CallEndColumns = readonly [outcome: CallOutcome, code: string | null, ms: number, answer: string | null];

/** The columns of the end of a call. */
export function callEndColumns({outcome, code, ms, answer}: CallEnd): CallEndColumns {
	return [outcome, code ?? null, ms, answer ? JSON.stringify(answer) : null];
}

function unpackAnswer(bytes: Uint8Array): CallAnswer {
	return callAnswer.parse(jsonColumn(Buffer.from(bytes).toString('utf8')));
}

/** Calls without an end, and those of one profile, are searched among the newest only: an index for them would cost every call a page write. */
const recentCalls = 10_000;

/** Rules come and go, and their calls stay for a while. */
const mostUsedRules = 10_000;

/** What waits behind a page waits for about 5 ms. Arguments may be large. */
const callsPerPage = 250;
const charactersPerPage = 500_000;

const pagedCall = z.object({sequence: z.number(), time: z.number(), record: z.string()});

/** Takes rows until the page is full. Calls are written about when they are made, so older ones than those of a whole page are too old. */
function readCallPage(rows: Iterable<unknown>, {profile, since = Number.NEGATIVE_INFINITY}: CallPageQuery): CallPage {
	const calls: CallRecord[] = [];
	let characters = 0;
	let count = 0;
	let isRecent = false;
	for (const row of rows) {
		const {sequence, time, record} = pagedCall.parse(row);
		count++;
		characters += record.length;
		if (time >= since) {
			isRecent = true;
			const call = callRecord.parse(jsonColumn(record));
			calls.push(...(call.profile === profile ? [call] : []));
		}

		if (count === callsPerPage || characters >= charactersPerPage) {
			return {calls, ...(isRecent && {next: sequence})};
		}
	}

	return {calls};
}

/** Prepares the statements of the table. */
export function createCallTable(database: DatabaseSync): CallTable {
	const start = database.prepare(
		'INSERT INTO calls (id, time, run, rule, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
	);
	const finish = database.prepare(
		'UPDATE calls SET outcome = ?, code = ?, ms = ?, answer = ?, encoding = ? WHERE id = ?',
	);
	const find = database.prepare(
		'SELECT record, outcome, code, ms, answer, encoding, resolution, resolved_by AS by FROM calls WHERE id = ?',
	);
	const list = database.prepare('SELECT record, outcome, code, ms FROM calls ORDER BY sequence DESC LIMIT ?');
	const before = database.prepare(
		`SELECT sequence, time, record FROM calls WHERE sequence < ? ORDER BY sequence DESC LIMIT ${callsPerPage}`,
	);
	const listProfile = database.prepare(`
		SELECT record, outcome, code, ms FROM calls
		WHERE sequence > (SELECT max(sequence) FROM calls) - ${recentCalls} AND json_extract(record, '$.profile') = ?1
			AND (?2 IS NULL OR json_extract(record, '$.server') = ?2)
		ORDER BY sequence DESC LIMIT ?3
	`);
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
	const uses = database.prepare(`
		SELECT rule, count(*) AS uses, max(time) AS lastUsedAt FROM calls WHERE rule IS NOT NULL
		GROUP BY rule ORDER BY rule LIMIT ${mostUsedRules}`);
	const resolve = database.prepare(
		'UPDATE calls SET resolution = ?, resolved_by = ? WHERE id = ? AND resolution IS NULL',
	);
	const insert = (columns: CallColumns) => void start.run(...columns);
	const end = (id: string, [outcome, code, ms, answer]: CallEndColumns) => {
		const packed = answer === null ? undefined : packBytes(Buffer.from(answer));
		finish.run(outcome, code, ms, packed?.bytes ?? null, packed?.encoding ?? null, id);
	};

	return {
		listUncertain: ({profile, begunBefore, limit}) =>
			readRows(callRow, () => uncertain.all(begunBefore, profile, boundedLimit(limit))).reverse(),
		resolve: (id, {resolution, by}) => resolve.run(resolution, by, id).changes > 0,
		start: insert,
		finish: end,
		insertEnded(call, ended) {
			insert(call);
			end(call[0], ended);
		},
		list({profile, server, limit}) {
			const most = boundedLimit(limit);
			return readRows(callRow, () =>
				profile === undefined ? list.all(most) : listProfile.all(profile, server ?? null, most),
			);
		},
		page(query) {
			try {
				return readCallPage(before.iterate(query.before ?? Number.MAX_SAFE_INTEGER), query);
			} catch (caught) {
				throw toProblem(caught, 'storage_unavailable');
			}
		},
		...callsOfRuns(database),
		ruleUses: () => readRows(ruleUse, () => uses.all()),
		find: id => readRows(wholeCallRow, () => find.all(id))[0],
	};
}

/** The calls of a run, whole and as its trace has them. */
function callsOfRuns(database: DatabaseSync): Pick<CallTable, 'ofRun' | 'timesOfRun' | 'withIds'> {
	const ofRun = database.prepare('SELECT record, outcome, code, ms FROM calls WHERE run = ? ORDER BY sequence LIMIT ?');
	const timesOfRun = database.prepare(
		`SELECT id, time, ms, outcome FROM calls WHERE run = ? ORDER BY sequence LIMIT ${recentCalls}`,
	);
	const withIds = database.prepare(`
		SELECT ${smallRecord}, outcome, code, ms FROM calls WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sequence
	`);
	return {
		ofRun: (runId, limit) => readRows(callRow, () => ofRun.all(runId, boundedLimit(limit))),
		timesOfRun: runId => readRows(callTime, () => timesOfRun.all(runId)),
		withIds: ids => readRows(callRow, () => withIds.all(JSON.stringify(ids))),
	};
}
