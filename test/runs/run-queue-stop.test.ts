import {describe, expect, test} from 'vitest';
import {noModel} from '../../source/runs/inbox.ts';
import {createRunQueue} from '../../source/runs/run-queue.ts';
import {type TakenRun} from '../../source/runs/take-runs.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleRun} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {noParkable, openQueue, openWork} from './open-queue.ts';

describe('stopping', () => {
	test('nothing is taken any more', async () => {
		const {clock, queue, begun} = openQueue({waiting: ['a']});
		await queue.stop();
		queue.wake();
		await clock.settle();
		expect(begun).toEqual([]);
	});

	test('work that has asked its model has ten seconds, then its signal aborts', async () => {
		const {clock, queue, running} = openQueue({waiting: ['a']});
		queue.wake();
		await clock.settle();
		const stopped = queue.stop();
		await clock.advance(9999);
		expect(running.get('a')?.signal.aborted).toBe(false);
		await clock.advance(1);
		await stopped;
		expect(running.size).toBe(0);
	});

	test('it waits no longer than the work takes, and leaves no timer', async () => {
		const {clock, queue, running} = openQueue({waiting: ['a']});
		queue.wake();
		await clock.settle();
		const stopped = queue.stop();
		running.get('a')?.end();
		await stopped;
		expect(clock.open()).toBe(0);
	});

	test('work that has not asked its model ends at once', async () => {
		const {clock, queue, running} = openQueue({waiting: ['a'], stage: 'taken'});
		queue.wake();
		await clock.settle();
		expect(running.size).toBe(1);
		await queue.stop();
		expect([running.size, clock.open()]).toEqual([0, 0]);
	});

	test('nothing is taken for which only a pause was waited for', async () => {
		const clock = createFakeClock();
		let asked = 0;
		const queue = createRunQueue({
			parkable: noParkable,
			async take() {
				asked++;
				return Array.from(
					{length: 10},
					(_, index) => ({kind: 'parked', run: sampleRun({id: `${asked}-${index}`}), reason: noModel}) as const,
				);
			},
			work: () => Promise.reject(new Error('there is no model')),
			park: () => undefined,
			limits: () => ({maxRunning: 1, maxWaiting: 100}),
			isHeld: () => false,
			clock,
			publish: recordEvents().publish,
		});
		queue.wake();
		await clock.settle();
		expect(asked).toBe(1);
		await queue.stop();
		await clock.settle();
		expect(asked).toBe(1);
	});

	test('a run that was given out while the stop came is aborted from the start', async () => {
		const given = Promise.withResolvers<readonly TakenRun[]>();
		const {work, begun, running} = openWork();
		const clock = createFakeClock();
		const {publish} = recordEvents();
		const take = () => given.promise;
		const queue = createRunQueue({
			parkable: noParkable,
			take,
			work,
			park: () => undefined,
			limits: () => ({maxRunning: 2, maxWaiting: 100}),
			isHeld: () => false,
			clock,
			publish,
		});
		queue.wake();
		await clock.settle();
		const stopped = queue.stop();
		given.resolve([{kind: 'begun', run: sampleRun({id: 'a'})}]);
		await stopped;
		expect([begun, running.size, clock.open()]).toEqual([['a'], 0, 0]);
	});
});

describe('a run that went back into the queue', () => {
	test('rests for five seconds with all others, and is then taken again', async () => {
		const waiting = ['a'];
		const {clock, queue, begun, running} = openQueue({waiting});
		queue.wake();
		await clock.settle();
		running.get('a')?.end('requeued');
		await clock.settle();
		waiting.push('a', 'b');
		queue.wake();
		await clock.advance(4999);
		expect(begun).toEqual(['a']);
		await clock.advance(1);
		expect(begun).toEqual(['a', 'a', 'b']);
	});

	test('leaves no timer behind a stop', async () => {
		const {clock, queue, running} = openQueue({waiting: ['a']});
		queue.wake();
		await clock.settle();
		running.get('a')?.end('requeued');
		await clock.settle();
		expect(clock.open()).toBe(1);
		await queue.stop();
		expect(clock.open()).toBe(0);
	});

	test.each([
		['over', true],
		['requeued', false],
	] as const)('while a person cancels it: %s', async (end, isCancelled) => {
		const {clock, queue, running} = openQueue({waiting: ['a']});
		queue.wake();
		await clock.settle();
		const one = running.get('a');
		one?.end(end);
		const cancelled = queue.cancel('a');
		expect(one?.signal.aborted).toBe(true);
		expect(await cancelled).toBe(isCancelled);
	});
});
