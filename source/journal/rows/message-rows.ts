import {z} from 'zod';
import {type JsonObject, isJsonObject} from '../../util/json-text.ts';
import {type OutgoingMessage, type OutgoingMessageRow, type OutgoingMessageState} from './records.ts';
import {nodeColumn} from './node-rows.ts';
import {jsonColumn, unreadableReason} from './read-rows.ts';

/** A list of messages; `eventId` limits it to one event. */
export type OutgoingMessageQuery = {
	readonly states?: readonly OutgoingMessageState[];
	readonly eventId?: string;
	readonly limit: number;
};

/** The next state of a message, and the current time in milliseconds since the epoch. */
export type MessageChange = {readonly state: OutgoingMessageState; readonly detail?: string; readonly now: number};

/** Outcome of a write that ends a sending. */
export type MessageFinish = 'changed' | 'unchanged' | 'taken';

/** A message that was reported as not written, the state in which it was, and why it is not sent. */
export type WithdrawnMessage = {readonly from: 'pending' | 'sending'; readonly detail: string; readonly now: number};

/** The column that holds the state of a message. */
export const messageState = z.enum({
	pending: 'pending',
	sending: 'sending',
	sent: 'sent',
	failed: 'failed',
	outcome_uncertain: 'outcome_uncertain',
	unreadable: 'unreadable',
} as const satisfies {[Name in OutgoingMessageState]: Name});

const messageRecord: z.ZodType<OutgoingMessage> = z.object({
	id: z.string(),
	eventId: z.string(),
	profile: z.string().optional(),
	runId: z.string().optional(),
	target: z.string(),
	text: z.string(),
	extra: z.custom<JsonObject>(isJsonObject),
	deliveryId: z.string(),
	route: z.string(),
	job: z.string().optional(),
});

const recordColumn = z.string().transform(jsonColumn).pipe(messageRecord);

/** A message that was moved to another state, or to another gateway. */
export const movedMessage = z.object({sequence: z.number(), record: recordColumn});

/** The messages of such rows, oldest first. */
export function oldestFirst(rows: ReadonlyArray<z.output<typeof movedMessage>>): readonly OutgoingMessage[] {
	return rows.toSorted((first, second) => first.sequence - second.sequence).map(({record}) => record);
}

const readableMessage = z
	.object({
		state: messageState,
		detail: z.string().nullable(),
		changedAt: z.number(),
		record: recordColumn,
		node: nodeColumn,
	})
	.transform(({record, detail, ...row}): OutgoingMessageRow => ({...record, ...row, detail: detail ?? undefined}));

/** The part that is shown of a message whose row cannot be read. */
const unreadableMessage = z
	.object({id: z.string(), eventId: z.string(), changedAt: z.number(), node: nodeColumn})
	.transform(
		(row): OutgoingMessageRow => ({
			...row,
			state: 'unreadable',
			detail: unreadableReason,
			target: '',
			text: '',
			extra: {},
			deliveryId: '',
			route: '',
		}),
	);

/** A row of a list of messages. */
export const messageRow: z.ZodType<OutgoingMessageRow> = z.union([readableMessage, unreadableMessage]);

/** The runs of some messages. */
export function runIds(messages: readonly OutgoingMessage[]): readonly string[] {
	return messages.flatMap(({runId}) => runId ?? []);
}

/** Why an inbox item is open although somebody has answered it. */
export function answeredBefore(detail: string): string {
	return `answered by a person: ${detail}`;
}
