import {type Clock, type Timer} from '../util/clock.ts';

/** Taking is work like answering, and in a flood of events the answers go first: the inbox fills at its own pace, many at a time. */
export type TokenBucket = {
	/** So many went through. */
	readonly count: (taken: number) => void;
	/** Resolves when the next may go: at once for a few after a rest, else after a moment. */
	readonly wait: () => Promise<void>;
	/** Lets everybody go who waits. */
	readonly end: () => void;
};

/** So many may go one by one; each is used up until a moment has passed for it. */
const mostTokens = 8;
const refillMilliseconds = 20;

/** Opens a pace for one who waits at a time. */
export function createTokenBucket(clock: Clock): TokenBucket {
	let free = mostTokens;
	let since = clock.elapsed();
	let waiting: {readonly timer: Timer; readonly resume: () => void} | undefined;
	const refill = () => {
		const refills = Math.floor((clock.elapsed() - since) / refillMilliseconds);
		free = Math.min(mostTokens, free + refills);
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
