import {type EventRecord, type Journal, type RunRecord} from '../../source/journal/journal.ts';

/** The part of the journal that webhooks use, kept in memory. */
export type MemoryJournal = Pick<Journal, 'acceptEvent' | 'recordEvent' | 'settleEvent' | 'releaseDelivery'> & {
	/** Every row, in order; an accepted one takes over its end when it is settled. */
	readonly rows: EventRecord[];
	readonly runs: RunRecord[];
	/** The delivery ids that are claimed, as `route id`. */
	readonly claimed: Map<string, number>;
	/** Makes the next acceptances fail with this error. */
	breakWith: (error: Error) => void;
};

/** Opens an empty journal. */
export function createMemoryJournal(now: () => number = () => 0): MemoryJournal {
	const rows: EventRecord[] = [];
	const runs: RunRecord[] = [];
	const claimed = new Map<string, number>();
	let failure: Error | undefined;
	return {
		rows,
		runs,
		claimed,
		breakWith(error) {
			failure = error;
		},
		async acceptEvent({event, deduplicateUntil, run, queueLimit = Number.POSITIVE_INFINITY}) {
			if (failure) {
				throw failure;
			}

			const claim = `${event.route} ${event.deliveryId}`;
			if (deduplicateUntil !== undefined && (claimed.get(claim) ?? 0) > now()) {
				return 'duplicate';
			}

			if (run && runs.length >= queueLimit) {
				return 'queue-full';
			}

			if (deduplicateUntil !== undefined) {
				claimed.set(claim, deduplicateUntil);
			}

			rows.push(event);
			if (run) {
				runs.push(run);
			}

			return 'accepted';
		},
		recordEvent: event => void rows.push(event),
		settleEvent(id, end) {
			const index = rows.findIndex(row => row.id === id);
			rows[index] = {...rows[index]!, ...end};
		},
		async releaseDelivery(route, deliveryId) {
			claimed.delete(`${route} ${deliveryId}`);
		},
	};
}
