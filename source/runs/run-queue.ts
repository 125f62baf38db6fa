import {type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {type ActiveRuns, createActiveRuns, type OnEnd, type Work} from './active-runs.ts';
import {gatewayStopped, reportProblem} from './run-problems.ts';
import {type TakeRuns} from './take-runs.ts';
import {createTokenBucket} from './token-bucket.ts';

/** Takes runs from the journal and works on a bounded number of them at once. */
export type RunQueue = {
	/** Call it after a run was queued. Cheap. */
	readonly wake: () => void;
	/** Cancels an active run; see `ActiveRuns`. */
	readonly cancel: ActiveRuns['cancel'];
	/** Ends all active runs as a stop would, and goes on with others. */
	readonly interrupt: ActiveRuns['interrupt'];
	/**
	Stops taking runs and aborts the signals of runs that have not asked their model, which are requeued; the others get ten seconds before
	theirs abort. Resolves when all work has ended.
	*/
	readonly stop: () => Promise<void>;
};

const restMilliseconds = 5000;

export type RunQueueOptions = {
	readonly take: TakeRuns;
	readonly work: Work;
	/** Called with the runs that went into the inbox together; there may be none. */
	readonly park: (runs: readonly RunRecord[]) => void;
	/** Read before each run is taken; a lower number ends no run. Call `wake` after it rose. */
	readonly maximumConcurrentRuns: () => number;
	/** While everything is held, nothing is taken. Call `wake` after the release. */
	readonly isHeld: () => boolean;
	readonly clock: Clock;
	/** Gets a log line when work rejects, and when nothing can be taken; the queue retries automatically. */
	readonly publish: Publish;
};

/** Creates the queue; nothing else takes runs from the journal. */
export function createRunQueue(options: RunQueueOptions): RunQueue {
	const {take, work, park, maximumConcurrentRuns, isHeld, clock, publish} = options;
	const bucket = createTokenBucket(clock);
	const stopping = new AbortController();
	let isWoken = false;
	let filling: Promise<void> | undefined;
	let rest: Timer | undefined;

	const mayTake = () => !stopping.signal.aborted && rest === undefined && !isHeld();
	/** An immediate retry would fail again. */
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

	/** Takes runs until none waits or enough are active, and again when woken meanwhile. */
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
		interrupt: active.interrupt,
		async stop() {
			stopping.abort(gatewayStopped);
			bucket.end();
			rest?.cancel();
			await active.stop(filling);
		},
	};
}
