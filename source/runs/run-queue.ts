import {type Publish} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {type ActiveRuns, createActiveRuns, type OnEnd, type Work} from './active-runs.ts';
import {type ParkableRuns} from './parkable-runs.ts';
import {gatewayStopped, reportProblem} from './run-problems.ts';
import {noRouteSlots, type RouteSlots} from './route-slots.ts';
import {createRunSlots, type RunSlots} from './run-slots.ts';
import {type SlotLimits} from './slot-pool.ts';
import {type ParkedRun, type TakeRuns} from './take-runs.ts';
import {createTokenBucket} from './token-bucket.ts';

/** Takes runs from the journal and works on a bounded number of them at once. */
export type RunQueue = {
	/** Call it after a run of this profile was queued; without a profile, when anything else may let a run leave the queue. Cheap. */
	readonly wake: (profile?: string) => void;
	/** Cancels an active run; see `ActiveRuns`. */
	readonly cancel: ActiveRuns['cancel'];
	/** Ends all active runs as a stop would, and goes on with others. */
	readonly interrupt: ActiveRuns['interrupt'];
	/**
	Stops taking runs and aborts the signals of runs that have not asked their model, which are requeued; the others get ten seconds before
	theirs abort. Resolves when all work has ended.
	*/
	readonly stop: () => Promise<void>;
	readonly counts: RunSlots['counts'];
	/** 0 while everything is held. */
	readonly free: RunSlots['free'];
};

const restMilliseconds = 5000;

export type RunQueueOptions = {
	readonly take: TakeRuns;
	readonly work: Work;
	/** Queued runs that need no slot. */
	readonly parkable: Pick<ParkableRuns, 'note' | 'mayBeThere'>;
	/** Called with the runs that went into the inbox together; there may be none. */
	readonly park: (runs: readonly ParkedRun[]) => void;
	/** Read at every change; lower numbers end no run. Call `wake` after they rose. */
	readonly limits: () => SlotLimits;
	/** Default: routes have no slots of their own. */
	readonly routeSlots?: RouteSlots;
	/** While everything is held, nothing is taken. Call `wake` after the release. */
	readonly isHeld: () => boolean;
	readonly clock: Clock;
	/** Gets a log line when work rejects, and when nothing can be taken; the queue retries automatically. */
	readonly publish: Publish;
};

/** Creates the queue; nothing else takes runs from the journal. */
export function createRunQueue(options: RunQueueOptions): RunQueue {
	const {take, work, park, parkable, limits, routeSlots = noRouteSlots, isHeld, clock, publish} = options;
	const bucket = createTokenBucket(clock);
	const stopping = new AbortController();
	let isWoken = false;
	let filling: Promise<void> | undefined;

	const slots = createRunSlots(limits, () => wake());
	const mayTake = () => !stopping.signal.aborted && !rest.isTaken() && !isHeld();
	const rest = createRest(clock, {stopped: stopping.signal, onOver: () => wake()});
	const onEnd: OnEnd = end => {
		if (end === 'requeued') {
			rest.take();
		}

		wake();
	};

	const active = createActiveRuns({work, onEnd, clock, publish});

	/** Takes runs until none waits, or enough are active and none can be parked, and again when woken meanwhile. */
	const fill = async () => {
		while (isWoken && mayTake()) {
			isWoken = false;
			while (mayTake() && (slots.free() > 0 || parkable.mayBeThere())) {
				await bucket.wait();
				if (!mayTake()) {
					break;
				}

				const {begun, parked} = await takeNext(take, {slots, routeSlots, active, signal: stopping.signal});
				if (begun.length + parked.length === 0) {
					break;
				}

				park(parked);
				bucket.count(parked.length);
			}
		}
	};

	const wake = () => {
		isWoken = true;
		routeSlots.wake();
		filling ??= fill()
			.catch((caught: unknown) => {
				// A stop is no failure.
				if (!stopping.signal.aborted) {
					reportProblem(publish, caught);
					rest.take();
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
		wake(profile) {
			parkable.note(profile);
			slots.refresh();
			wake();
		},
		cancel: active.cancel,
		interrupt: active.interrupt,
		async stop() {
			stopping.abort(gatewayStopped);
			bucket.end();
			rest.end();
			await active.stop(filling);
		},
		counts: slots.counts,
		free: () => (isHeld() ? 0 : slots.free()),
	};
}

/** Takes the next runs and begins them; their slots are kept for them meanwhile. */
async function takeNext(
	take: TakeRuns,
	{
		slots,
		routeSlots,
		active,
		signal,
	}: {
		readonly slots: RunSlots;
		readonly routeSlots: RouteSlots;
		readonly active: ActiveRuns;
		readonly signal: AbortSignal;
	},
) {
	const reserved = slots.reserve();
	try {
		const taken = await take(reserved.places, {signal});
		const begun = taken.filter(({kind}) => kind === 'begun').map(({run}) => run);
		begun.forEach(run => active.begin(run, routeSlots.of(run, reserved.begin(run.id))));
		return {begun, parked: taken.filter(one => one.kind === 'parked')};
	} finally {
		reserved.close();
	}
}

/** A rest after something failed: an immediate retry would fail again. */
function createRest(clock: Clock, {stopped, onOver}: {readonly stopped: AbortSignal; readonly onOver: () => void}) {
	let timer: Timer | undefined;
	return {
		isTaken: () => timer !== undefined,
		take() {
			timer ??= stopped.aborted
				? undefined
				: clock.after(restMilliseconds, () => {
						timer = undefined;
						onOver();
					});
		},
		end: () => timer?.cancel(),
	};
}
