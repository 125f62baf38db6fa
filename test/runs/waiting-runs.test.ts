import {describe, expect, test} from 'vitest';
import {openQueue} from './open-queue.ts';

const ids = (count: number, letter = 'r') => Array.from({length: count}, (_, index) => `${letter}${index}`);

async function openRunning(count: number, limits: {maxRunning: number; maxWaiting: number}, stage?: 'taken' | 'asked') {
	const waiting = ids(count);
	const opened = openQueue({waiting, limits: () => limits, ...(stage && {stage})});
	const slotOf = (id: string) => opened.running.get(id)?.slot;
	opened.queue.wake();
	await opened.clock.settle();
	return {
		...opened,
		waiting,
		giveBack: (id: string) => slotOf(id)?.giveBack(),
		/** Comes back; the list has those that have their slot again. */
		comeBack: (id: string, back: string[]) =>
			void slotOf(id)
				?.takeBack()
				.then(() => back.push(id)),
	};
}

describe('runs that wait for a person', () => {
	test('let as many others begin', async () => {
		const {clock, queue, begun, giveBack} = await openRunning(6, {maxRunning: 2, maxWaiting: 100});
		expect(begun).toEqual(['r0', 'r1']);
		giveBack('r0');
		giveBack('r1');
		await clock.settle();
		expect(begun).toEqual(['r0', 'r1', 'r2', 'r3']);
		expect(queue.counts()).toEqual({working: 2, waiting: 2, returning: 0});
	});

	test('keep their slots beyond a hundred of them, until one of those goes on', async () => {
		const {clock, queue, begun, running, giveBack, comeBack} = await openRunning(120, {
			maxRunning: 4,
			maxWaiting: 100,
		});
		for (let index = 0; index < 104; index++) {
			giveBack(`r${index}`);
			await clock.settle();
		}

		expect(begun).toHaveLength(104);
		expect(queue.counts()).toEqual({working: 0, waiting: 104, returning: 0});
		const back: string[] = [];
		comeBack('r7', back);
		await clock.settle();
		// It changed places with one that kept its slot.
		expect([back, begun.length, queue.counts()]).toEqual([['r7'], 104, {working: 1, waiting: 103, returning: 0}]);
		running.get('r7')?.end();
		await clock.settle();
		expect(begun).toHaveLength(105);
	});

	test('come back before any that is queued, in their order', async () => {
		const {clock, begun, running, giveBack, comeBack} = await openRunning(6, {maxRunning: 2, maxWaiting: 100});
		giveBack('r0');
		giveBack('r1');
		await clock.settle();
		const back: string[] = [];
		comeBack('r1', back);
		comeBack('r0', back);
		await clock.settle();
		expect([back, begun]).toEqual([[], ['r0', 'r1', 'r2', 'r3']]);
		running.get('r2')?.end();
		await clock.settle();
		expect([back, begun]).toEqual([['r1'], ['r0', 'r1', 'r2', 'r3']]);
		running.get('r3')?.end();
		await clock.settle();
		expect([back, begun]).toEqual([
			['r1', 'r0'],
			['r0', 'r1', 'r2', 'r3'],
		]);
		running.get('r0')?.end();
		await clock.settle();
		expect(begun).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
	});

	test('are cancelled while they wait, and while they come back, and nobody lacks their slot then', async () => {
		const {clock, queue, begun, running, giveBack, comeBack} = await openRunning(5, {maxRunning: 2, maxWaiting: 100});
		giveBack('r0');
		giveBack('r1');
		await clock.settle();
		const back: string[] = [];
		comeBack('r1', back);
		expect(await Promise.all([queue.cancel('r0'), queue.cancel('r1')])).toEqual([true, true]);
		expect(queue.counts()).toEqual({working: 2, waiting: 0, returning: 0});
		running.get('r2')?.end();
		await clock.settle();
		expect([back, begun.at(-1), queue.counts().working]).toEqual([[], 'r4', 2]);
	});

	test('end with a stop as others do: at once before the model was asked, else after ten seconds', async () => {
		const {clock, queue, running, giveBack} = await openRunning(3, {maxRunning: 1, maxWaiting: 100});
		giveBack('r0');
		await clock.settle();
		const stopped = queue.stop();
		await clock.settle();
		expect([...running.keys()]).toEqual(['r0', 'r1']);
		await clock.advance(10_000);
		await stopped;
		expect([running.size, queue.counts()]).toEqual([0, {working: 0, waiting: 0, returning: 0}]);
	});

	test('feel limits that rise with the next wake', async () => {
		const limits = {maxRunning: 1, maxWaiting: 0};
		const {clock, queue, begun, giveBack} = await openRunning(3, limits);
		giveBack('r0');
		await clock.settle();
		expect(begun).toEqual(['r0']);
		limits.maxWaiting = 1;
		queue.wake();
		await clock.settle();
		expect(begun).toEqual(['r0', 'r1']);
	});
});
