import {describe, expect, test} from 'vitest';
import {
	emptyPool,
	freeSlots,
	nextPool,
	nextSlotState,
	settlePool,
	type SlotEvent,
	type SlotLimits,
	type SlotPool,
	type SlotState,
} from '../../source/runs/slot-pool.ts';

const events = ['begin', 'wait', 'return', 'end'] as const satisfies readonly SlotEvent[];

/** One column per event, in the order above; `-` is a run that the pool does not have. */
const table: Readonly<Record<SlotState | '-', string>> = {
	'-': 'working - - -',
	working: 'working waiting-with-slot working -',
	waiting: 'waiting waiting returning -',
	'waiting-with-slot': 'waiting-with-slot waiting-with-slot working -',
	returning: 'returning waiting returning -',
};

const pairs = (['-', 'working', 'waiting', 'waiting-with-slot', 'returning'] as const).flatMap(state =>
	events.map((event, index) => ({state, event, next: table[state].split(' ')[index]})),
);

test.each(pairs)('$state, $event → $next before the slots are distributed', ({state, event, next}) => {
	expect(nextSlotState(state === '-' ? undefined : state, event) ?? '-').toBe(next);
});

/** The states of runs after steps like `begin a`. */
function after(limits: SlotLimits, ...steps: readonly string[]): SlotPool {
	return steps.reduce<SlotPool>((pool, step) => {
		const [event, runId = ''] = step.split(' ');
		return nextPool(pool, {runId, event: event as SlotEvent}, limits);
	}, emptyPool);
}

const shown = ({runs}: SlotPool) => Object.fromEntries(runs);

describe('the slots', () => {
	const two = {maxRunning: 2, maxWaiting: 2};

	test.each<[string, SlotLimits, readonly string[], readonly [runs: object, free: number]]>([
		['a run that waits gives its slot back', two, ['begin a', 'begin b', 'wait a'], [{a: 'waiting', b: 'working'}, 1]],
		['a run that comes back gets a free slot at once', two, ['begin a', 'wait a', 'return a'], [{a: 'working'}, 1]],
		[
			'without a free slot it waits for one, and leaves none for the queue',
			two,
			['begin a', 'wait a', 'begin b', 'begin c', 'return a'],
			[{a: 'returning', b: 'working', c: 'working'}, 0],
		],
		[
			'a slot that becomes free is the one of the run that came back first',
			two,
			['begin a', 'begin b', 'wait a', 'wait b', 'begin c', 'begin d', 'return b', 'return a', 'end c'],
			[{a: 'returning', b: 'working', d: 'working'}, 0],
		],
		[
			'more runs than may wait without a slot keep theirs',
			two,
			['begin a', 'begin b', 'wait a', 'wait b', 'begin c', 'wait c'],
			[{a: 'waiting', b: 'waiting', c: 'waiting-with-slot'}, 1],
		],
		[
			'one that keeps it gives it back when another ends its wait',
			two,
			['begin a', 'begin b', 'wait a', 'wait b', 'begin c', 'wait c', 'return a'],
			[{a: 'working', b: 'waiting', c: 'waiting'}, 1],
		],
		[
			'one that keeps it changes places with one that comes back, where all do',
			{maxRunning: 1, maxWaiting: 1},
			['begin a', 'wait a', 'begin b', 'wait b', 'return a'],
			[{a: 'working', b: 'waiting'}, 0],
		],
		[
			'nobody gives a slot back where none may wait without',
			{maxRunning: 1, maxWaiting: 0},
			['begin a', 'wait a'],
			[{a: 'waiting-with-slot'}, 0],
		],
		[
			'a run that has to wait once more, before it had a slot, keeps no place',
			two,
			['begin a', 'wait a', 'begin b', 'begin c', 'return a', 'wait a', 'end b'],
			[{a: 'waiting', c: 'working'}, 1],
		],
		[
			'a run that ends while it waits leaves its place to another',
			{maxRunning: 1, maxWaiting: 1},
			['begin a', 'wait a', 'begin b', 'wait b', 'end a'],
			[{b: 'waiting'}, 1],
		],
		[
			'a run that ends before it had its slot again leaves it to the next',
			{maxRunning: 1, maxWaiting: 5},
			['begin a', 'wait a', 'begin b', 'wait b', 'begin c', 'return a', 'return b', 'end a', 'end c'],
			[{b: 'working'}, 0],
		],
	])('%s', (_title, limits, steps, [runs, free]) => {
		const pool = after(limits, ...steps);
		expect(shown(pool)).toEqual(runs);
		expect(freeSlots(pool, limits)).toBe(free);
	});

	test('those kept for runs that are being taken are nobody else’s until they are released', () => {
		const limits = {maxRunning: 1, maxWaiting: 5};
		const waiting = after(limits, 'begin a', 'wait a');
		const taking = nextPool({...waiting, reserved: 1}, {runId: 'a', event: 'return'}, limits);
		expect([shown(taking), freeSlots(taking, limits)]).toEqual([{a: 'returning'}, 0]);
		expect(shown(settlePool({...taking, reserved: 0}, limits))).toEqual({a: 'working'});
	});

	test('a limit that rises is felt by those that come back, and by those that keep their slot', () => {
		const narrow = {maxRunning: 1, maxWaiting: 1};
		const back = after(narrow, 'begin a', 'wait a', 'begin b', 'return a');
		expect(shown(settlePool(back, {...narrow, maxRunning: 2}))).toEqual({a: 'working', b: 'working'});
		const keeping = after(narrow, 'begin a', 'wait a', 'begin b', 'wait b');
		expect(shown(settlePool(keeping, {...narrow, maxWaiting: 2}))).toEqual({a: 'waiting', b: 'waiting'});
	});

	test('whatever happens, no more run and no more wait without a slot than may, and none comes back while a slot is free', () => {
		const limits = {maxRunning: 3, maxWaiting: 4};
		const runIds = Array.from({length: 12}, (_, index) => `run-${index}`);
		let seed = 7;
		const random = (below: number) => {
			seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
			return Math.floor((seed / 2 ** 31) * below);
		};
		let pool = emptyPool;
		const seen = new Set<string>();
		for (let step = 0; step < 20_000; step++) {
			const event = events[random(events.length)] ?? 'end';
			const runId = runIds[random(runIds.length)] ?? 'run-0';
			// The queue begins only where a slot is free.
			if (event !== 'begin' || freeSlots(pool, limits) > 0) {
				pool = nextPool(pool, {runId, event}, limits);
			}

			const states = [...pool.runs.values()];
			states.forEach(state => seen.add(state));
			const count = (...wanted: readonly SlotState[]) => states.filter(state => wanted.includes(state)).length;
			const used = count('working', 'waiting-with-slot');
			expect(used).toBeLessThanOrEqual(limits.maxRunning);
			expect(count('waiting', 'returning')).toBeLessThanOrEqual(limits.maxWaiting);
			expect(count('returning') > 0 && (used < limits.maxRunning || count('waiting-with-slot') > 0)).toBe(false);
		}

		expect(seen.size).toBe(4);
	});
});
