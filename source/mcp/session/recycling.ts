import {type Clock, type Timer} from '../../util/clock.ts';

/** The reason that a healthy process is stopped. */
export type RecycleReason = 'idle' | 'age';

/** Tracks the age of a session and how long it has been idle. */
export type Recycling = {
	/** A call has ended: restarts the idle time. */
	readonly used: () => void;
	/** No call is running any more: a recycling that came due during a call may happen now. */
	readonly idle: () => void;
	readonly stop: () => void;
};

/**
Calls `onDue` once when a session is to be recycled, and never while it is in use (docs/connections.md, Keepalive and recycling). Absent limits are off.
*/
export function startRecycling(options: {
	readonly clock: Clock;
	readonly idleSeconds: number | undefined;
	readonly lifetimeSeconds: number | undefined;
	readonly busy: () => boolean;
	readonly onDue: (reason: RecycleReason) => void;
}): Recycling {
	const {clock, idleSeconds, lifetimeSeconds, busy, onDue} = options;
	const timers = new Map<RecycleReason, Timer>();
	let due: RecycleReason | undefined;
	let stopped = false;

	const stop = () => {
		stopped = true;
		timers.forEach(timer => timer.cancel());
	};

	const comeDue = (reason: RecycleReason) => {
		due = reason;
		if (!stopped && !busy()) {
			stop();
			onDue(reason);
		}
	};

	const wait = (reason: RecycleReason, seconds: number | undefined) => {
		timers.get(reason)?.cancel();
		if (seconds !== undefined && !stopped) {
			timers.set(
				reason,
				clock.after(seconds * 1000, () => comeDue(reason)),
			);
		}
	};

	wait('idle', idleSeconds);
	wait('age', lifetimeSeconds);
	return {
		used() {
			due = due === 'idle' ? undefined : due;
			wait('idle', idleSeconds);
		},
		idle() {
			if (due === 'age') {
				// Not at once: the next call may already hold the session and be about to use it.
				wait('age', 0);
			}
		},
		stop,
	};
}
