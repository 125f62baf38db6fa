import {type Clock, type Timer} from '../util/clock.ts';

/** Taking is work like answering, and in a flood of events the answers go first: the inbox fills at its own pace. */
export type Pace = {
	/** So many went through. */
	readonly count: (passed: number) => void;
	/** Resolves when the next may go: at once for the first few of a moment, else when the moment is over. */
	readonly wait: () => Promise<void>;
	/** Lets everybody go who waits. */
	readonly end: () => void;
};

const freePassages = 8;
const momentMilliseconds = 20;

/** Opens a pace for one who waits at a time. */
export function createPace(clock: Clock): Pace {
	let counted = 0;
	let since = clock.elapsed();
	let waiting: {readonly timer: Timer; readonly goOn: () => void} | undefined;
	return {
		count(passed) {
			if (clock.elapsed() - since >= momentMilliseconds) {
				counted = 0;
				since = clock.elapsed();
			}

			counted += passed;
		},
		async wait() {
			const left = momentMilliseconds - (clock.elapsed() - since);
			if (counted < freePassages || left <= 0) {
				return;
			}

			await new Promise<void>(resolve => {
				waiting = {timer: clock.after(left, resolve), goOn: resolve};
			});
			counted = 0;
		},
		end() {
			waiting?.timer.cancel();
			waiting?.goOn();
		},
	};
}
