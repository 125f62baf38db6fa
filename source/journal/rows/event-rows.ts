import {z} from 'zod';
import {type EventFilter} from '../../state/json/event.ts';
import {webhookOutcomes} from '../../state/work-event.ts';
import {type EventRecord} from './records.ts';
import {nodeColumn} from './node-rows.ts';
import {jsonColumn} from './read-rows.ts';

/**
Selects the events of a list: since a time and before another, in milliseconds since the epoch. Events of one profile are searched among the newest
10,000, or among those of the route.
*/
export type EventQuery = EventFilter & {readonly limit: number; readonly profile?: string};

/** The reason of a replay begins with this, and the id of the event follows. */
export const replayMark = 'replay of ';

/** The stored outcome of a webhook request. */
export const webhookOutcome = z.enum(webhookOutcomes);

/** A row of a list of events. */
export const eventRow = z.object({
	id: z.string(),
	time: z.number(),
	profile: z.string(),
	route: z.string(),
	event: z.string(),
	deliveryId: z.string(),
	status: z.number(),
	outcome: webhookOutcome,
	reason: z
		.string()
		.nullable()
		.transform(reason => reason ?? undefined),
	ms: z.number(),
	node: nodeColumn,
});

const eventTrace = z.object({
	signature: z.string().optional(),
	filter: z.string().optional(),
	script: z.string().optional(),
	text: z.string().optional(),
	target: z.string().optional(),
});

/** The content of an event as a row has it. Headers are pairs, because a header may be named `__proto__`. */
export const storedEvent = eventRow.extend({
	headers: z
		.string()
		.transform(jsonColumn)
		.pipe(z.array(z.tuple([z.string(), z.string()]))),
	trace: z
		.string()
		.nullable()
		.transform(trace => (trace === null ? undefined : jsonColumn(trace)))
		.pipe(eventTrace.optional()),
});

/** The event of a row and its body. */
export function toEventRecord(
	{headers, trace, ...row}: z.output<typeof storedEvent>,
	body: Uint8Array | undefined,
): EventRecord {
	return {...row, ...(trace && {trace}), headers: Object.fromEntries(headers), body};
}

/** The end of an event that fired nothing, and whose delivery id was released after its gateway was gone: a gateway that is back asks the sender to retry. */
export const jobNotAsked = {
	status: 503,
	outcome: 'unavailable',
	reason: 'the gateway stopped before its job was asked',
} as const;

/** A delivery id that a route received. */
export type DeliveryName = {readonly route: string; readonly deliveryId: string};

/** The claim of a delivery id. */
export type DeliveryClaim = DeliveryName & {
	readonly expiresAt: number;
	/** The event whose outcome decides whether the claim stays; absent: it stays. */
	readonly openEvent?: string;
};
