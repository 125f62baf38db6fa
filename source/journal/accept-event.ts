import {type AnswerTable} from './answers.ts';
import {type DeliveryTable} from './deliveries.ts';
import {type EventTable} from './events.ts';
import {type QueuedRuns} from './queued-runs.ts';
import {type AnswerRecord, type EventRecord, type RunRecord} from './records.ts';
import {type WaitingCount} from './waiting-count.ts';
import {type WindowTable} from './windows.ts';

/** A webhook event that passed every rule, with the run it leads to, if any. */
export type AcceptRequest = {
	readonly event: EventRecord;
	/** Until when (milliseconds since the epoch) the delivery id of the route is refused. Absent: no deduplication. */
	readonly deduplicateUntil?: number;
	/** Until `settleEvent` says that its job was asked, the claim is given back at the next start. */
	readonly isOpen?: boolean;
	/** The message that is about to be sent and for which the sender waits: kept as being sent. */
	readonly message?: AnswerRecord;
	readonly run?: RunRecord;
	/** The key of the coalescing window in which the run waits for later events; absent: it is queued. */
	readonly windowKey?: string;
	/** How many runs may wait, open windows counted; absent: any number. What replaces a waiting run needs no place. */
	readonly queueLimit?: number;
};

/** Anything but `accepted` means that nothing was written. */
export type AcceptOutcome = 'accepted' | 'duplicate' | 'queue-full';

/**
Claims the delivery id and keeps event, run and message, all or nothing. Runs inside one transaction.
A full queue leaves the delivery id free, so that the sender's next try is no duplicate (docs/webhooks.md, Accepted means kept).
*/
export function acceptEvent(
	tables: {
		readonly events: EventTable;
		readonly answers: AnswerTable;
		readonly deliveries: DeliveryTable;
		readonly queue: QueuedRuns;
		readonly windows: WindowTable;
		readonly waiting: WaitingCount;
	},
	request: AcceptRequest,
	now: number,
): AcceptOutcome {
	const {events, answers, deliveries, queue, windows, waiting} = tables;
	const {event, deduplicateUntil, isOpen, message, run, queueLimit, windowKey} = request;
	const {route, deliveryId} = event;
	const window = windowKey === undefined ? undefined : {route, key: windowKey};
	if (deduplicateUntil !== undefined && deliveries.isClaimed({route, deliveryId, now})) {
		return 'duplicate';
	}

	const needsPlace = run && queueLimit !== undefined && !(window && windows.has(window));
	if (needsPlace && waiting.value() >= queueLimit) {
		return 'queue-full';
	}

	if (deduplicateUntil !== undefined) {
		deliveries.claim({route, deliveryId, expiresAt: deduplicateUntil, openEvent: isOpen ? event.id : undefined});
	}

	if (message) {
		answers.insert(message, {state: 'sending', now});
	}

	const place = events.insert(event);
	if (run && window) {
		windows.put(window, run, place);
	} else if (run) {
		queue.insert(run, place);
	}

	return 'accepted';
}
