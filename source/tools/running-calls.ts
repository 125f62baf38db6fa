import {followSignal} from '../util/abort-signal.ts';
import {type Clock} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {orderedId} from '../util/random-id.ts';

/** The running calls, so that a person can cancel one. */
export type RunningCalls = {
	/** Adds a call with a new id; its signal aborts with the caller's, or when a person cancels it. */
	readonly enter: (signal: AbortSignal) => {
		readonly id: string;
		readonly signal: AbortSignal;
		readonly leave: () => void;
	};
	/** Cancels a call. False when it is not running. */
	readonly cancel: (id: string) => boolean;
};

/** Creates an empty list. */
export function createRunningCalls(clock: Pick<Clock, 'now'>): RunningCalls {
	const calls = new Map<string, AbortController>();
	return {
		enter(signal) {
			// Ordered ids put rows of calls side by side, which costs a commit fewer pages than scattered ones.
			const id = orderedId(clock.now());
			const controller = new AbortController();
			const endFollowing = followSignal(controller, signal);
			calls.set(id, controller);
			return {
				id,
				signal: controller.signal,
				leave() {
					endFollowing();
					calls.delete(id);
				},
			};
		},
		cancel(id) {
			const controller = calls.get(id);
			controller?.abort(new Problem('cancelled', {message: 'A person cancelled the call'}));
			return controller !== undefined;
		},
	};
}
