import {type Clock} from '../../util/clock.ts';

/** Counts work under way, so that a stop can wait for it. */
export type InFlight = {
	/** Settles like `work`, and counts until then. */
	readonly track: <Value>(work: Promise<Value>) => Promise<Value>;
	/** Resolves when nothing is under way, at the latest after `milliseconds`. */
	readonly drained: (milliseconds: number) => Promise<void>;
};

/** Opens a counter at zero. */
export function createInFlight(clock: Clock): InFlight {
	const waiting = new Set<() => void>();
	let count = 0;
	const leave = () => {
		count--;
		if (count === 0) {
			for (const wake of waiting) {
				wake();
			}
		}
	};

	return {
		async track(work) {
			count++;
			try {
				return await work;
			} finally {
				leave();
			}
		},
		drained(milliseconds) {
			return new Promise(resolve => {
				const finish = () => {
					waiting.delete(finish);
					timer.cancel();
					resolve();
				};

				const timer = clock.after(milliseconds, finish);
				waiting.add(finish);
				if (count === 0) {
					finish();
				}
			});
		},
	};
}
