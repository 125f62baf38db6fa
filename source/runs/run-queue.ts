import {type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {type ActiveRuns, createActiveRuns, type OnEnd, type Work} from './active-runs.ts';
import {createTokenBucket} from './token-bucket.ts';
import {gatewayStopped, reportProblem} from './run-problems.ts';
import {type TakeRuns} from './take-runs.ts';

/** Takes runs from the journal and works on a bounded number of them at once. */
export type RunQueue = {
	/** Something was queued. Cheap; call it as often as you like. */
	readonly wake: () => void;
	/** Cancels a run under way; see `ActiveRuns`. */
	readonly cancel: ActiveRuns['cancel'];
	/**
	Takes nothing more and aborts the signals of runs that have not asked their model, which go back into the queue; the others get ten seconds before
	theirs abort. Resolves when all work has ended.
	*/
	readonly stop: () => Promise<void>;
};

const restMilliseconds = 5000;

/** What the queue takes from, and hands to. */
export type RunQueueOptions = {
	readonly take: TakeRuns;
	readonly work: Work;
	/** Told of the runs that went into the inbox together; there may be none. */
	readonly park: (runs: readonly RunRecord[]) => void;
	/** Read before each run is taken; one that sinks ends nothing. After a rise, `wake`. */
	readonly maximumConcurrentRuns: () => number;
	readonly clock: Clock;
	/** Told when work rejects, and when nothing can be taken; the queue tries again by itself. */
	readonly publish: Publish;
};

/** Opens the queue, the only taker of the journal's. */
export function createRunQueue(options: RunQueueOptions): RunQueue {
	const {take, work, park, maximumConcurrentRuns, clock, publish} = options;
	const bucket = createTokenBucket(clock);
	const stopping = new AbortController();
	let isWoken = false;
	let filling: Promise<void> | undefined;
	let rest: Timer | undefined;

	const mayTake = () => !stopping.signal.aborted && rest === undefined;
	/** What just failed would fail again at once. */
	const takeARest = () => {
		rest ??= stopping.signal.aborted
			? undefined
			: clock.after(restMilliseconds, () => {
					rest = undefined;
					wake();
				});
	};

	const onEnd: OnEnd = end => {
		if (end === 'requeued') {
			takeARest();
		}

		wake();
	};

	const active = createActiveRuns({work, onEnd, clock, publish});

	/** Takes until nothing waits or all places are taken, and looks again when woken meanwhile. */
	const fill = async () => {
		while (isWoken && mayTake()) {
			isWoken = false;
			while (mayTake() && active.count() < maximumConcurrentRuns()) {
				await bucket.wait();
				if (!mayTake()) {
					break;
				}

				const taken = await take(maximumConcurrentRuns() - active.count(), {signal: stopping.signal});
				if (taken.length === 0) {
					break;
				}

				taken.filter(({kind}) => kind === 'begun').forEach(({run}) => active.begin(run));
				const toInbox = taken.filter(({kind}) => kind === 'parked').map(({run}) => run);
				park(toInbox);
				bucket.count(toInbox.length);
			}
		}
	};

	const wake = () => {
		isWoken = true;
		filling ??= fill()
			.catch((caught: unknown) => {
				// A stop is no failure.
				if (!stopping.signal.aborted) {
					reportProblem(publish, caught);
					takeARest();
				}
			})
			.finally(() => {
				filling = undefined;
				if (isWoken && mayTake()) {
					wake();
				}
			});
	};

	return {
		wake,
		cancel: active.cancel,
		async stop() {
			stopping.abort(gatewayStopped);
			bucket.end();
			rest?.cancel();
			await active.stop(filling);
		},
	};
}
