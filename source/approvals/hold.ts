import {type Publish} from '../state/event.ts';
import {heldText} from '../state/status-line.ts';
import {type HeldState} from '../state/status-event.ts';
import {type Clock} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {createHeldWork, type HeldWork, type HeldWorkList} from './held-work.ts';
import {withHash} from './hold-state.ts';
import {createStoredHold, type HoldControl, type HoldStore, readHold} from './stored-hold.ts';
import {createWaitingTime, type WaitingTime} from './waiting-time.ts';

export type {HeldWork, HoldStore};

/** The check that everything passes that leaves the gateway (docs/approvals.md, Hold). */
export type HoldCheck = {
	/**
	Waits while everything is held. `released`: it had to wait, and what allowed it before may not hold any more. Rejects with the reason of the
	signal, or with `held` when too much waits.
	*/
	readonly pass: (
		work: HeldWork,
		options: {
			readonly signal: AbortSignal;
			/** Called with `true` when the work has to wait, and with `false` when that is over. */
			readonly onHeld?: ((held: boolean) => void) | undefined;
		},
	) => Promise<'free' | 'released'>;
	/** Throws `held`. For the moment in which something is sent: it may have waited for its server since it passed. */
	readonly assertFree: () => void;
};

/** The hold, and the time that stands still meanwhile. */
export type TimedHold = HoldCheck & {
	/** The time of those who wait for a person. */
	readonly time: WaitingTime;
};

/** One key that holds everything, and what waits for its release. */
export type Hold = TimedHold &
	HoldControl & {
		readonly waiting: HeldWorkList['list'];
		/** Calls `listener` after each release. */
		readonly onRelease: (listener: () => void) => void;
		/** Cancels what waits. */
		readonly close: () => void;
	};

/** More than runs, clients of the endpoint and commands call at the same time. */
export const maxHeldWork = 1000;

/**
The hold for a process beside the gateway, where nobody could release what waits: it is refused. The file is read each time, because the hold may
begin while that process lives.
*/
export function createHoldFileCheck(
	store: Pick<HoldStore, 'read'>,
	clock: Clock,
	node: () => string | undefined = () => undefined,
): TimedHold {
	const assertFree = () => {
		const stored = readHold([store], clock);
		if (stored) {
			throw heldProblem(withHash(stored, node()));
		}
	};

	return {
		assertFree,
		// Nothing waits for a release here.
		time: createWaitingTime(clock),
		async pass() {
			assertFree();
			return 'free';
		},
	};
}

/** Tells what is not known yet; at first nothing is held. */
function onChange(tell: ((held: boolean) => void) | undefined): (held: boolean) => void {
	let told = false;
	return held => {
		if (told !== held) {
			told = held;
			tell?.(held);
		}
	};
}

function heldProblem(held: HeldState): Problem {
	return new Problem('held', {message: safeText(`Nothing is sent: ${heldText(held)}`)});
}

/** Opens the hold that is stored, if any. */
export function createHold(options: {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly stores: readonly HoldStore[];
	/** The name of this gateway among those that share the stores; undefined: it shares them with none. */
	readonly node?: () => string | undefined;
}): Hold {
	const {clock, publish, stores, node = () => undefined} = options;
	const listeners: Array<() => void> = [];
	const log = (text: string) => publish({type: 'log', level: 'warning', area: 'hold', text});
	const work = createHeldWork(clock, () => stored.current() && announce());
	const announce = (releasedBy?: string) => {
		const held = stored.current();
		const waiting = work.list().length;
		publish({type: 'hold.state', ...(held && {held}), ...(releasedBy !== undefined && {releasedBy}), waiting});
	};

	const time = createWaitingTime(clock);
	const stored = createStoredHold({
		clock,
		stores,
		node,
		onChange: state => (state === 'held' ? time.suspend() : time.resume()),
		onHeld(held, problem) {
			log(heldText(held));
			if (problem !== undefined) {
				log(safeText(`it ends when the gateway stops, because it cannot be written: ${problem}`));
			}

			announce();
		},
		onReleased(by) {
			log(`released by ${by}`);
			announce(by);
			work.releaseAll();
			listeners.forEach(listener => listener());
		},
	});
	const former = stored.current();
	if (former) {
		log(heldText(former));
		announce();
	}

	const assertFree = () => {
		const held = stored.current();
		if (held) {
			throw heldProblem(held);
		}
	};

	return {
		...stored,
		time,
		assertFree,
		waiting: work.list,
		onRelease: listener => void listeners.push(listener),
		close: work.close,
		pass: createPass({current: stored.current, assertFree, work}),
	};
}

/** Creates the check that waits. */
function createPass({
	current,
	assertFree,
	work,
}: Pick<Hold, 'current' | 'assertFree'> & {readonly work: Pick<HeldWorkList, 'list' | 'wait'>}): HoldCheck['pass'] {
	return async (one, {signal, onHeld}) => {
		if (!current()) {
			return 'free';
		}

		if (work.list().length >= maxHeldWork) {
			assertFree();
		}

		const tell = onChange(onHeld);
		try {
			while (current()) {
				tell(true);
				// At once, so that a run which waited here takes a slot before any that is queued.
				await work.wait(one, {signal, onRelease: () => tell(false)});
			}
		} finally {
			tell(false);
		}

		return 'released';
	};
}
