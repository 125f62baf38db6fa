/** A pending callback. Cancelling twice, or after it ran, does nothing. */
export type Timer = {
	readonly cancel: () => void;
};

/** All access to time. Tests replace it; no other file uses timers or `Date.now`. */
export type Clock = {
	/** Wall-clock time in milliseconds since the epoch. It may jump. */
	readonly now: () => number;
	/** Milliseconds since an arbitrary start; monotonic. For measuring. */
	readonly elapsed: () => number;
	/** Runs `callback` once after `milliseconds`. The timer does not keep the process alive. */
	readonly after: (milliseconds: number, callback: () => void) => Timer;
	/** Runs `callback` after pending input and output was handled. */
	readonly soon: (callback: () => void) => void;
};

/** The maximum delay of a timer; a larger one would fire at once. */
const longestDelayMilliseconds = 2_147_483_647;

/** The system clock. */
export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	after(milliseconds, callback) {
		const timer = setTimeout(callback, Math.min(Math.max(milliseconds, 0), longestDelayMilliseconds));
		timer.unref();
		return {cancel: () => clearTimeout(timer)};
	},
	soon: callback => void setImmediate(callback),
};

/** Keeps the process alive; no other timer of ours does. */
export function keepProcessAwake(): Timer {
	const timer = setInterval(() => undefined, longestDelayMilliseconds);
	return {cancel: () => clearInterval(timer)};
}

/** Waits `milliseconds`. Rejects with the signal's reason if it aborts first. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) {
			reject(signal.reason);
			return;
		}

		const onAbort = () => {
			timer.cancel();
			reject(signal?.reason);
		};

		const timer = clock.after(milliseconds, () => {
			signal?.removeEventListener('abort', onAbort);
			resolve();
		});
		signal?.addEventListener('abort', onAbort, {once: true});
	});
}

/** Waits for the work, or until the time is over. */
export async function atMost(milliseconds: number, work: Promise<unknown>, clock: Clock): Promise<void> {
	const done = new AbortController();
	await Promise.race([work, sleep(clock, milliseconds, done.signal).catch(() => undefined)]);
	done.abort();
}

/** A signal that aborts with `reason()` after `milliseconds`, or with the parent's reason if that aborts first. `cancel` frees the timer. */
export type Deadline = {
	readonly signal: AbortSignal;
	readonly cancel: () => void;
};

/** Starts a deadline. The owner must call `cancel` when the work is over. */
export function openDeadline(
	clock: Clock,
	milliseconds: number,
	options: {readonly signal?: AbortSignal; readonly reason: () => Error},
): Deadline {
	const controller = new AbortController();
	const timer = clock.after(milliseconds, () => controller.abort(options.reason()));
	const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal;
	return {signal, cancel: timer.cancel};
}

/** Settles like `work`, but rejects with the signal's reason as soon as it aborts, even when `work` ignores the signal. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
	return new Promise((resolve, reject) => {
		const onAbort = () => reject(signal.reason);
		if (signal.aborted) {
			onAbort();
		} else {
			signal.addEventListener('abort', onAbort, {once: true});
		}

		work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
	});
}
