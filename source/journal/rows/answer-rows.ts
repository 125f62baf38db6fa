import {z} from 'zod';
import {type JsonObject, isJsonObject} from '../../util/json-text.ts';
import {type OutgoingMessage, type OutgoingMessageRow, type OutgoingMessageState} from './records.ts';
import {nodeColumn} from './node-rows.ts';
import {jsonColumn, unreadableReason} from './read-rows.ts';

/** Which answers a list has; `eventId` limits it to one event. */
export type OutgoingMessageQuery = {
	readonly states?: readonly OutgoingMessageState[];
	readonly eventId?: string;
	readonly limit: number;
};

/** The next state of an answer, and the current time in milliseconds since the epoch. */
export type MessageChange = {readonly state: OutgoingMessageState; readonly detail?: string; readonly now: number};

/** What became of the end of a sending. */
export type MessageFinish = 'changed' | 'unchanged' | 'taken';

/** A message that was reported as not written, the state in which it was, and why it is not sent. */
export type WithdrawnMessage = {readonly from: 'pending' | 'sending'; readonly detail: string; readonly now: number};

/** The column that holds the state of an answer. */
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

/** An answer that was moved to another state, or to another gateway. */
export const movedMessage = z.object({sequence: z.number(), record: recordColumn});

/** The answers of such rows, oldest first. */
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
const otherAnswer = z.object({id: z.string(), eventId: z.string(), changedAt: z.number(), node: nodeColumn}).transform(
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

/** A row of a list of answers. */
export const messageRow: z.ZodType<OutgoingMessageRow> = z.union([readableMessage, otherAnswer]);

/** The runs of some answers. */
export function runIds(answers: readonly OutgoingMessage[]): readonly string[] {
	return answers.flatMap(({runId}) => runId ?? []);
}

/** Why an inbox item is open although somebody has answered it. */
export function answeredBefore(detail: string): string {
	return `answered by a person: ${detail}`;
}
