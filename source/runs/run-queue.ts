import {type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {createPace} from './pace.ts';
import {reportProblem} from './report-problem.ts';
import {type TakeRuns} from './take-runs.ts';

/** Takes runs from the journal and works on a bounded number of them at once. */
export type RunQueue = {
	/** Something was queued. Cheap; call it as often as you like. */
	readonly wake: () => void;
	/** Aborts the signal of a begun run with `cancelledByPerson`; false when it is not under way. */
	readonly cancel: (runId: string) => boolean;
	/** Takes nothing more, gives begun work ten seconds, then aborts its signal. Resolves when all work has ended. */
	readonly stop: () => Promise<void>;
};

/** Why the signal of a run aborts when a person wants it to end. */
export const cancelledByPerson = new Problem('cancelled', {message: 'cancelled by a person'});

const graceMilliseconds = 10_000;
const retryMilliseconds = 5000;

/** What the queue takes from, and hands to. */
export type RunQueueOptions = {
	readonly take: TakeRuns;
	readonly work: (run: RunRecord, options: {readonly signal: AbortSignal}) => Promise<void>;
	/** Told of the runs that went into the inbox together; there may be none. */
	readonly park: (runs: readonly RunRecord[]) => void;
	/** Read before each run is taken; one that sinks ends nothing. After a rise, `wake`. */
	readonly maximumConcurrentRuns: () => number;
	readonly clock: Clock;
	/** Told when work rejects, and when the journal cannot be asked; the queue asks again by itself. */
	readonly publish: Publish;
};

/** Opens the queue, the only taker of the journal's. `work` must end soon after its signal aborts. */
export function createRunQueue(options: RunQueueOptions): RunQueue {
	const {take, work, park, maximumConcurrentRuns, clock, publish} = options;
	const pace = createPace(clock);
	const ending = new AbortController();
	const active = new Map<Promise<void>, {readonly runId: string; readonly cancel: () => void}>();
	let phase: 'open' | 'stopped' = 'open';
	let isWoken = false;
	let filling: Promise<void> | undefined;
	let retry: Timer | undefined;

	const isOpen = () => phase === 'open';
	const begin = (run: RunRecord) => {
		// Given out while the stop came: it has begun by the journal's word, and must not go far.
		const stop = isOpen() ? ending.signal : AbortSignal.abort(stopReason());
		const own = new AbortController();
		const running = work(run, {signal: AbortSignal.any([stop, own.signal])})
			.catch((caught: unknown) => reportProblem(publish, caught))
			.finally(() => {
				active.delete(running);
				wake();
			});
		active.set(running, {runId: run.id, cancel: () => own.abort(cancelledByPerson)});
	};

	/** Takes until nothing waits or all places are taken, and looks again when woken meanwhile. */
	const fill = async () => {
		while (isWoken && isOpen()) {
			isWoken = false;
			while (isOpen() && active.size < maximumConcurrentRuns()) {
				await pace.wait();
				const taken = await take(maximumConcurrentRuns() - active.size);
				if (taken.length === 0) {
					break;
				}

				taken.filter(({kind}) => kind === 'begun').forEach(({run}) => begin(run));
				const toInbox = taken.filter(({kind}) => kind === 'parked').map(({run}) => run);
				park(toInbox);
				pace.count(toInbox.length);
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
		cancel(runId) {
			const found = [...active.values()].find(one => one.runId === runId);
			found?.cancel();
			return found !== undefined;
		},
		async stop() {
			phase = 'stopped';
			pace.end();
			const deadline = clock.after(graceMilliseconds, () => ending.abort(stopReason()));
			await filling;
			await Promise.all(active.keys());
			deadline.cancel();
			retry?.cancel();
		},
	};
}

function stopReason(): Problem {
	return new Problem('cancelled', {message: 'the gateway stopped'});
}
