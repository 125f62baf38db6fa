import {type Clock} from '../util/clock.ts';
import {followSignal} from '../util/follow-signal.ts';
import {orderedId} from '../util/ordered-id.ts';
import {Problem} from '../util/problem.ts';

/** The calls that are under way, so that a person can call one off. */
export type RunningCalls = {
	/** Enters a call under a fresh id; its signal aborts with the caller's, or when it is called off. */
	readonly enter: (signal: AbortSignal) => {
		readonly id: string;
		readonly signal: AbortSignal;
		readonly leave: () => void;
	};
	/** Calls a call off. False when it is not under way. */
	readonly cancel: (id: string) => boolean;
};

/** Opens an empty list. */
export function createRunningCalls(clock: Pick<Clock, 'now'>): RunningCalls {
	const calls = new Map<string, AbortController>();
	return {
		enter(signal) {
			// Rows of calls that lie side by side cost a commit fewer pages than scattered ones.
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
			controller?.abort(new Problem('cancelled', {message: 'A person called the call off'}));
			return controller !== undefined;
		},
	};
}
