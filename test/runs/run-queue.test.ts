import {describe, expect, test} from 'vitest';
import {noModel} from '../../source/runs/inbox.ts';
import {createRunQueue} from '../../source/runs/run-queue.ts';
import {Problem} from '../../source/util/problem.ts';
import {type FakeClock, createFakeClock} from '../helpers/fake-clock.ts';
import {sampleRun} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {noParkable, openQueue, openWork} from './open-queue.ts';

describe('taking', () => {
	test('nothing is taken before the first wake', async () => {
		const {clock, begun} = openQueue({waiting: ['a']});
		await clock.settle();
		expect(begun).toEqual([]);
	});

	test('no more runs begin than may run at once', async () => {
		const {clock, queue, begun} = openQueue({
			waiting: ['a', 'b', 'c', 'd'],
			limits: () => ({maxRunning: 3, maxWaiting: 100}),
		});
		queue.wake();
		await clock.settle();
		expect(begun).toEqual(['a', 'b', 'c']);
	});

	test('a bound that rises is felt by the next wake', async () => {
		let maximum = 1;
		const {clock, queue, begun} = openQueue({
			waiting: ['a', 'b', 'c'],
			limits: () => ({maxRunning: maximum, maxWaiting: 100}),
		});
		queue.wake();
		await clock.settle();
		maximum = 2;
		queue.wake();
		await clock.settle();
		expect(begun).toEqual(['a', 'b']);
	});

	test('nothing is taken while everything is held, and all of it after the release', async () => {
		let held = false;
		const {clock, queue, begun, running} = openQueue({waiting: ['a', 'b', 'c'], isHeld: () => held});
		queue.wake();
		await clock.settle();
		expect(begun).toEqual(['a', 'b']);
		held = true;
		running.get('a')?.end();
		queue.wake();
		await clock.advance(60_000);
		expect(begun).toEqual(['a', 'b']);
		held = false;
		queue.wake();
		await clock.settle();
		expect(begun).toEqual(['a', 'b', 'c']);
	});

	test('many wakes at once take no more than one', async () => {
		const {clock, queue, begun} = openQueue({waiting: ['a', 'b', 'c', 'd']});
		for (let count = 0; count < 50; count++) {
			queue.wake();
		}

		await clock.settle();
		expect(begun).toEqual(['a', 'b']);
	});

	test('a run that ends makes room for the next', async () => {
		const {clock, queue, begun, running} = openQueue({waiting: ['a', 'b', 'c']});
		queue.wake();
		await clock.settle();
		running.get('a')?.end();
		await clock.settle();
		expect(begun).toEqual(['a', 'b', 'c']);
	});

	test('work that rejects is reported and makes room as well', async () => {
		const {clock, queue, begun, running, ofType} = openQueue({waiting: ['a', 'b', 'c']});
		queue.wake();
		await clock.settle();
		running.get('b')?.end(new Error('broken'));
		await clock.settle();
		expect(begun).toEqual(['a', 'b', 'c']);
		expect(ofType('log').map(event => event.text)).toEqual(['runs: broken']);
	});

	test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a run queued %d ticks after a wake is not forgotten', async ticks => {
		const waiting: string[] = [];
		const {clock, queue, begun} = openQueue({waiting});
		queue.wake();
		for (let tick = 0; tick < ticks; tick++) {
			await Promise.resolve();
		}

		waiting.push('late');
		queue.wake();
		await clock.settle();
		expect(begun).toEqual(['late']);
	});
});

describe('when the journal cannot be asked', () => {
	/** The journal fails as often as told, then gives one run. */
	function openFailing(failures: number): {
		clock: FakeClock;
		wake: () => void;
		stop: () => Promise<void>;
		begun: string[];
		asked: () => number;
	} {
		const clock = createFakeClock();
		const {publish} = recordEvents();
		const {work, begun} = openWork();
		let asked = 0;
		const take = async () => {
			asked++;
			if (asked <= failures) {
				throw new Problem('storage_unavailable');
			}

			return asked === failures + 1 ? [{kind: 'begun', run: sampleRun({id: 'a'})} as const] : [];
		};

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
		return {clock, wake: queue.wake, stop: queue.stop, begun, asked: () => asked};
	}

	test('it is asked again after five seconds, not before', async () => {
		const {clock, wake, begun, asked} = openFailing(2);
		wake();
		await clock.advance(4999);
		expect(asked()).toBe(1);
		await clock.advance(5001);
		expect(begun).toEqual(['a']);
	});

	test('a stop leaves no timer', async () => {
		const {clock, wake, stop} = openFailing(100);
		wake();
		await clock.settle();
		await stop();
		expect(clock.open()).toBe(0);
	});

	test('it is asked no more after a stop', async () => {
		const {clock, wake, stop, asked} = openFailing(100);
		wake();
		await clock.settle();
		await stop();
		await clock.advance(60_000);
		expect(asked()).toBe(1);
	});
});

describe('the inbox', () => {
	/** A queue of runs for the inbox, and how many got there. */
	function openInboxQueue(count: number) {
		const clock = createFakeClock();
		const waiting = Array.from({length: count}, (_, index) => sampleRun({id: `run-${index}`}));
		const parked: string[] = [];
		const queue = createRunQueue({
			parkable: noParkable,
			take: async () => waiting.splice(0, 10).map(run => ({kind: 'parked', run, reason: noModel})),
			work: () => Promise.reject(new Error('there is no model')),
			park: runs => void parked.push(...runs.map(({run}) => run.id)),
			limits: () => ({maxRunning: 1, maxWaiting: 100}),
			isHeld: () => false,
			clock,
			publish: recordEvents().publish,
		});
		return {clock, queue, parked};
	}

	test('takes no place of a run that a model answers, and keeps the order', async () => {
		const {clock, queue, parked} = openInboxQueue(3);
		queue.wake();
		await clock.settle();
		expect(parked).toEqual(['run-0', 'run-1', 'run-2']);
	});

	test('is filled no faster than its token bucket allows in a flood', async () => {
		const {clock, queue, parked} = openInboxQueue(25);
		queue.wake();
		await clock.settle();
		const atOnce = parked.length;
		await clock.advance(20);
		const afterOnePause = parked.length;
		await clock.advance(20);
		expect([atOnce, afterOnePause, parked.length]).toEqual([10, 20, 25]);
	});

	test('a stop does not wait for the token bucket', async () => {
		const {clock, queue, parked} = openInboxQueue(100);
		queue.wake();
		await clock.settle();
		await queue.stop();
		expect([parked.length <= 20, clock.open()]).toEqual([true, 0]);
	});
});
