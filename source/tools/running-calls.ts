import {followSignal} from '../util/follow-signal.ts';
import {Problem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';

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
export function createRunningCalls(): RunningCalls {
	const calls = new Map<string, AbortController>();
	return {
		enter(signal) {
			const id = randomId();
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
