import {z} from 'zod';
import {type FailedDelivery} from './records.ts';
import {type OutgoingMessageState} from './message-records.ts';

/** The end of a delivery, and the current time in milliseconds since the epoch. */
export type DeliveryEnd = {
	readonly state: OutgoingMessageState;
	readonly detail?: string;
	readonly now: number;
	/** A repeated write changes nothing and is not counted again. Default: `changed`. */
	readonly write?: 'changed' | 'unchanged';
};

/** A row of the list of failed deliveries. */
export const failedRow: z.ZodType<FailedDelivery> = z.object({
	id: z.string(),
	profile: z.string(),
	route: z.string(),
	job: z.string(),
	target: z.string(),
	failures: z.number(),
	firstAt: z.number(),
	lastAt: z.number(),
	reason: z.string(),
	eventId: z.string(),
});

/** A delivery that may have arrived concerns a person as much as one that did not. */
export function isFailure(state: OutgoingMessageState): boolean {
	return state === 'failed' || state === 'outcome_uncertain';
}
