/**
The relation of a run under way to the slots. `working` and `waiting-with-slot` have one; `waiting` gave its slot back while it waits for a person, and
`returning` wants one again.
*/
export type SlotState = 'working' | 'waiting' | 'waiting-with-slot' | 'returning';

/** A change of a run: it begins, nothing of it goes on without a person, something of it can go on, it is over. */
export type SlotEvent = 'begin' | 'wait' | 'return' | 'end';

export type SlotLimits = {
	/** Runs with a slot at most. */
	readonly maxRunning: number;
	/** Runs without one at most. */
	readonly maxWaiting: number;
};

/** The runs under way, those longest in their state first, and the slots kept for runs that are being taken from the queue. */
export type SlotPool = {readonly runs: ReadonlyMap<string, SlotState>; readonly reserved: number};

export const emptyPool: SlotPool = {runs: new Map(), reserved: 0};

const moves: {readonly [State in SlotState]: {readonly [Step in Exclude<SlotEvent, 'end'>]: SlotState}} = {
	working: {begin: 'working', wait: 'waiting-with-slot', return: 'working'},
	waiting: {begin: 'waiting', wait: 'waiting', return: 'returning'},
	'waiting-with-slot': {begin: 'waiting-with-slot', wait: 'waiting-with-slot', return: 'working'},
	returning: {begin: 'returning', wait: 'waiting', return: 'returning'},
};

/** The next state of a run; undefined when the pool does not have it. `settlePool` then says who gets and who gives a slot. */
export function nextSlotState(state: SlotState | undefined, event: SlotEvent): SlotState | undefined {
	if (event === 'end') {
		return undefined;
	}

	return state === undefined ? (event === 'begin' ? 'working' : undefined) : moves[state][event];
}

/** The pool after an event of a run. */
export function nextPool(
	pool: SlotPool,
	{runId, event}: {readonly runId: string; readonly event: SlotEvent},
	limits: SlotLimits,
): SlotPool {
	const before = pool.runs.get(runId);
	const after = nextSlotState(before, event);
	return before === after ? pool : settlePool(moved(pool, runId, after), limits);
}

/** Distributes the slots: runs that return get what is free, in their order, and runs that wait give back what they may. */
export function settlePool(pool: SlotPool, limits: SlotLimits): SlotPool {
	const [returning] = runsIn(pool, 'returning');
	const [keeper] = runsIn(pool, 'waiting-with-slot');
	if (returning !== undefined && slotsInUse(pool) < limits.maxRunning) {
		return settlePool(moved(pool, returning, 'working'), limits);
	}

	const isRoom = runsIn(pool, 'waiting').length + runsIn(pool, 'returning').length < limits.maxWaiting;
	// They change places: as many as before wait without a slot.
	const isWanted = returning !== undefined && slotsInUse(pool) <= limits.maxRunning;
	return keeper !== undefined && (isRoom || isWanted) ? settlePool(moved(pool, keeper, 'waiting'), limits) : pool;
}

/** The slots for runs of the queue: those that return come first. */
export function freeSlots(pool: SlotPool, {maxRunning}: SlotLimits): number {
	return Math.max(0, maxRunning - slotsInUse(pool) - runsIn(pool, 'returning').length);
}

/** The runs in one of these states, those longest in it first. */
export function runsIn({runs}: SlotPool, ...states: readonly SlotState[]): readonly string[] {
	return [...runs].filter(([, state]) => states.includes(state)).map(([runId]) => runId);
}

function slotsInUse(pool: SlotPool): number {
	return runsIn(pool, 'working', 'waiting-with-slot').length + pool.reserved;
}

/** A run that comes into another state is the last in it. */
function moved({runs, reserved}: SlotPool, runId: string, state: SlotState | undefined): SlotPool {
	const others = [...runs].filter(([id]) => id !== runId);
	return {runs: new Map(state === undefined ? others : [...others, [runId, state]]), reserved};
}
