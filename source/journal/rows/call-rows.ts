import {z} from 'zod';
import {type CallOutcome} from '../../state/approval-event.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {type ProblemCode, problemCodes} from '../../util/problem-codes.ts';
import {type CallResult, type CallRecord, type CallRow, type RuleUse, type UncertainResolution} from './records.ts';
import {storedAsker} from './asker-rows.ts';
import {approvalOutcomes, originColumn} from './decision-rows.ts';
import {nodeColumn} from './node-rows.ts';
import {jsonColumn, type LeaveOut} from './read-rows.ts';

/** Selects the calls of a list. Calls of one profile, or of one of its servers, are searched among the newest 10,000. */
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

/** The stored outcome of a call. */
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

/** When a call was made, as a row has it. */
export const callTime: z.ZodType<CallTime> = z.object({
	id: z.string(),
	time: z.number(),
	ms: z.number().nullable(),
	outcome: callOutcome.nullable(),
});

/** A row of a rule and an asker, which calls of earlier versions lack, with the number of decisions. */
export const ruleUse = z.object({
	rule: z.string(),
	asker: storedAsker.nullable(),
	uses: z.number(),
	lastUsedAt: z.number(),
});

/** The uses of each rule from its rows, which follow each other. */
export function usesByRule(rows: ReadonlyArray<z.output<typeof ruleUse>>): readonly RuleUse[] {
	const uses = new Map<string, RuleUse>();
	for (const {rule, asker, uses: count, lastUsedAt} of rows) {
		const known = uses.get(rule) ?? {rule, uses: 0, lastUsedAt, askers: []};
		uses.set(rule, {
			rule,
			uses: known.uses + count,
			lastUsedAt: Math.max(known.lastUsedAt, lastUsedAt),
			askers: asker ? [...known.askers, {asker, uses: count}] : known.askers,
		});
	}

	return [...uses.values()];
}

const callResult: z.ZodType<CallResult> = z.object({
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
	node: nodeColumn,
});

/** A row of a list of calls. */
export const callRow = storedCall.transform(({record, ...end}): CallRow => endedCall(record, end));

/** A call with all that is known of it, but its result. */
export const fullCall = storedCall.extend({resolution: uncertainResolution.nullable(), by: z.string().nullable()});

/** The call of a row; `answer` is the text of the column, if there is one. Throws where that is no result. */
export function toFullCall(
	{record, resolution, by, ...end}: z.output<typeof fullCall>,
	answer: string | undefined,
): CallRow {
	const resolved = resolution && by !== null ? {resolved: {resolution, by}} : {};
	const result = answer === undefined ? undefined : callResult.parse(jsonColumn(answer));
	return {...endedCall(record, {...end, result}), ...resolved};
}

function endedCall(
	record: CallRecord,
	{
		outcome,
		code,
		ms,
		node,
		result,
	}: Omit<z.output<typeof storedCall>, 'record'> & {
		readonly result?: CallResult | undefined;
	},
): CallRow {
	const end = outcome && {outcome, ...(code && {code}), ms: ms ?? 0, ...(result && {result})};
	return {...record, node, ...(end && {end})};
}

/** Bounds of a page: requests behind it wait for about 5 ms. Arguments may be large. */
export const callsPerPage = 250;
export const charactersPerPage = 500_000;

const pagedCall = z.object({sequence: z.number(), time: z.number(), record: z.string()});

/** Takes rows until the page is full. Calls are written about when they are made, so older ones than those of a full page are too old. */
export function readCallPage(
	rows: Iterable<unknown>,
	{profile, since = Number.NEGATIVE_INFINITY}: CallPageQuery,
	leaveOut: LeaveOut,
): CallPage {
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
			const {data: call} = callRecord.safeParse(jsonColumn(record));
			if (!call) {
				leaveOut(row);
			}

			calls.push(...(call?.profile === profile ? [call] : []));
		}

		if (count === callsPerPage || characters >= charactersPerPage) {
			return {calls, ...(isRecent && {next: sequence})};
		}
	}

	return {calls};
}
