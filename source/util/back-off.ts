import {type Clock, type Timer} from './clock.ts';

/** Tries something again after pauses that grow. */
export type BackOff = {
	/** Calls `attempt` once after the next pause; an earlier call that is still due is dropped. */
	readonly schedule: (attempt: () => void) => void;
	/** Drops the call that is due; the next pause is the first again. */
	readonly reset: () => void;
};

/** Creates a back-off whose pauses double from `firstMilliseconds` up to `longestMilliseconds`. */
export function createBackOff(
	clock: Clock,
	{firstMilliseconds, longestMilliseconds}: {readonly firstMilliseconds: number; readonly longestMilliseconds: number},
): BackOff {
	let pause = firstMilliseconds;
	let timer: Timer | undefined;
	return {
		schedule(attempt) {
			timer?.cancel();
			timer = clock.after(pause, attempt);
			pause = Math.min(pause * 2, longestMilliseconds);
		},
		reset() {
			timer?.cancel();
			timer = undefined;
			pause = firstMilliseconds;
		},
	};
}

/** The delays before an address that is taken is tried again (docs/webhooks.md, When the receiver does not start). */
export const listenPauses = {firstMilliseconds: 1000, longestMilliseconds: 30_000};
