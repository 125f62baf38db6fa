import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {isDelivery, type Outcome} from '../http/outcome.ts';

/** The messages that are being sent while their senders wait, by route and delivery id. */
export type PendingDeliveries = {
	/**
	Begins the delivery of an event. While one of the same id is under way, a retry waits for it and gets its answer instead
	(docs/webhooks.md, Answers); when that one gave its id back, the next retry begins again.
	*/
	readonly join: (event: NamedEvent, begin: () => Promise<Outcome>) => Promise<Outcome>;
};

type NamedEvent = {readonly route: string; readonly deliveryId: string; readonly eventId: string};

type Pending = {readonly eventId: string; readonly outcome: Promise<Outcome>};

const longestWaitMilliseconds = 30_000;
/** So many requests may wait at once, each with its body in memory. */
const mostWaiting = 64;

/** Opens the list; nothing is under way. `signal` aborts when what was begun is given up. */
export function createPendingDeliveries(options: {
	readonly clock: Clock;
	readonly signal: AbortSignal;
}): PendingDeliveries {
	const {clock, signal} = options;
	const pending = new Map<string, Pending>();
	let waiting = 0;

	const waitFor = async ({eventId, outcome}: Pending): Promise<Outcome> => {
		if (waiting >= mostWaiting) {
			return {kind: 'delivery-in-progress'};
		}

		waiting++;
		const reason = () => new Error('The delivery takes too long to wait for it');
		const deadline = openDeadline(clock, longestWaitMilliseconds, {signal, reason});
		try {
			return sameAs(await untilAborted(outcome, deadline.signal), eventId);
		} catch (error) {
			if (!deadline.signal.aborted) {
				throw error;
			}

			return {kind: signal.aborted ? 'stopping' : 'delivery-in-progress'};
		} finally {
			waiting--;
			deadline.cancel();
		}
	};

	return {
		join({route, deliveryId, eventId}, begin) {
			const key = JSON.stringify([route, deliveryId]);
			const first = pending.get(key);
			if (first) {
				return waitFor(first);
			}

			// On the list before the id is claimed: a retry that comes between the two waits as well.
			const outcome = begin().finally(() => pending.delete(key));
			pending.set(key, {eventId, outcome});
			return outcome;
		},
	};
}

/** Only what was sent is told apart from it; a refusal of the first is that of the others, too. */
function sameAs(outcome: Outcome, eventId: string): Outcome {
	return isDelivery(outcome) ? {kind: 'same-delivery', eventId, outcome} : outcome;
}
