import {untilAborted} from '../../util/clock.ts';

/** Lets somebody wait until something has changed. */
export type ChangeSignal = {
	readonly report: () => void;
	/** Resolves at the next `report`; rejects with the signal's reason when that aborts first. */
	readonly next: (signal: AbortSignal) => Promise<void>;
};

/** Opens a change signal; it forgets whoever has stopped waiting. */
export function createChangeSignal(): ChangeSignal {
	const waiters = new Set<() => void>();
	return {
		report() {
			for (const waiter of waiters) {
				waiter();
			}
		},
		async next(signal) {
			let waiter: () => void = () => {};
			const changed = new Promise<void>(resolve => {
				waiter = resolve;
			});
			waiters.add(waiter);
			try {
				await untilAborted(changed, signal);
			} finally {
				waiters.delete(waiter);
			}
		},
	};
}
