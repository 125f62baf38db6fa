import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type AnswerOptions} from '../../source/agent/run-task.ts';
import {type RunAgent} from '../../source/runs/run-profile.ts';
import {untilAborted} from '../../source/util/clock.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, sampleRun} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {fakeAgent} from './fake-agent.ts';
import {openRuns} from './open-runs.ts';

describe('a stop', () => {
	/** An agent that waits before it asks its model, as one does whose tool servers still connect. */
	const hesitating = (asks: string[]): RunAgent => ({
		...fakeAgent(async () => 'yes'),
		async answer({id}, {signal}) {
			await untilAborted(new Promise(() => {}), signal).catch(() => undefined);
			// Runs under way go on for a while; by then they must not ask any more.
			signal.throwIfAborted();
			asks.push(id);
			return {text: 'yes', conversation: '[]'};
		},
	});

	test('puts a run that has not asked its model back at once, and the next start takes it up in its turn', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const clock = createFakeClock();
		const asks: string[] = [];
		const before = openRuns({path, clock, agent: hesitating(asks)});
		await Promise.all(['a', 'b', 'c'].map(id => acceptRun(before.journal, sampleRun({id}))));
		before.runs.wake();
		await clock.settle();
		expect(before.states()).toEqual(['a running', 'b running']);
		await before.runs.stop();
		expect(before.states()).toEqual(['a running', 'b running', 'a queued', 'b queued']);
		expect(await before.journal.findRun('a')).toMatchObject({
			state: 'queued',
			reason: 'the gateway stopped before the run started',
		});
		expect([await before.journal.countWaitingRuns(), clock.open(), asks]).toEqual([3, 0, []]);
		await before.journal.close();

		const after = openRuns({path, clock, complete: async () => 'yes'});
		await after.runs.start();
		await expect.poll(async () => (await after.journal.findRun('c'))?.state).toBe('finished');
		expect(after.states().filter(state => !state.endsWith('queued'))).toEqual([
			'a running',
			'b running',
			'a finished',
			'b finished',
			'c running',
			'c finished',
		]);
	});

	test('cancels a run that a person cancelled while it went back', async () => {
		const {clock, journal, runs, states} = openRuns({agent: hesitating([])});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		const stopped = runs.stop();
		await runs.controller.cancel('a');
		await stopped;
		expect(states()).toEqual(['a running', 'a queued', 'a cancelled']);
		expect(await journal.findRun('a')).toMatchObject({state: 'cancelled', reason: 'cancelled by a person'});
	});

	test('leaves a run cancelled that a person cancelled just before', async () => {
		const {clock, journal, runs} = openRuns({agent: hesitating([])});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		const cancelled = runs.controller.cancel('a');
		await runs.stop();
		await cancelled;
		expect((await journal.findRun('a'))?.state).toBe('cancelled');
	});

	test('says nothing more of a run that went back', async () => {
		const told = Promise.withResolvers<AnswerOptions['report']>();
		const agent: RunAgent = {
			...fakeAgent(async () => 'yes'),
			answer: (_task, {report}) => new Promise(() => told.resolve(report)),
		};
		const {clock, journal, runs, states} = openRuns({agent});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		const report = await told.promise;
		report({kind: 'model', model: 'first'});
		await runs.stop();
		report({kind: 'model', model: 'second'});
		expect(states()).toEqual(['a running', 'a running', 'a queued']);
	});

	test('while a model is still looked for takes nothing', async () => {
		const agent: RunAgent = {...fakeAgent(async () => 'yes'), model: () => new Promise(() => {})};
		const {clock, journal, runs, events} = openRuns({agent});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		await runs.stop();
		expect([(await journal.findRun('a'))?.state, events]).toEqual(['queued', []]);
	});
});

describe('an error of our own', () => {
	const noFiles = new Problem('too_many_open_files');

	/** An agent that fails so often in this way and then answers; `stage` says whether it was about to ask by then. */
	const failing = (times: number, {stage, error}: {stage: 'taken' | 'asked'; error: Error}) => {
		let left = times;
		return {
			...fakeAgent(async () => 'yes'),
			async answer(_task, {report}) {
				if (stage === 'asked') {
					report({kind: 'asked'});
				}

				if (left-- > 0) {
					throw error;
				}

				return {text: 'yes', conversation: '[]'};
			},
		} satisfies RunAgent;
	};

	test.each([
		['before the model was asked', {stage: 'taken', error: new TypeError('import failed')}],
		['of the journal, before that', {stage: 'taken', error: new Problem('storage_unavailable')}],
		['for want of files, before that', {stage: 'taken', error: noFiles}],
		['for want of files, when the request could not go out', {stage: 'asked', error: noFiles}],
	] as const)('%s puts the run back, and it is taken again after a rest', async (_when, failure) => {
		const {clock, journal, runs, states} = openRuns({agent: failing(2, failure)});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.settle();
		expect((await journal.findRun('a'))?.state).toBe('queued');
		await clock.advance(4999);
		expect(states()).toEqual(['a running', 'a queued']);
		await clock.advance(5001);
		expect((await journal.findRun('a'))?.state).toBe('finished');
		expect(states()).toEqual(['a running', 'a queued', 'a running', 'a queued', 'a running', 'a finished']);
	});

	test.each([
		['of the model', {stage: 'asked', error: new Problem('model_unreachable')}],
		['of ours after the model was asked', {stage: 'asked', error: new TypeError('broken')}],
		['of the configuration', {stage: 'taken', error: new Problem('model_unusable')}],
	] as const)('and one %s fails it', async (_which, failure) => {
		const {clock, journal, runs} = openRuns({agent: failing(1, failure)});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.advance(60_000);
		expect((await journal.findRun('a'))?.state).toBe('failed');
	});

	test('that does not end fails the run after twenty tries', async () => {
		const {clock, journal, runs, states} = openRuns({
			agent: failing(Number.POSITIVE_INFINITY, {stage: 'taken', error: new TypeError('broken for good')}),
		});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		for (let minute = 0; minute < 3; minute++) {
			await clock.advance(60_000);
		}

		expect(states().filter(state => state === 'a running')).toHaveLength(20);
		expect(await journal.findRun('a')).toMatchObject({
			state: 'failed',
			reason: 'Something inside Sluice went wrong, 20 times',
		});
	});

	test('while what it needs cannot be loaded leaves it in the queue, however long that takes', async () => {
		let isShort = true;
		const agent: RunAgent = {
			...fakeAgent(async () => 'yes'),
			async ready() {
				if (isShort) {
					throw noFiles;
				}
			},
		};
		const {clock, journal, runs, states} = openRuns({agent});
		await acceptRun(journal, sampleRun({id: 'a'}));
		runs.wake();
		await clock.advance(600_000);
		expect([states(), (await journal.findRun('a'))?.state]).toEqual([[], 'queued']);
		isShort = false;
		await clock.advance(5000);
		expect((await journal.findRun('a'))?.state).toBe('finished');
	});
});
