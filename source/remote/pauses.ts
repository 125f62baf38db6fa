import {type Clock, sleep} from '../util/clock.ts';

/** The pauses before something is tried again. */
export type Pauses = {
	/** Waits for the next pause, but at least so long. Resolves early when the signal aborts; never rejects. */
	readonly wait: (signal: AbortSignal, leastMilliseconds?: number) => Promise<void>;
	/** The next pause is the first again. */
	readonly reset: () => void;
};

const firstMilliseconds = 1000;
const longestMilliseconds = 60_000;
/** No platform is obeyed for longer. */
const longestAskedMilliseconds = 3_600_000;

/** Creates pauses of 1 s, 2 s, 4 s and so on up to a minute, each up to a half longer at random: gateways that lost a platform together do not return together. */
export function createPauses(clock: Clock, random: () => number): Pauses {
	let pause = firstMilliseconds;
	return {
		async wait(signal, leastMilliseconds = 0) {
			const least = Math.min(leastMilliseconds, longestAskedMilliseconds);
			const milliseconds = Math.max(pause, least) * (1 + random() / 2);
			pause = Math.min(pause * 2, longestMilliseconds);
			await sleep(clock, milliseconds, signal).catch(() => undefined);
		},
		reset() {
			pause = firstMilliseconds;
		},
	};
}
