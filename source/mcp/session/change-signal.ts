import {untilAborted} from '../../util/clock.ts';

/** Lets callers wait for the next change. */
export type ChangeSignal = {
	readonly report: () => void;
	/** Resolves at the next `report`; rejects with the signal's reason if that aborts first. */
	readonly next: (signal: AbortSignal) => Promise<void>;
};

/** Creates a change signal; callers that stopped waiting are removed. */
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
