import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

describe.each(journalEngines)('on $engine', ({open}) => {
	const window = {route: 'github', key: 'pr 1'};
	/** As a route has it, with the key that it is made of. */
	const coalesce = {key: 'pull_request.number', windowSeconds: 0, maxWaitSeconds: 0};

	async function openWindows(limits: {maxAgeDays?: number} = {}) {
		const clock = createFakeClock();
		const journal = await open({clock, ...limits});
		const put = (id: string, options: {createdAt?: number; queueLimit?: number; key?: string} = {}) =>
			journal.acceptEvent({
				event: sampleEvent({id: `event-${id}`, outcome: 'coalesced', time: 1}),
				run: sampleRun({id, createdAt: options.createdAt ?? 1000}),
				windowKey: options.key ?? window.key,
				windowTiming: coalesce,
				queueLimit: options.queueLimit,
			});
		return {clock, journal, put};
	}

	describe('a window', () => {
		test('keeps the latest run, both times and how many went before', async () => {
			const {journal, put} = await openWindows();
			await put('a', {createdAt: 1000});
			await put('b', {createdAt: 2000});
			await put('c', {createdAt: 3000});
			expect(await journal.listWindows()).toEqual([{...window, firstAt: 1000, lastAt: 3000}]);
			expect(await journal.listRuns({limit: 10})).toEqual([]);
			const taken = await journal.takeWindow(window);
			const prompt = expect.stringContaining('2 earlier events');
			expect(taken).toMatchObject({id: 'c', prompt});
			expect(await journal.listRuns({limit: 10})).toMatchObject([{id: 'c', prompt, state: 'queued'}]);
			expect(await journal.listWindows()).toEqual([]);
		});

		test('is taken once', async () => {
			const {journal, put} = await openWindows();
			await put('a');
			const both = await Promise.all([journal.takeWindow(window), journal.takeWindow(window)]);
			expect(both.map(run => run?.id)).toEqual(['a', undefined]);
			expect(await journal.listRuns({limit: 10})).toHaveLength(1);
		});

		test('takes a place in the queue, and what replaces takes none', async () => {
			const {put} = await openWindows();
			expect(await put('a', {queueLimit: 1})).toBe('accepted');
			expect(await put('b', {queueLimit: 1, key: 'pr 2'})).toBe('queue-full');
			expect(await put('c', {queueLimit: 1})).toBe('accepted');
		});

		test('holds its event against its age', async () => {
			const {journal, put} = await openWindows({maxAgeDays: 1});
			await put('a');
			await journal.acceptEvent({event: sampleEvent({id: 'beside', time: 1})});
			journal.prune();
			await expect.poll(() => journal.findEvent('beside')).toBeUndefined();
			expect(await journal.findEvent('event-a')).toBeDefined();
			await journal.takeWindow(window);
			await journal.setRunState('a', 'finished');
			journal.prune();
			await expect.poll(() => journal.findEvent('event-a')).toBeUndefined();
		});
	});
});
