import {z} from 'zod';
import {type OutgoingMessageRow} from './records.ts';
import {
	type MessageAttempts,
	type OutgoingMessage,
	type OutgoingMessageState,
	type SendProgress,
	type StoredMessage,
} from './message-records.ts';
import {eventCaller} from './caller-rows.ts';
import {nodeColumn} from './node-rows.ts';
import {destinations, extraKeys, jsonColumn, unreadableReason} from './read-rows.ts';

/** A list of messages; `eventId` limits it to one event. */
export type OutgoingMessageQuery = {
	readonly states?: readonly OutgoingMessageState[];
	readonly eventId?: string;
	readonly limit: number;
};

/** Selects the messages of a delivery that a sender repeats, since this time in milliseconds since the epoch. */
export type RepeatedDelivery = {readonly route: string; readonly deliveryId: string; readonly since: number};

/** The next state of a message, and the current time in milliseconds since the epoch. */
export type MessageChange = {readonly state: OutgoingMessageState; readonly detail?: string; readonly now: number};

/** The same for a message whose sending ends. */
export type MessageOutcome = MessageChange & {readonly attempts?: MessageAttempts | undefined};

/** Outcome of a write that ends a sending. */
export type MessageFinish = 'changed' | 'unchanged' | 'taken';

/** A message that was reported as not written, the state in which it was, and why it is not sent. */
export type WithdrawnMessage = {readonly from: 'pending' | 'sending'; readonly detail: string; readonly now: number};

/** The column that holds the state of a message. */
export const messageState = z.enum({
	pending: 'pending',
	sending: 'sending',
	retrying: 'retrying',
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
	extra: extraKeys,
	deliveryId: z.string(),
	route: z.string(),
	job: z.string().optional(),
	others: z.array(z.string()).optional(),
	caller: eventCaller.optional(),
	about: z.literal('failure').optional(),
	onFailure: destinations.optional(),
});

const recordColumn = z.string().transform(jsonColumn).pipe(messageRecord);

const sendProgress: z.ZodType<SendProgress> = z.object({
	attempts: z.int(),
	firstAt: z.number(),
	parts: z.object({sent: z.int(), all: z.int()}).optional(),
	cause: z.literal('settings').optional(),
});

/** Absent before the first attempt that failed. */
const progressColumn = z
	.string()
	.nullish()
	.transform(text => (text === null || text === undefined ? undefined : jsonColumn(text)))
	.pipe(sendProgress.optional());

/** A message that was moved to another state, or to another gateway. */
export const movedMessage = z.object({sequence: z.number(), record: recordColumn, progress: progressColumn});

/** The messages of such rows, oldest first. */
export function oldestFirst(rows: ReadonlyArray<z.output<typeof movedMessage>>): readonly StoredMessage[] {
	return rows
		.toSorted((first, second) => first.sequence - second.sequence)
		.map(({record, progress}) => ({...record, ...(progress && {progress})}));
}

/** The time at which the next message is sent again. */
export const nextTime = z.object({at: z.number().nullable()});

const readableMessage = z
	.object({
		state: messageState,
		detail: z.string().nullable(),
		changedAt: z.number(),
		nextAt: z.number().nullish(),
		progress: progressColumn,
		record: recordColumn,
		node: nodeColumn,
	})
	.transform(
		({record, detail, nextAt, progress, ...row}): OutgoingMessageRow => ({
			...record,
			...row,
			detail: detail ?? undefined,
			...(nextAt !== null && nextAt !== undefined && {nextAt}),
			...(progress && {progress}),
		}),
	);

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
