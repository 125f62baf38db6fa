import {describe, expect, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {cancelledByPerson, gatewayStopped} from '../../source/runs/run-problems.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {acceptRun, sampleMessage, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {openAnswering} from './open-answering.ts';
import {done, failed, uncertain} from './outbox-fixture.ts';

/** A gateway dies before its next write of this kind. */
const dies = () => Promise.reject(new Problem('storage_unavailable'));

describe.each(journalEngines)('on $engine, a gateway that dies right after the delivery', engine => {
	test('leaves no inbox item open whose answer has arrived', async () => {
		const lacking = () => ({finishRun: dies});
		const {inbox, journal} = await openAnswering(engine, {state: 'inbox', deliver: async () => done, lacking});
		await expect(inbox.answer('a', 'Yes')).rejects.toMatchObject({code: 'storage_unavailable'});
		const end = {state: 'finished', reason: 'answered by a person', result: {answer: 'Yes'}};
		expect(await journal.findRun('a')).toMatchObject(end);
		expect(await journal.claimInboxItem('a')).toBe(false);
	});

	test.each([
		{result: failed, reason: 'the answer was not delivered: Delivery failed'},
		{
			result: uncertain,
			reason: `answered by a person: ${uncertain.kind === 'uncertain' ? uncertain.problem.message : ''}`,
		},
	])('leaves one open that says why, for anybody, when its answer was $result.kind', async ({result, reason}) => {
		const lacking = () => ({releaseInboxItem: () => undefined});
		const {inbox, journal} = await openAnswering(engine, {state: 'inbox', deliver: async () => result, lacking});
		expect(await inbox.answer('a', 'Yes')).toBe(reason);
		expect(await journal.findRun('a')).toMatchObject({state: 'inbox', reason});
		expect(await journal.claimInboxItem('a')).toBe(true);
	});

	test('leaves a run ended whose answer has arrived, with its conversation', async () => {
		const lacking = () => ({finishRun: dies});
		const {work, journal} = await openAnswering(engine, {state: 'running', deliver: async () => done, lacking});
		await expect(work()).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(await journal.interruptBegunRuns()).toEqual([]);
		expect(await journal.findRun('a')).toMatchObject({state: 'finished', result: {answer: 'Yes'}});
		expect(await journal.findConversation('a')).toContain('Yes');
	});

	test('leaves a run failed whose answer was refused', async () => {
		const lacking = () => ({finishRun: dies});
		const {work, journal} = await openAnswering(engine, {state: 'running', deliver: async () => failed, lacking});
		await expect(work()).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(await journal.findRun('a')).toMatchObject({state: 'failed', reason: 'Delivery failed'});
	});
});

describe.each(journalEngines)('on $engine', engine => {
	test('an answer is published as the end of its run once', async () => {
		const one = await openAnswering(engine, {state: 'running', deliver: async () => done});
		expect([await one.work(), one.states()]).toEqual(['over', ['running', 'finished']]);
		const item = await openAnswering(engine, {state: 'inbox', deliver: async () => done});
		expect([await item.inbox.answer('a', 'Yes'), item.states()]).toEqual([undefined, ['finished']]);
	});

	test('an inbox item whose answer was being sent when its gateway died is open, and says that it may have arrived', async () => {
		const {inbox, journal, outbox, sent} = await openAnswering(engine, {
			state: 'inbox',
			deliver: () => new Promise(() => undefined),
		});
		void inbox.answer('a', 'Yes');
		await expect.poll(() => sent).toEqual(['Yes']);
		expect(await journal.claimInboxItem('a')).toBe(false);
		expect((await outbox.leftBehind()).uncertain).toHaveLength(1);
		expect(await journal.findRun('a')).toMatchObject({
			state: 'inbox',
			reason: 'answered by a person: the gateway stopped while sending it; it may have arrived',
		});
		expect(await journal.claimInboxItem('a')).toBe(true);
	});

	test('an inbox item is closed when a person has its uncertain answer sent again', async () => {
		const results = [uncertain, done];
		const {inbox, journal, sendAgain, sent, states} = await openAnswering(engine, {
			state: 'inbox',
			deliver: async () => results.shift() ?? failed,
		});
		await inbox.answer('a', 'Yes');
		await sendAgain();
		const end = {state: 'finished', reason: 'delivered again by a person', result: {answer: 'Yes'}};
		expect(await journal.findRun('a')).toMatchObject(end);
		expect([sent, states()]).toEqual([
			['Yes', 'Yes'],
			['inbox', 'finished'],
		]);
	});

	test.each([
		{reason: cancelledByPerson, state: 'cancelled', left: []},
		{reason: gatewayStopped, state: 'interrupted', left: ['Yes']},
	])('the answer that a run had written before it was $state is sent later: $left', async ({reason, state, left}) => {
		const aborting = new AbortController();
		const lacking = (journal: Journal) => ({
			async persistMessages(...answer: Parameters<Journal['persistMessages']>) {
				await journal.persistMessages(...answer);
				aborting.abort(reason);
			},
		});
		const {work, journal, sent, sendLeft} = await openAnswering(engine, {
			state: 'running',
			deliver: async () => done,
			lacking,
		});
		await work(aborting.signal);
		expect([(await journal.findRun('a'))?.state, sent]).toEqual([state, []]);
		expect(await sendLeft()).toEqual(left);
	});

	test('a run that was interrupted while its answer arrived ends with its answer, and its gateway shows that', async () => {
		const one = await openAnswering(engine, {
			state: 'running',
			async deliver() {
				await one.journal.setRunState('a', 'interrupted');
				return done;
			},
		});
		expect([await one.work(), one.states()]).toEqual(['over', ['running', 'finished']]);
		expect(await one.journal.findRun('a')).toMatchObject({state: 'finished', result: {answer: 'Yes'}});
		expect(await one.journal.findConversation('a')).toContain('Yes');
	});

	test('a run whose answer another gateway has sent looks as that one has left it', async () => {
		const {work, states} = await openAnswering(engine, {
			state: 'running',
			deliver: async () => done,
			lacking: journal => ({
				async beginMessage() {
					await journal.setRunState('a', 'finished', 'delivered after a restart');
					return false;
				},
			}),
		});
		expect([await work(), states()]).toEqual(['over', ['running', 'finished']]);
	});

	test('a run that was interrupted has its late answer as its result, unless it has one already', async () => {
		const {run, journal, sendLeft} = await openAnswering(engine, {state: 'running', deliver: async () => done});
		await journal.setRunState('a', 'interrupted');
		await journal.persistMessages([sampleMessage('late', {runId: run.id, text: 'Late'})], 'pending');
		await acceptRun(journal, sampleRun({id: 'b'}));
		await takeRun(journal);
		const result = {answer: 'Yes', model: 'one', startedAt: 1};
		await journal.finishRun('b', {state: 'interrupted', result, conversation: '[]'});
		await journal.persistMessages([sampleMessage('of b', {runId: 'b', text: 'Yes'})], 'pending');
		expect(await sendLeft()).toEqual(['Late', 'Yes']);
		expect(await journal.findRun('a')).toMatchObject({state: 'finished', result: {answer: 'Late'}});
		expect(await journal.findRun('b')).toMatchObject({state: 'finished', result});
		expect(await journal.findConversation('b')).toBe('[]');
	});

	test('a cancelled run leaves no answer to send, even when its gateway dies then, and no platform counts as failing for it', async () => {
		const journal = await engine.open({clock: createFakeClock()});
		for (const [id, state] of [
			['cancelled', 'cancelled'],
			['stopped', 'interrupted'],
		] as const) {
			await acceptRun(journal, sampleRun({id}));
			await takeRun(journal);
			await journal.persistMessages([sampleMessage(`of ${id}`, {runId: id})], 'pending');
			await journal.finishRun(id, {state, reason: 'a test', result: {}});
		}

		expect((await journal.takePendingMessages(10)).map(({id}) => id)).toEqual(['of stopped']);
		expect(await journal.findMessage('of cancelled')).toMatchObject({state: 'failed', detail: 'a test'});
		expect(await journal.listFailedDeliveries({limit: 10})).toEqual([]);
	});
});
