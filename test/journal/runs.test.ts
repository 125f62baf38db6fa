import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, sampleMessage, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {to} from '../helpers/destinations.ts';

describe.each(journalEngines)('on $engine', ({open}) => {
	const start = 1_700_000_000_000;

	test('runs are given out in the order they were accepted, each once', async () => {
		const journal = await open({clock: createFakeClock()});
		const runs = ['a', 'b', 'c'].map(id => sampleRun({id}));
		await Promise.all(runs.map(run => acceptRun(journal, run)));
		const taken = [await takeRun(journal), await takeRun(journal), await takeRun(journal), await takeRun(journal)];
		expect(taken).toEqual([...runs, undefined]);
	});

	test('runs of other profiles are given out without those that were asked to be left out', async () => {
		const journal = await open({clock: createFakeClock()});
		for (const profile of ['one', 'two', 'one', 'three']) {
			await acceptRun(journal, sampleRun({profile}));
		}

		const profiles = async (...without: string[]) =>
			(await journal.nextQueuedRuns(2, {withoutProfiles: without})).map(({profile}) => profile);
		expect([await profiles(), await profiles('one'), await profiles('one', 'three'), await profiles('four')]).toEqual([
			['one', 'two'],
			['two', 'three'],
			['two'],
			['one', 'two'],
		]);
	});

	test('the queue is looked through once, from where the last look ended, without some profiles', async () => {
		const journal = await open({clock: createFakeClock()});
		const profiles = ['work', 'home', 'work', 'home', 'home'];
		for (const [index, profile] of profiles.entries()) {
			await acceptRun(journal, sampleRun({id: `run-${index}`, profile}));
		}

		const look = async (after: number, without: readonly string[] = ['work']) => {
			const {runs, last} = await journal.listQueuedRuns({after, without, limit: 2});
			await journal.moveQueuedRuns(
				runs.map(({id}) => id),
				{state: 'inbox'},
			);
			return {ids: runs.map(({id}) => id), last};
		};

		const first = await look(0);
		const second = await look(first.last);
		expect([first.ids, second.ids]).toEqual([['run-1', 'run-3'], ['run-4']]);
		expect((await look(second.last)).ids).toEqual([]);
		await acceptRun(journal, sampleRun({id: 'later', profile: 'home'}));
		expect((await look(second.last)).ids).toEqual(['later']);
		expect((await look(0, [])).ids).toEqual(['run-0', 'run-2']);
	});

	test('of two who move the same run one moves it', async () => {
		const journal = await open({clock: createFakeClock()});
		await acceptRun(journal, sampleRun({id: 'a'}));
		const moved = await Promise.all([
			journal.moveQueuedRuns(['a', 'b'], {state: 'running'}),
			journal.moveQueuedRuns(['a'], {state: 'cancelled'}),
		]);
		expect([moved.map(ids => [...ids]), (await journal.findRun('a'))?.state]).toEqual([[['a'], []], 'running']);
	});

	test('a run comes back as it was, whatever texts it holds', async () => {
		const journal = await open({clock: createFakeClock()});
		const text = fc.string({unit: 'binary'});
		const extra = fc
			.dictionary(fc.string(), fc.jsonValue())
			.map(value => JSON.parse(JSON.stringify(value)) as JsonObject);
		await fc.assert(
			fc.asyncProperty(text, extra, fc.array(text), async (prompt, keys, skills) => {
				const run = sampleRun({prompt, deliver: to('slack', keys), skills, toolsets: skills, signature: prompt});
				await acceptRun(journal, run);
				expect(await takeRun(journal)).toEqual(run);
			}),
			{numRuns: 50},
		);
	});

	test('a taken run is running', async () => {
		const clock = createFakeClock(start);
		const journal = await open({clock});
		await acceptRun(journal, sampleRun({id: 'a'}));
		await clock.advance(5);
		await takeRun(journal);
		expect(await journal.findRun('a')).toMatchObject({state: 'running', changedAt: start + 5});
	});

	test('a run that was taken goes back to its place, however often that is written, and no other run does', async () => {
		const journal = await open({clock: createFakeClock()});
		const runs = ['a', 'b', 'c'].map(id => sampleRun({id}));
		await Promise.all(runs.map(run => acceptRun(journal, run)));
		await takeRun(journal);
		await takeRun(journal);
		await journal.finishRun('b', {state: 'finished', result: {}});
		const moved = await Promise.all(['a', 'a', 'b', 'c', 'd'].map(id => journal.requeueRun(id, 'once more')));
		expect([...moved, await journal.requeueRun('a', 'why else')]).toEqual([true, true, false, false, false, false]);
		expect(await journal.findRun('a')).toMatchObject({state: 'queued', reason: 'once more'});
		expect([await takeRun(journal), await takeRun(journal)]).toEqual([runs[0], runs[2]]);
		expect((await journal.findRun('a'))?.reason).toBeUndefined();
	});

	test('begun runs become interrupted, and only they', async () => {
		const journal = await open({clock: createFakeClock()});
		const runs = ['a', 'b', 'c'].map(id => sampleRun({id}));
		await Promise.all(runs.map(run => acceptRun(journal, run)));
		await takeRun(journal);
		await takeRun(journal);
		expect(await journal.interruptBegunRuns()).toEqual(runs.slice(0, 2));
		expect((await journal.listRuns({limit: 10})).map(row => row.state)).toEqual([
			'queued',
			'interrupted',
			'interrupted',
		]);
	});

	test('a run that was interrupted stays so, and one that runs ends once, however often that is written', async () => {
		const journal = await open({clock: createFakeClock()});
		const end = {state: 'finished', result: {answer: 'Yes'}} as const;
		await acceptRun(journal, sampleRun({id: 'a'}));
		await takeRun(journal);
		await journal.interruptBegunRuns();
		expect([await journal.finishRun('a', end), (await journal.findRun('a'))?.state]).toEqual([false, 'interrupted']);

		await acceptRun(journal, sampleRun({id: 'b'}));
		expect(await journal.finishRun('b', end)).toBe(false);
		await takeRun(journal);
		expect([await journal.finishRun('b', end), await journal.finishRun('b', end)]).toEqual([true, true]);
		expect(await journal.finishRun('b', {state: 'failed', reason: 'late', result: {}})).toBe(false);
		expect(await journal.findRun('b')).toMatchObject(end);
	});

	test('the list of runs begins with the newest and keeps to its states and its profile', async () => {
		const journal = await open({clock: createFakeClock()});
		for (const id of ['a', 'b', 'c', 'd']) {
			await acceptRun(journal, sampleRun({id, profile: id === 'd' ? 'default' : 'work'}));
		}

		await journal.setRunState('b', 'inbox', 'no model configured');
		await journal.setRunState('c', 'inbox');
		await journal.setRunState('d', 'finished');
		expect((await journal.listRuns({states: ['inbox', 'queued'], limit: 2})).map(row => row.id)).toEqual(['c', 'b']);
		expect((await journal.listRuns({profile: 'work', limit: 2})).map(row => row.id)).toEqual(['c', 'b']);
		expect((await journal.listRuns({profile: 'home', limit: 2})).map(row => row.id)).toEqual([]);
		expect((await journal.findRun('b'))?.reason).toBe('no model configured');
	});

	test("an inbox item is nobody's to answer while an answer to it waits or is being sent", async () => {
		const journal = await open({clock: createFakeClock()});
		for (const id of ['item', 'other']) {
			await acceptRun(journal, sampleRun({id}));
			await takeRun(journal, {state: 'inbox'});
		}

		expect(await journal.claimInboxItem('item')).toBe(true);
		await journal.persistMessages([sampleMessage('answer', {runId: 'item', eventId: 'event-item'})], 'pending');
		const claims = [await journal.claimInboxItem('item'), await journal.claimInboxItem('other')];
		await journal.beginMessage('answer', 'pending');
		claims.push(await journal.claimInboxItem('item'));
		await journal.finishMessage('answer', 'failed', 'no');
		expect([...claims, await journal.claimInboxItem('item')]).toEqual([false, true, false, true]);
	});
});
