import {expect, test} from 'vitest';
import {createRouteSlots} from '../../source/runs/route-slots.ts';
import {createRunSlots} from '../../source/runs/run-slots.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleRun} from '../helpers/journal-records.ts';

/** Runs of one route that were taken, each with a slot. */
async function openSlots({runs, maxRuns}: {readonly runs: number; readonly maxRuns?: number}) {
	const limits = new Map<string, number>();
	if (maxRuns !== undefined) {
		limits.set('slow', maxRuns);
	}

	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const routeSlots = createRouteSlots({journal, maxRuns: () => limits});
	const pool = createRunSlots(
		() => ({maxRunning: 10, maxWaiting: 100}),
		() => undefined,
	);
	const back: string[] = [];
	const opened = [];
	for (let index = 0; index < runs; index++) {
		const run = sampleRun({id: `r${index}`, eventId: '', route: 'slow'});
		await journal.queueRun(run);
		await journal.moveQueuedRuns([run.id], {state: 'running'});
		const slot = routeSlots.of(run, pool.begin(run.id));
		opened.push({
			slot,
			comeBack: () => void slot.takeBack().then(() => back.push(run.id)),
			async end() {
				await journal.finishRun(run.id, {state: 'finished', result: {}});
				slot.end();
				routeSlots.wake();
				await journal.countWaitingRuns();
			},
		});
	}

	/** Everything that was asked of the journal before is answered. */
	const settle = async () => {
		await journal.countWaitingRuns();
		await journal.countWaitingRuns();
	};

	const [first, second, third] = opened;
	if (!first || !second || !third) {
		throw new Error('three runs are needed');
	}

	return {first, second, third, back, settle, routeSlots, limits};
}

test('a run that comes back waits until its route has a slot for it', async () => {
	const {first, second, third, back, settle} = await openSlots({runs: 3, maxRuns: 2});
	first.slot.giveBack();
	first.comeBack();
	await settle();
	expect([back, first.slot.isHeld()]).toEqual([[], false]);
	await second.end();
	await settle();
	expect([back, first.slot.isHeld(), third.slot.isHeld()]).toEqual([['r0'], true, true]);
});

test('a run that waits for a person once more while it comes back takes no slot', async () => {
	const {first, second, third, back, settle} = await openSlots({runs: 3, maxRuns: 2});
	first.slot.giveBack();
	first.comeBack();
	first.slot.giveBack();
	await second.end();
	await settle();
	expect([back, first.slot.isHeld()]).toEqual([[], false]);
	first.comeBack();
	await settle();
	expect([back, first.slot.isHeld(), third.slot.isHeld()]).toEqual([['r0', 'r0'], true, true]);
});

test('a limit that rises lets a run go on with the next wake', async () => {
	const {first, back, settle, routeSlots, limits} = await openSlots({runs: 3, maxRuns: 1});
	first.slot.giveBack();
	first.comeBack();
	await settle();
	expect(back).toEqual([]);
	limits.set('slow', 3);
	routeSlots.wake();
	await settle();
	expect(back).toEqual(['r0']);
});

test('a run whose route has no limit has its slot at once', async () => {
	const {first, back} = await openSlots({runs: 3});
	first.slot.giveBack();
	expect(first.slot.isHeld()).toBe(false);
	const returned = first.slot.takeBack();
	expect(first.slot.isHeld()).toBe(true);
	await returned;
	expect(back).toEqual([]);
});
