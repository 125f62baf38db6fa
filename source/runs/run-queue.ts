import {type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {reportProblem} from './report-problem.ts';

/** Takes runs from the journal and works on a bounded number of them at once. */
export type RunQueue = {
	/** Something was queued. Cheap; call it as often as you like. */
	readonly wake: () => void;
	/** Takes nothing more, gives begun work ten seconds, then aborts its signal. Resolves when all work has ended. */
	readonly stop: () => Promise<void>;
};

const graceMilliseconds = 10_000;
const retryMilliseconds = 5000;

/** Opens the queue, the only taker of the journal's. `work` must end soon after its signal aborts. */
export function createRunQueue(options: {
	readonly take: () => Promise<RunRecord | undefined>;
	readonly work: (run: RunRecord, options: {readonly signal: AbortSignal}) => Promise<void>;
	readonly maximumConcurrentRuns: number;
	readonly clock: Clock;
	/** Told when work rejects, and when the journal cannot be asked; the queue asks again by itself. */
	readonly publish: Publish;
}): RunQueue {
	const {take, work, maximumConcurrentRuns, clock, publish} = options;
	const ending = new AbortController();
	const active = new Set<Promise<void>>();
	let phase: 'open' | 'stopped' = 'open';
	let isWoken = false;
	let filling: Promise<void> | undefined;
	let retry: Timer | undefined;

	const isOpen = () => phase === 'open';
	const begin = (run: RunRecord) => {
		// Given out while the stop came: it has begun by the journal's word, and must not go far.
		const signal = isOpen() ? ending.signal : AbortSignal.abort(stopReason());
		const running = work(run, {signal})
			.catch((caught: unknown) => reportProblem(publish, caught))
			.finally(() => {
				active.delete(running);
				wake();
			});
		active.add(running);
	};

	/** Takes until nothing waits or all places are taken, and looks again when woken meanwhile. */
	const fill = async () => {
		while (isWoken && isOpen()) {
			isWoken = false;
			while (isOpen() && active.size < maximumConcurrentRuns) {
				const run = await take();
				if (!run) {
					break;
				}

				begin(run);
			}
		}
	};

	const wake = () => {
		isWoken = true;
		filling ??= fill()
			.catch((caught: unknown) => {
				reportProblem(publish, caught);
				retry?.cancel();
				retry = clock.after(retryMilliseconds, wake);
			})
			.finally(() => {
				filling = undefined;
				if (isWoken && isOpen()) {
					wake();
				}
			});
	};

	return {
		wake,
		async stop() {
			phase = 'stopped';
			const deadline = clock.after(graceMilliseconds, () => ending.abort(stopReason()));
			await filling;
			await Promise.all(active);
			deadline.cancel();
			retry?.cancel();
		},
	};
}

function stopReason(): Problem {
	return new Problem('cancelled', {message: 'the gateway stopped'});
}
