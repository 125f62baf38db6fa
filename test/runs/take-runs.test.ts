import {expect, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {type WithheldRuns} from '../../source/runs/day-limits.ts';
import {type PlaceRun} from '../../source/runs/run-placement.ts';
import {createTakeRuns} from '../../source/runs/take-runs.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

/** A journal that refuses to take runs once: behind the commit, or without one. */
function openTake(options: {
	readonly fails: 'never' | 'before' | 'behind';
	/** The declaration of another gateway about this one. */
	readonly isDead?: () => boolean;
	readonly hasModel: boolean;
	readonly mayHaveModelElsewhere?: (profile: string) => boolean;
	readonly placeRun?: PlaceRun;
	readonly isHeld?: () => boolean;
	readonly withheldOrigins?: () => WithheldRuns;
	readonly onMove?: () => void;
}) {
	const journal = openTestJournal({clock: createFakeClock()});
	let fails = options.fails;
	let reads = 0;
	const failing: Journal = {
		...journal,
		nextQueuedRuns(...query) {
			reads++;
			return journal.nextQueuedRuns(...query);
		},
		async moveQueuedRuns(...move) {
			const moment = fails;
			fails = 'never';
			options.onMove?.();
			const movesNothing = moment === 'before' || options.isDead?.();
			const moved = movesNothing ? new Set<string>() : await journal.moveQueuedRuns(...move);
			if (moment !== 'never') {
				throw new Problem('storage_unavailable');
			}

			return moved;
		},
	};
	const {publish} = recordEvents();
	const take = createTakeRuns({
		journal: failing,
		profileOf: profile => {
			const hasModel = options.hasModel && profile !== 'without model';
			return {agent: fakeAgent(hasModel ? async () => 'yes' : undefined), publish};
		},
		deliveryReady: async () => undefined,
		parkable: {scan: async () => []},
		mayHaveModelElsewhere: options.mayHaveModelElsewhere ?? (() => false),
		isHeld: options.isHeld ?? (() => false),
		...(options.placeRun && {placeRun: options.placeRun}),
		...(options.withheldOrigins && {withheldOrigins: options.withheldOrigins}),
	});
	return {journal, reads: () => reads, take: () => take(1, {signal: neverAborted()})};
}

test.each([
	{hasModel: true, kind: 'begun', state: 'running'},
	{hasModel: false, kind: 'parked', state: 'inbox'},
] as const)(
	'a run that is taken by a write that fails is taken once, by the next: $kind',
	async ({hasModel, kind, state}) => {
		for (const fails of ['before', 'behind'] as const) {
			const {journal, take} = openTake({fails, hasModel});
			await acceptRun(journal, sampleRun({id: 'a'}));
			await expect(take()).rejects.toMatchObject({code: 'storage_unavailable'});
			expect((await journal.findRun('a'))?.state).toBe(fails === 'before' ? 'queued' : state);
			expect((await take()).map(taken => [taken.kind, taken.run.id])).toEqual([[kind, 'a']]);
			expect([await take(), (await journal.findRun('a'))?.state]).toEqual([[], state]);
		}
	},
);

test('a run whose model was found after the hold stays in the queue', async () => {
	let held = true;
	const {journal, take} = openTake({fails: 'never', hasModel: true, isHeld: () => held});
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect(await take()).toEqual([]);
	expect((await journal.findRun('a'))?.state).toBe('queued');
	held = false;
	expect(await take()).toHaveLength(1);
});

test('a run that was being taken when everything was held goes back into the queue', async () => {
	let held = false;
	let moves = 0;
	const {journal, take} = openTake({
		fails: 'never',
		hasModel: true,
		isHeld: () => held,
		onMove: () => void (held = moves++ === 0),
	});
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect(await take()).toEqual([]);
	expect((await journal.findRun('a'))?.state).toBe('queued');
	held = false;
	expect((await take()).map(({kind, run}) => [kind, run.id])).toEqual([['begun', 'a']]);
});

test('a run that is taken is not put back', async () => {
	const {journal, take} = openTake({fails: 'never', hasModel: true});
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect([(await take()).length, (await take()).length]).toEqual([1, 0]);
	expect((await journal.findRun('a'))?.state).toBe('running');
});

test('a run without a model here is left to a gateway that has one, and parked when that one is gone', async () => {
	let isElsewhere = true;
	const {journal, take} = openTake({fails: 'never', hasModel: false, mayHaveModelElsewhere: () => isElsewhere});
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect([await take(), (await journal.findRun('a'))?.state]).toEqual([[], 'queued']);
	isElsewhere = false;
	expect((await take()).map(({kind, run}) => [kind, run.id])).toEqual([['parked', 'a']]);
});

test('runs that are left to another gateway hide none behind them, however many they are', async () => {
	const mayHaveModelElsewhere = (profile: string) => profile === 'without model';
	const {journal, reads, take} = openTake({fails: 'never', hasModel: true, mayHaveModelElsewhere});
	await Promise.all(Array.from({length: 100}, async () => acceptRun(journal, sampleRun({profile: 'without model'}))));
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect((await take()).map(({kind, run}) => [kind, run.id])).toEqual([['begun', 'a']]);
	expect([await take(), await journal.countWaitingRuns()]).toEqual([[], 100]);

	const before = reads();
	await acceptRun(journal, sampleRun({id: 'b'}));
	expect([(await take()).map(({run}) => run.id), reads()]).toEqual([['b'], before + 1]);
});

test('a gateway that was declared dead tries once and waits for the next look', async () => {
	let isDead = true;
	let moves = 0;
	const onMove = () => {
		// Else a fault of this would never end.
		isDead = ++moves < 10;
	};
	const {journal, take} = openTake({fails: 'never', hasModel: true, isDead: () => isDead, onMove});
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect([await take(), moves]).toEqual([[], 1]);
	moves = 10;
	expect((await take()).map(({run}) => run.id)).toEqual(['a']);
});

test('runs of a withheld route stay in the queue, and those behind them are taken', async () => {
	let withheld: WithheldRuns = {routes: ['github'], jobs: []};
	const {journal, take} = openTake({fails: 'never', hasModel: true, withheldOrigins: () => withheld});
	await Promise.all(Array.from({length: 40}, async () => acceptRun(journal, sampleRun({route: 'github'}))));
	await acceptRun(journal, sampleRun({id: 'a', route: 'gitlab'}));
	expect((await take()).map(({kind, run}) => [kind, run.id])).toEqual([['begun', 'a']]);
	expect([await take(), await journal.countWaitingRuns()]).toEqual([[], 40]);
	withheld = 'all';
	await acceptRun(journal, sampleRun({id: 'b', route: 'gitlab'}));
	expect(await take()).toEqual([]);
	withheld = {routes: [], jobs: []};
	expect(await take()).toHaveLength(1);
});

test('runs of routes that another gateway can do more of hide none behind them, and go to the inbox for their own reason', async () => {
	let isOverdue = false;
	const placeRun: PlaceRun = ({route}) => {
		const left = isOverdue
			? ({kind: 'inbox', reason: 'no garden'} as const)
			: ({kind: 'elsewhere', with: 'its origin'} as const);
		return route === 'here' ? {kind: 'here'} : left;
	};

	const {journal, take} = openTake({fails: 'never', hasModel: true, placeRun});
	await Promise.all(
		Array.from({length: 100}, async (_, index) => acceptRun(journal, sampleRun({route: `garden-${index % 40}`}))),
	);
	await acceptRun(journal, sampleRun({id: 'a', route: 'here'}));
	expect((await take()).map(({kind, run}) => [kind, run.id])).toEqual([['begun', 'a']]);
	expect([await take(), await journal.countWaitingRuns()]).toEqual([[], 100]);
	isOverdue = true;
	const parked = await take();
	expect(new Set(parked.map(taken => taken.kind === 'parked' && taken.reason))).toEqual(new Set(['no garden']));
	expect(await journal.findRun(parked[0]?.run.id ?? '')).toMatchObject({state: 'inbox', reason: 'no garden'});
});
