import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {type FakeAnswer} from './fake-agent.ts';
import {openRuns} from './open-runs.ts';
import {to} from '../helpers/destinations.ts';

/** A model that answers nothing until its signal aborts, and not even then. */
const deaf: FakeAnswer = () => new Promise(() => {});

describe('without a model', () => {
	test('a run becomes an inbox item that says why', async () => {
		const {clock, journal, runs, ofType} = openRuns();
		const run = sampleRun({id: 'a'});
		await acceptRun(journal, run);
		runs.wake();
		await clock.settle();
		expect(ofType('run.state')).toEqual([
			{
				type: 'run.state',
				runId: 'a',
				state: 'inbox',
				route: 'github',
				event: 'push',
				deliveryId: 'delivery-a',
				reason: 'no model configured',
				prompt: 'Look at main',
				startedAt: run.createdAt,
				deliver: 'log',
				allowedTools: ['web_search', 'mcp__files__read'],
			},
		]);
		expect(await journal.findRun('a')).toMatchObject({state: 'inbox', reason: 'no model configured'});
	});

	test('every waiting run gets there, in order', async () => {
		const {clock, journal, runs, states} = openRuns();
		const ids = Array.from({length: 20}, (_, index) => `run-${index}`);
		await Promise.all(ids.map(id => acceptRun(journal, sampleRun({id}))));
		runs.wake();
		for (let turn = 0; turn < 20; turn++) {
			await clock.settle();
		}

		expect([...new Set(states())]).toEqual(ids.map(id => `${id} inbox`));
	});

	test('whatever the payload put into the prompt and the names, nothing shown can act on a terminal', async () => {
		const {clock, journal, runs, ofType} = openRuns();
		const text = fc.string({unit: 'binary', maxLength: 200});
		let number = 0;
		await fc.assert(
			fc.asyncProperty(text, text, async (prompt, event) => {
				const id = `run-${number++}`;
				await acceptRun(journal, sampleRun({id, prompt, event, deliveryId: `${number}${event}`}));
				runs.wake();
				// The inbox is filled at its own pace.
				await clock.advance(20);
				const shown = ofType('run.state').find(state => state.runId === id);
				expect(shown?.prompt).not.toMatch(/[^\P{Cc}\n]|[\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u);
				expect(`${shown?.event}${shown?.deliveryId}`).not.toMatch(/\p{Cc}|[\u200B-\u200F\u2028-\u202E]/u);
			}),
			{numRuns: 30},
		);
	});

	test('the prompt that is shown is cut, the one that is stored is not', async () => {
		const {clock, journal, runs, ofType} = openRuns();
		await acceptRun(journal, sampleRun({id: 'a', prompt: 'x'.repeat(100_000)}));
		runs.wake();
		await clock.settle();
		expect(ofType('run.state')[0]?.prompt).toBe(`${'x'.repeat(20_000)}… 80,000 more`);
		expect((await journal.findRun('a'))?.prompt).toHaveLength(100_000);
	});
});

describe('closing an inbox item', () => {
	test('finishes the run', async () => {
		const {clock, journal, runs, states} = openRuns();
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		await runs.inbox.close('a');
		expect(states()).toEqual(['a inbox', 'a finished']);
		expect((await journal.findRun('a'))?.state).toBe('finished');
	});

	test.each(['queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted'] as const)(
		'that is %s is refused and changes nothing',
		async state => {
			const {journal, runs, events} = openRuns();
			await acceptRun(journal, sampleRun({id: 'a'}));
			await journal.setRunState('a', state);
			await expect(runs.inbox.close('a')).rejects.toMatchObject({code: 'unknown_run'});
			expect((await journal.findRun('a'))?.state).toBe(state);
			expect(events).toEqual([]);
		},
	);

	test('that was never there is refused', async () => {
		const {runs} = openRuns();
		const message = 'No open inbox item has this id ␛nowhere';
		await expect(runs.inbox.close('\u001Bnowhere')).rejects.toMatchObject({code: 'unknown_run', message});
	});

	test('while the journal is closed is refused', async () => {
		const {journal, runs} = openRuns();
		await journal.close();
		await expect(runs.inbox.close('a')).rejects.toMatchObject({code: 'storage_unavailable'});
	});
});

describe('with a model', () => {
	test('the answer is delivered and the run finished', async () => {
		const {clock, journal, runs, states, ofType} = openRuns({complete: async run => `answer to: ${run.prompt}`});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		expect(states()).toEqual(['a running', 'a finished']);
		expect(ofType('log').map(event => event.text)).toEqual(['github: answer to: Look at main']);
		expect((await journal.findRun('a'))?.state).toBe('finished');
	});

	test('the agent gets the payload of the event, whatever the prompt has of it', async () => {
		const payloads: unknown[] = [];
		const {clock, journal, runs} = openRuns({complete: async (_, {payload}) => String(payloads.push(payload))});
		await acceptRun(journal, sampleRun({id: 'a', eventId: 'e1'}));
		runs.wake();
		await clock.settle();
		expect(payloads).toEqual(['payload of e1']);
	});

	test('only the first event of a run carries the prompt', async () => {
		const {clock, journal, runs, ofType} = openRuns({complete: async () => 'yes'});
		await acceptRun(journal, sampleRun());
		runs.wake();
		await clock.settle();
		expect(ofType('run.state').map(event => event.prompt)).toEqual(['Look at main', undefined]);
	});

	test('an answer that cannot be delivered fails the run', async () => {
		const {clock, journal, runs} = openRuns({complete: async () => 'yes'});
		await acceptRun(journal, sampleRun({id: 'a', deliver: to('telegram')}));
		runs.wake();
		await clock.settle();
		expect(await journal.findRun('a')).toMatchObject({state: 'failed', reason: 'Delivery failed'});
	});

	test('a model that fails fails the run, with its own words in the log only', async () => {
		const {clock, journal, runs, ofType} = openRuns({
			complete: () => Promise.reject(new Problem('internal', {detail: 'key \u001B[31mrefused'})),
		});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		expect(await journal.findRun('a')).toMatchObject({state: 'failed', reason: 'Something inside Sluice went wrong'});
		expect(ofType('log').map(event => event.text)).toEqual([
			'run a: Something inside Sluice went wrong: key ␛[31mrefused',
		]);
	});

	test('no more runs than allowed are begun', async () => {
		const {clock, journal, runs, states} = openRuns({complete: deaf});
		await Promise.all(['a', 'b', 'c'].map(id => acceptRun(journal, sampleRun({id}))));
		runs.wake();
		await clock.settle();
		expect(states()).toEqual(['a running', 'b running']);
		expect((await journal.findRun('c'))?.state).toBe('queued');
	});

	test('a stop interrupts what has not ended after ten seconds, even when the model is deaf', async () => {
		const {clock, journal, runs, states} = openRuns({complete: deaf});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		const stopped = runs.stop();
		await clock.advance(9999);
		expect(states()).toEqual(['a running']);
		await clock.advance(1);
		await stopped;
		expect(await journal.findRun('a')).toMatchObject({state: 'interrupted', reason: 'the gateway stopped'});
	});

	test('a run that ends within the ten seconds of a stop is finished', async () => {
		const answer = Promise.withResolvers<string>();
		const {clock, journal, runs} = openRuns({complete: () => answer.promise});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		const stopped = runs.stop();
		await clock.advance(5000);
		answer.resolve('late, but there');
		await stopped;
		expect((await journal.findRun('a'))?.state).toBe('finished');
	});

	test('what was still queued at a stop waits for the next start', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const clock = createFakeClock();
		const before = openRuns({path, clock, complete: deaf});
		await Promise.all(['a', 'b', 'c'].map(id => acceptRun(before.journal, sampleRun({id}))));
		before.runs.wake();
		await clock.settle();
		const stopped = before.runs.stop();
		await clock.advance(10_000);
		await stopped;
		await before.journal.close();

		const after = openRuns({path, clock, complete: async () => 'yes'});
		await after.runs.start();
		await clock.settle();
		const left = await Promise.all(['a', 'b', 'c'].map(after.journal.findRun));
		expect(left.map(run => run?.state)).toEqual(['interrupted', 'interrupted', 'finished']);
	});
});

