import {type RunSlot} from '../agent/run-task.ts';
import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type MaxRuns} from '../journal/rows/run-turns.ts';

type Slot = RunSlot & {readonly end: () => void};

/** The slots of runs among those of their routes, at all gateways of a journal. */
export type RouteSlots = {
	/** The slot of a run that was taken: one of this gateway and one of its route. */
	readonly of: (run: RunRecord, slot: Slot) => Slot;
	/** A slot may be free: runs that want theirs back ask again. */
	readonly wake: () => void;
};

/** The slots of runs whose routes have none of their own. */
export const noRouteSlots: RouteSlots = {of: (_, slot) => slot, wake: () => undefined};

/** Creates the slots. A run that waits for a person gives both back; the journal decides when its route has one for it again. */
export function createRouteSlots(options: {
	readonly journal: Pick<Journal, 'giveRunSlotBack' | 'takeRunSlotBack'>;
	/** Read whenever a run wants its slot back. Default: no route has a limit. */
	readonly maxRuns?: () => MaxRuns;
}): RouteSlots {
	const asking = new Set<() => void>();
	return {
		of: (run, slot) => createSlot(run, slot, {...options, asking}),
		wake: () => [...asking].forEach(ask => ask()),
	};
}

function createSlot(
	run: RunRecord,
	slot: Slot,
	{journal, maxRuns, asking}: Parameters<typeof createRouteSlots>[0] & {readonly asking: Set<() => void>},
): Slot {
	/** `asked`: the journal is being asked for the slot of the route, or had none. */
	let state: 'held' | 'given-back' | 'asked' = 'held';
	let isAsking = false;
	/** Times that the slot was given back: what was asked before is outdated. */
	let givenBack = 0;
	let waiting: Array<() => void> = [];
	const enter = (next: 'held' | 'given-back') => {
		asking.delete(ask);
		state = next;
	};

	const takeBack = () => {
		enter('held');
		const resumed = waiting;
		waiting = [];
		resumed.forEach(resume => void slot.takeBack().then(resume));
	};

	const askJournal = async (maximum: number) => {
		const before = givenBack;
		isAsking = true;
		// After a stop nothing is written any more, and no run goes on.
		const limit = {route: run.route, maxRuns: maximum};
		const isFree = await journal.takeRunSlotBack(run.id, limit).catch(() => false);
		isAsking = false;
		if (state === 'asked' && before !== givenBack) {
			ask();
		} else if (state === 'asked' && isFree) {
			takeBack();
		}
	};

	const ask = () => {
		const limit = maxRuns?.().get(run.route);
		if (limit === undefined) {
			void journal.takeRunSlotBack(run.id).catch(() => undefined);
			takeBack();
		} else if (!isAsking) {
			void askJournal(limit);
		}
	};

	return {
		isHeld: () => state === 'held' && slot.isHeld(),
		giveBack() {
			slot.giveBack();
			if (state === 'asked' || (state === 'held' && !slot.isHeld())) {
				enter('given-back');
				givenBack++;
				journal.giveRunSlotBack(run.id);
			}
		},
		takeBack() {
			if (state === 'held') {
				return slot.takeBack();
			}

			state = 'asked';
			asking.add(ask);
			const resumed = new Promise<void>(resolve => waiting.push(resolve));
			ask();
			return resumed;
		},
		end() {
			enter('given-back');
			slot.end();
		},
	};
}
