import {type Clock, type Timer} from '../util/clock.ts';

/** Limits how often runs are parked in the inbox, so that webhook responses keep priority in a flood of events. */
export type TokenBucket = {
	/** Takes this many tokens. */
	readonly count: (taken: number) => void;
	/** Resolves when a token is free. */
	readonly wait: () => Promise<void>;
	/** Ends the wait. */
	readonly end: () => void;
};

const maxTokens = 8;
const refillMilliseconds = 20;

/** Creates a full bucket, for one waiter at a time. */
export function createTokenBucket(clock: Clock): TokenBucket {
	let free = maxTokens;
	let since = clock.elapsed();
	let waiting: {readonly timer: Timer; readonly resume: () => void} | undefined;
	const refill = () => {
		const refills = Math.floor((clock.elapsed() - since) / refillMilliseconds);
		free = Math.min(maxTokens, free + refills);
		since += refills * refillMilliseconds;
	};

	return {
		count(taken) {
			refill();
			free = Math.max(0, free - taken);
		},
		async wait() {
			refill();
			if (free > 0) {
				return;
			}

			await new Promise<void>(resolve => {
				const left = refillMilliseconds - (clock.elapsed() - since);
				waiting = {timer: clock.after(left, resolve), resume: resolve};
			});
		},
		end() {
			waiting?.timer.cancel();
			waiting?.resume();
		},
	};
}
