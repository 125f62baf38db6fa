import {type DeliveryTable} from './deliveries.ts';
import {type EventTable} from './events.ts';
import {type EventRecord, type RunRecord} from './records.ts';
import {type RunTable} from './runs.ts';

/** A webhook event that passed every rule, with the run it leads to, if any. */
export type AcceptRequest = {
	readonly event: EventRecord;
	/** Until when (milliseconds since the epoch) the delivery id of the route is refused. Absent: no deduplication. */
	readonly deduplicateUntil?: number;
	readonly run?: RunRecord;
	/** How many runs may wait; absent: any number. */
	readonly queueLimit?: number;
};

/** Anything but `accepted` means that nothing was written. */
export type AcceptOutcome = 'accepted' | 'duplicate' | 'queue-full';

/**
Claims the delivery id and keeps event and run, all or nothing. Runs inside one transaction.
A full queue leaves the delivery id free, so that the sender's next try is no duplicate (spec/decisions.md, D8).
*/
export function acceptEvent(
	tables: {readonly events: EventTable; readonly deliveries: DeliveryTable; readonly runs: RunTable},
	request: AcceptRequest,
	now: number,
): AcceptOutcome {
	const {events, deliveries, runs} = tables;
	const {event, deduplicateUntil, run, queueLimit} = request;
	const {route, deliveryId} = event;
	if (deduplicateUntil !== undefined && deliveries.isClaimed({route, deliveryId, now})) {
		return 'duplicate';
	}

	if (run && queueLimit !== undefined && runs.countQueued() >= queueLimit) {
		return 'queue-full';
	}

	if (deduplicateUntil !== undefined) {
		deliveries.claim({route, deliveryId, expiresAt: deduplicateUntil});
	}

	events.insert(event);
	if (run) {
		runs.insert(run);
	}

	return 'accepted';
}
