import {type RunSlot} from '../agent/run-task.ts';
import {
	emptyPool,
	freeSlots,
	nextPool,
	runsIn,
	settlePool,
	type SlotEvent,
	type SlotLimits,
	type SlotPool,
} from './slot-pool.ts';

/** The slots of the runs of a gateway. */
export type RunSlots = {
	/** The number of runs that may be taken from the queue now. */
	readonly free: () => number;
	/** Keeps the free slots for runs that are being taken; `close` leaves those that were not needed to others. */
	readonly reserve: () => SlotReservation;
	/** The slot of a run that begins. It is to be ended when the run is over. */
	readonly begin: (runId: string) => RunSlot & {readonly end: () => void};
	/** The limits may have changed. */
	readonly refresh: () => void;
	readonly counts: () => SlotCounts;
};

type SlotReservation = {
	readonly places: number;
	/** The slot of a run that was taken; when none is left of the reserved ones, its run has one beyond the limit. */
	readonly begin: RunSlots['begin'];
	readonly close: () => void;
};

/** The runs that work, that wait for a person, and that wait for a slot. */
export type SlotCounts = {readonly working: number; readonly waiting: number; readonly returning: number};

/** Opens the slots, all of them free. `limits` is read at every change; `onFree` is called when a run gave its slot back. */
export function createRunSlots(limits: () => SlotLimits, onFree: () => void): RunSlots {
	let pool: SlotPool = emptyPool;
	/** The callbacks that wait until a run has a slot. */
	const waiting = new Map<string, Array<() => void>>();
	const hasSlot = (runId: string) => runsIn(pool, 'working', 'waiting-with-slot').includes(runId);
	const enter = (next: SlotPool) => {
		const freeBefore = freeSlots(pool, limits());
		pool = next;
		for (const runId of runsIn(pool, 'working')) {
			const resume = waiting.get(runId) ?? [];
			waiting.delete(runId);
			resume.forEach(one => one());
		}

		if (freeSlots(pool, limits()) > freeBefore) {
			onFree();
		}
	};

	const note = (runId: string, event: SlotEvent) => enter(nextPool(pool, {runId, event}, limits()));
	const begin = (runId: string) => {
		note(runId, 'begin');
		return {
			isHeld: () => hasSlot(runId),
			giveBack: () => note(runId, 'wait'),
			takeBack: () =>
				new Promise<void>(resolve => {
					waiting.set(runId, [...(waiting.get(runId) ?? []), resolve]);
					note(runId, 'return');
					enter(pool);
				}),
			end() {
				waiting.delete(runId);
				note(runId, 'end');
			},
		};
	};

	return {
		free: () => freeSlots(pool, limits()),
		begin,
		refresh: () => enter(settlePool(pool, limits())),
		reserve() {
			const places = freeSlots(pool, limits());
			let left = places;
			const release = (count: number) => {
				left -= count;
				pool = {...pool, reserved: pool.reserved - count};
			};

			pool = {...pool, reserved: pool.reserved + places};
			return {
				places,
				begin(runId) {
					release(Math.min(left, 1));
					return begin(runId);
				},
				close() {
					release(left);
					enter(settlePool(pool, limits()));
				},
			};
		},
		counts: () => ({
			working: runsIn(pool, 'working').length,
			waiting: runsIn(pool, 'waiting', 'waiting-with-slot').length,
			returning: runsIn(pool, 'returning').length,
		}),
	};
}
