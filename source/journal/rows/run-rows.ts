import {z} from 'zod';
import {type RunStatus} from '../../state/work-event.ts';
import {destinationsOf} from '../../util/destinations.ts';
import {type RunRecord, type RunResult, type RunRow} from './records.ts';
import {eventCaller} from './caller-rows.ts';
import {nodeColumn} from './node-rows.ts';
import {destinations, extraKeys, jsonColumn, unreadableReason} from './read-rows.ts';

/** Selects the runs of a list. Runs of one profile are searched among the newest 10,000. */
export type RunQuery = {
	readonly states?: readonly RunStatus[];
	readonly profile?: string;
	readonly limit: number;
};

/** Selects queued runs: those behind a position, without those of some profiles. */
export type QueueQuery = {readonly after: number; readonly without: readonly string[]; readonly limit: number};

/** Such runs, oldest first, and the position behind which the next scan begins. */
export type QueuePart = {readonly runs: readonly RunRecord[]; readonly last: number};

/** The column that holds the state of a run. */
export const runStatus = z.enum({
	queued: 'queued',
	running: 'running',
	inbox: 'inbox',
	finished: 'finished',
	failed: 'failed',
	cancelled: 'cancelled',
	interrupted: 'interrupted',
	unreadable: 'unreadable',
} as const satisfies {[Name in RunStatus]: Name});

/** The column that holds a run. Earlier versions wrote one target as a text, and its keys beside it. */
const runRecord: z.ZodType<RunRecord> = z
	.object({
		id: z.string(),
		eventId: z.string(),
		firstEventId: z.string().optional(),
		profile: z.string(),
		route: z.string(),
		event: z.string(),
		deliveryId: z.string(),
		signature: z.string().optional(),
		job: z.string().optional(),
		prompt: z.string(),
		deliver: z.union([z.string(), destinations]),
		deliverExtra: extraKeys.optional(),
		caller: eventCaller.optional(),
		onFailure: destinations.optional(),
		skills: z.array(z.string()),
		toolsets: z.array(z.string()).optional(),
		foreign: z.array(z.tuple([z.number(), z.number()])).optional(),
		conversation: z.string().optional(),
		createdAt: z.number(),
	})
	.transform(
		({deliver, deliverExtra: extra = {}, ...record}): RunRecord => ({
			...record,
			deliver: typeof deliver === 'string' ? destinationsOf(deliver, extra) : deliver,
		}),
	);

const runResult: z.ZodType<RunResult> = z.object({
	model: z.string().optional(),
	turns: z.number().optional(),
	microUsd: z.number().optional(),
	usage: z.object({inputTokens: z.number(), outputTokens: z.number()}).optional(),
	answer: z.string().optional(),
	startedAt: z.number().optional(),
});

const reasonColumn = z
	.string()
	.nullable()
	.transform(reason => reason ?? undefined);

const readableRun = z
	.object({
		state: runStatus,
		reason: reasonColumn,
		changedAt: z.number(),
		result: z
			.string()
			.nullable()
			.transform(text => (text === null ? undefined : jsonColumn(text)))
			.pipe(runResult.optional()),
		record: z.string().transform(jsonColumn).pipe(runRecord),
		node: nodeColumn,
	})
	.transform(({record, ...rest}): RunRow => ({...record, ...rest}));

/** The part that is shown of a run whose row cannot be read: its columns. */
const otherRun = z
	.object({
		id: z.string(),
		eventId: z.string().nullable(),
		profile: z.string(),
		job: z.string().nullable(),
		changedAt: z.number(),
		node: nodeColumn,
	})
	.transform(
		({eventId, job, ...row}): RunRow => ({
			...row,
			...(job !== null && {job}),
			eventId: eventId ?? '',
			state: 'unreadable',
			reason: unreadableReason,
			route: '',
			event: '',
			deliveryId: '',
			prompt: '',
			deliver: [],
			skills: [],
			createdAt: row.changedAt,
		}),
	);

/** A row of a list of runs. */
export const runRow: z.ZodType<RunRow> = z.union([readableRun, otherRun]);

/** A run that was moved to another state. */
export const movedRow = z.object({sequence: z.number(), record: z.string().transform(jsonColumn).pipe(runRecord)});

/** The part of the queue with these rows, of at most `limit`; `newest` is the position of the newest run of all. */
export function queuePart(
	rows: ReadonlyArray<z.output<typeof movedRow>>,
	{limit, newest}: {readonly limit: number; readonly newest: number},
): QueuePart {
	const last = rows.length < limit ? newest : (rows.at(-1)?.sequence ?? newest);
	return {runs: rows.map(({record}) => record), last};
}

/** The position of the newest run. */
export const newestRow = z.object({newest: z.number()});

/** The conversation of a run. */
export const conversationRow = z.object({conversation: z.string().nullable()});

/** The content of a window. */
export type WaitingRun = {readonly run: RunRecord; readonly superseded: number};

/** A window that was closed. */
export const takenRow: z.ZodType<WaitingRun> = z
	.object({
		superseded: z.number(),
		record: z.string().transform(jsonColumn).pipe(runRecord),
	})
	.transform(({record: run, ...rest}) => ({run, ...rest}));

/** An open window. */
export const windowRow = z.object({route: z.string(), key: z.string(), firstAt: z.number(), lastAt: z.number()});

/** Appends the number of earlier events that the latest one replaces, if any (docs/webhook-routes.md, Coalescing). */
export function withNote(run: RunRecord, superseded: number): RunRecord {
	const events = superseded === 1 ? '1 earlier event' : `${superseded} earlier events`;
	return superseded === 0
		? run
		: {...run, prompt: `${run.prompt}\n\n(Superseded by this event: ${events} about the same entity.)`};
}
