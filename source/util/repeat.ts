import {type Clock, sleep} from './clock.ts';

/** Work repeated until it is stopped. */
export type Repetition = {
	/** Cancels the current round and resolves when nothing is running. */
	readonly stop: () => Promise<void>;
};

/** Starts rounds, one after the other, with `everyMilliseconds` between the end of one and the start of the next. `work` must not reject. */
export function repeat(options: {
	readonly clock: Clock;
	readonly firstMilliseconds: number;
	readonly everyMilliseconds: number;
	readonly work: (round: number, signal: AbortSignal) => Promise<void>;
}): Repetition {
	const controller = new AbortController();
	const done = loop(options, controller.signal);
	return {
		async stop() {
			controller.abort();
			await done;
		},
	};
}

async function loop(options: Parameters<typeof repeat>[0], signal: AbortSignal): Promise<void> {
	const {clock, firstMilliseconds, everyMilliseconds, work} = options;
	for (let round = 0; !signal.aborted; round++) {
		try {
			await sleep(clock, round === 0 ? firstMilliseconds : everyMilliseconds, signal);
		} catch {
			// Stopped while waiting.
			return;
		}

		await work(round, signal);
	}
}
