import {z} from 'zod';
import {type ApprovalOutcomeName, approvalScopes} from '../../state/approval-event.ts';
import {type Origin} from '../../state/origin.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {type DecisionRecord, type DecisionRow} from './records.ts';
import {nodeColumn} from './node-rows.ts';
import {jsonColumn} from './read-rows.ts';

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
	z.object({
		kind: z.literal('endpoint'),
		client: z.string(),
		name: z.string().optional(),
		claim: z.string().optional(),
		task: z.string().optional(),
	}),
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

/** When a decision was made, as a row has it. */
export const decisionTime: z.ZodType<DecisionTime> = z.object({
	id: z.string(),
	time: z.number(),
	requestedAt: z.number().nullable(),
});

/** A row of a list of decisions. */
export const decisionRow = z
	.object({record: z.string().transform(jsonColumn).pipe(decisionRecord), node: nodeColumn})
	.transform(({record, node}): DecisionRow => ({...record, node}));
