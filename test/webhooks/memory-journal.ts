import {withNote} from '../../source/journal/rows/run-rows.ts';
import {type EventRecord, type RunRecord, type WindowRow} from '../../source/journal/journal.ts';
import {type AdapterOptions} from '../../source/webhooks/webhook-adapter.ts';

/** The part of the journal that webhooks use, in memory. */
export type MemoryJournal = AdapterOptions['journal'] & {
	/** Every row, in order; an accepted one takes over its end when it is settled. */
	readonly rows: EventRecord[];
	readonly runs: RunRecord[];
	/** The delivery ids that are claimed, as `route id`. */
	readonly claimed: Map<string, number>;
	/** Makes the next acceptances fail with this error. */
	breakWith: (error: Error | undefined) => void;
};

/** Opens an empty journal. */
export function createMemoryJournal(now: () => number = () => 0): MemoryJournal {
	const rows: EventRecord[] = [];
	const runs: RunRecord[] = [];
	const claimed = new Map<string, number>();
	const windows = new Map<string, WindowRow & {readonly run: RunRecord; readonly superseded: number}>();
	let failure: Error | undefined;
	return {
		rows,
		runs,
		claimed,
		breakWith(error) {
			failure = error;
		},
		async acceptEvent({event, deduplicateUntil, run, windowKey, queueLimit = Number.POSITIVE_INFINITY}) {
			if (failure) {
				throw failure;
			}

			const signature = `${event.route} ${event.deliveryId}`;
			if (deduplicateUntil !== undefined && (claimed.get(signature) ?? 0) > now()) {
				return 'duplicate';
			}

			const waiting = windowKey === undefined ? undefined : windows.get(`${event.route} ${windowKey}`);
			if (run && !waiting && runs.length + windows.size >= queueLimit) {
				return 'queue-full';
			}

			if (deduplicateUntil !== undefined) {
				claimed.set(signature, deduplicateUntil);
			}

			rows.push(event);
			if (run && windowKey !== undefined) {
				windows.set(`${event.route} ${windowKey}`, {
					route: event.route,
					key: windowKey,
					firstAt: waiting?.firstAt ?? run.createdAt,
					lastAt: run.createdAt,
					run,
					superseded: waiting ? waiting.superseded + 1 : 0,
				});
			} else if (run) {
				runs.push(run);
			}

			return 'accepted';
		},
		async takeDueWindow(window) {
			await this.takeWindow(window);
			return undefined;
		},
		async takeWindow({route, key}) {
			if (failure) {
				throw failure;
			}

			const taken = windows.get(`${route} ${key}`);
			const run = taken && withNote(taken.run, taken.superseded);
			windows.delete(`${route} ${key}`);
			if (run) {
				runs.push(run);
			}

			return run;
		},
		listWindows: async () => [...windows.values()],
		recordEvent: event => void rows.push(event),
		settleEvent(id, end) {
			const index = rows.findIndex(row => row.id === id);
			rows[index] = {...rows[index]!, ...end};
		},
		async confirmEvent(id, end) {
			this.settleEvent(id, end);
			return 'settled';
		},
		async takeQuotaBlock() {
			throw new Error('it is not in a database');
		},
		releaseOpenDeliveries() {},
		listDeliveryMessages: async () => [],
		async endDelivery(event, ends) {
			const index = rows.findIndex(row => row.id === event.id);
			rows[index] = {...rows[index]!, ...event};
			if (ends.some(({state}) => state === 'failed')) {
				claimed.delete(`${event.route} ${event.deliveryId}`);
			}
		},
	};
}