describe('a start', () => {
	test('interrupts what a former process had begun, and does not run it again', async () => {
		const asked: string[] = [];
		const {clock, journal, runs, states} = openRuns({
			async complete(run) {
				asked.push(run.id);
				return 'yes';
			},
		});
		await acceptRun(journal, sampleRun({id: 'begun'}));
		await takeRun(journal);
		await acceptRun(journal, sampleRun({id: 'queued'}));
		await runs.start();
		await clock.settle();
		expect(states()).toContain('begun interrupted');
		expect(asked).toEqual(['queued']);
	});

	test('shows inbox items and recent runs again, oldest first, each with its prompt', async () => {
		const {journal, runs, ofType} = openRuns({complete: deaf});
		const createdAt = 1_700_000_000_000;
		for (const [index, state] of (['inbox', 'finished', 'failed', 'inbox'] as const).entries()) {
			const id = `${index}`;
			await acceptRun(journal, sampleRun({id, prompt: `prompt ${id}`, createdAt: createdAt + index}));
			await journal.setRunState(id, state, 'because');
		}

		await runs.start();
		const shown = ofType('run.state').filter(event => event.prompt !== undefined);
		expect(shown.map(({runId, state, reason, prompt}) => ({runId, state, reason, prompt}))).toEqual([
			{runId: '0', state: 'inbox', reason: 'because', prompt: 'prompt 0'},
			{runId: '1', state: 'finished', reason: 'because', prompt: 'prompt 1'},
			{runId: '2', state: 'failed', reason: 'because', prompt: 'prompt 2'},
			{runId: '3', state: 'inbox', reason: 'because', prompt: 'prompt 3'},
		]);
	});

	test('shows at most 200 runs beside the inbox items, of which none gives way', async () => {
		const {journal, runs, ofType} = openRuns({complete: deaf});
		const accept = async (id: string, state: 'inbox' | 'finished') => {
			await acceptRun(journal, sampleRun({id}));
			await journal.setRunState(id, state);
		};

		await Promise.all(Array.from({length: 250}, (_, index) => accept(`inbox-${index}`, 'inbox')));
		await Promise.all(Array.from({length: 300}, (_, index) => accept(`done-${index}`, 'finished')));
		await runs.start();
		const shown = ofType('run.state').filter(event => event.prompt !== undefined);
		expect(shown).toHaveLength(450);
		expect(shown.filter(event => event.state === 'inbox')).toHaveLength(250);
	});

	test('that cannot read the journal rejects', async () => {
		const {journal, runs} = openRuns();
		await journal.close();
		await expect(runs.start()).rejects.toMatchObject({code: 'storage_unavailable'});
	});
});
