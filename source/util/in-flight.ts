import {untilAborted} from './clock.ts';

/** Tracks running work, for callers that must wait for it or not disturb it. */
export type InFlight = {
	/** Counts `work` until it has settled; settles as it does. */
	readonly track: <Value>(work: Promise<Value>) => Promise<Value>;
	readonly count: () => number;
	/** Resolves when all current work has settled. */
	readonly whenSettled: () => Promise<void>;
	/** Resolves when no work is running, including work started meanwhile; at the latest when the signal aborts. */
	readonly whenEmpty: (signal?: AbortSignal) => Promise<void>;
};

/** Creates an empty set of work. */
export function createInFlight(): InFlight {
	const open = new Set<Promise<unknown>>();
	const whenSettled = async (): Promise<void> => {
		await Promise.allSettled(open);
	};

	const untilEmpty = async (): Promise<void> => {
		while (open.size > 0) {
			await whenSettled();
		}
	};

	return {
		track(work) {
			const tracked = work.finally(() => open.delete(tracked));
			open.add(tracked);
			return tracked;
		},
		count: () => open.size,
		whenSettled,
		whenEmpty: signal => (signal ? untilAborted(untilEmpty(), signal).catch(() => undefined) : untilEmpty()),
	};
}
