import {type Clock, type Timer} from '../util/clock.ts';

/** Taking is work like answering, and in a flood of events the answers go first: the inbox fills at its own pace, many at a time. */
export type Pace = {
	/** So many went through. */
	readonly count: (passed: number) => void;
	/** Resolves when the next may go: at once for a few after a rest, else after a moment. */
	readonly wait: () => Promise<void>;
	/** Lets everybody go who waits. */
	readonly end: () => void;
};

/** So many may go one by one; each is used up until a moment has passed for it. */
const mostFreePassages = 8;
const momentMilliseconds = 20;

/** Opens a pace for one who waits at a time. */
export function createPace(clock: Clock): Pace {
	let free = mostFreePassages;
	let since = clock.elapsed();
	let waiting: {readonly timer: Timer; readonly goOn: () => void} | undefined;
	const refill = () => {
		const moments = Math.floor((clock.elapsed() - since) / momentMilliseconds);
		free = Math.min(mostFreePassages, free + moments);
		since += moments * momentMilliseconds;
	};

	return {
		count(passed) {
			refill();
			free = Math.max(0, free - passed);
		},
		async wait() {
			refill();
			if (free > 0) {
				return;
			}

			await new Promise<void>(resolve => {
				const left = momentMilliseconds - (clock.elapsed() - since);
				waiting = {timer: clock.after(left, resolve), goOn: resolve};
			});
		},
		end() {
			waiting?.timer.cancel();
			waiting?.goOn();
		},
	};
}
