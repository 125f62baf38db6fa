import {describe, expect, test} from 'vitest';
import {type Delivery, type DeliveryResult} from '../../source/delivery/deliver.ts';
import {type Journal, answerWaits} from '../../source/journal/journal.ts';
import {cancelledByPerson, gatewayStopped} from '../../source/runs/run-problems.ts';
import {Problem} from '../../source/util/problem.ts';
import {to} from '../helpers/destinations.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {openAnswering} from './open-answering.ts';
import {done, failed, uncertain} from './outbox-fixture.ts';

const destinations = [...to('slack'), ...to('telegram')];
const retrying: DeliveryResult = {kind: 'retrying', problem: new Problem('delivery_failed'), nextAt: 4_102_444_800_000};
const doubt = 'The delivery was not confirmed; it may have arrived';
const results = {
	done,
	failed,
	uncertain: {...uncertain, problem: new Problem('outcome_uncertain', {message: doubt})},
	retrying,
};

/** Answers by target, in turn. */
function byTarget(slack: ReadonlyArray<keyof typeof results>, telegram: ReadonlyArray<keyof typeof results>) {
	const left = {slack: [...slack], telegram: [...telegram]};
	return async ({target}: Delivery) => results[left[target === 'slack' ? 'slack' : 'telegram'].shift() ?? 'done'];
}

describe.each(journalEngines)('on $engine, an answer for two targets', engine => {
	test.each([
		['done', 'done', 'finished', undefined],
		['done', 'retrying', 'finished', answerWaits],
		['retrying', 'retrying', 'finished', answerWaits],
		['failed', 'done', 'failed', 'slack: Delivery failed; arrived: telegram'],
		['done', 'failed', 'failed', 'telegram: Delivery failed; arrived: slack'],
		['failed', 'failed', 'failed', 'slack: Delivery failed; telegram: Delivery failed'],
		['done', 'uncertain', 'failed', `telegram: ${doubt}; arrived: slack`],
		['failed', 'uncertain', 'failed', `slack: Delivery failed; telegram: ${doubt}`],
		['failed', 'retrying', 'failed', 'slack: Delivery failed; sent again: telegram'],
	] as const)('%s and %s: the run is %s (%s)', async (slack, telegram, state, reason) => {
		const one = await openAnswering(engine, {state: 'running', destinations, deliver: byTarget([slack], [telegram])});
		await one.work();
		const {state: end, reason: why = ''} = await one.stored();
		expect(end).toBe(state);
		expect(new Set(why.split('; '))).toEqual(new Set((reason ?? '').split('; ')));
		expect([one.states().at(-1), one.ended.length, one.sent.length]).toEqual([state, 1, 2]);
	});

	test('is written whole before the first message is sent', async () => {
		const seen: number[] = [];
		const one = await openAnswering(engine, {
			state: 'running',
			destinations,
			async deliver() {
				seen.push((await one.journal.listMessages({limit: 10})).length);
				return done;
			},
		});
		await one.work();
		expect(seen).toEqual([2, 2]);
	});

	test('of which one message is sent while the other waits for its platform: the run ends with the last', async () => {
		const slow = Promise.withResolvers<DeliveryResult>();
		const one = await openAnswering(engine, {
			state: 'running',
			destinations,
			deliver: async ({target}) => (target === 'slack' ? done : slow.promise),
		});
		const work = one.work();
		await expect.poll(one.messages).toEqual(['slack sent', 'telegram sending']);
		expect((await one.stored()).state).toBe('running');
		slow.resolve(done);
		await work;
		expect(await one.stored()).toEqual({state: 'finished', reason: undefined});
	});

	test('a message that is sent again and arrives before the other one ended is not announced as waiting', async () => {
		const slow = Promise.withResolvers<DeliveryResult>();
		let tries = 0;
		const one = await openAnswering(engine, {
			state: 'running',
			destinations,
			deliver: async ({target}) => (target === 'slack' ? (tries++ === 0 ? retrying : done) : slow.promise),
		});
		const work = one.work();
		await expect.poll(one.messages).toEqual(['slack retrying', 'telegram sending']);
		await one.sendAgain();
		slow.resolve(done);
		await work;
		expect(await one.stored()).toEqual({state: 'finished', reason: undefined});
	});

	test('a gateway that dies between the two: what was begun is in doubt, what was not is sent, nothing twice', async () => {
		const place = await engine.newPlace();
		const lacking = (journal: Journal): Partial<Journal> => ({
			beginMessage: async (id, from, when) => {
				const row = await journal.findMessage(id);
				return row?.target === 'telegram'
					? Promise.reject(new Problem('storage_unavailable'))
					: journal.beginMessage(id, from, when);
			},
			finishMessage: () => Promise.reject(new Problem('storage_unavailable')),
			finishRun: () => Promise.reject(new Problem('storage_unavailable')),
		});
		const first = await openAnswering(engine, {
			place,
			state: 'running',
			destinations,
			deliver: async () => done,
			lacking,
		});
		await expect(first.work()).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(await first.messages()).toEqual(['slack sending', 'telegram pending']);
		const left = engine.leftOf(place);
		await first.journal.close();
		const next = await engine.open({clock: first.clock, place: left});
		const {createOutbox} = await import('../../source/runs/outbox.ts');
		const {createPublishEnd} = await import('../../source/runs/run-answers.ts');
		const sent: string[] = [];
		const outbox = createOutbox({
			journal: next,
			clock: first.clock,
			publishOf: () => () => undefined,
			redact: text => text,
			async deliver({target}) {
				sent.push(target);
				return done;
			},
		});
		const messages = await outbox.leftBehind();
		await next.interruptBegunRuns();
		await outbox.resume(messages, createPublishEnd({journal: next, publishOf: () => () => undefined}));
		await outbox.stop();
		expect(sent).toEqual(['telegram']);
		expect(await next.findRun('a')).toMatchObject({
			state: 'failed',
			reason: 'slack: the gateway stopped while sending it; it may have arrived',
		});
	});

	test.each([
		[cancelledByPerson, 'cancelled', ['slack failed', 'telegram failed'], 0],
		[gatewayStopped, 'interrupted', ['slack pending', 'telegram pending'], 2],
	] as const)('of a run that ends by "%s" before anything is sent is %s', async (reason, state, messages, later) => {
		const aborting = new AbortController();
		const lacking = (journal: Journal): Partial<Journal> => ({
			async persistMessages(...written) {
				await journal.persistMessages(...written);
				aborting.abort(reason);
			},
		});
		const one = await openAnswering(engine, {state: 'running', destinations, deliver: async () => done, lacking});
		await one.work(aborting.signal);
		expect([(await one.stored()).state, await one.messages()]).toEqual([state, messages]);
		await one.sendLeft();
		expect(one.sent).toHaveLength(later);
	});

	test('sent again by a person goes only to where it certainly failed, and then to where it is in doubt', async () => {
		const one = await openAnswering(engine, {
			state: 'running',
			destinations: [...destinations, ...to('discord')],
			async deliver({target}) {
				const tries = one.sent.length;
				return target === 'slack' && tries <= 3 ? failed : target === 'telegram' && tries <= 3 ? uncertain : done;
			},
		});
		await one.work();
		expect(await one.messages()).toEqual(['slack failed', 'telegram outcome_uncertain', 'discord sent']);
		await one.sendAgain();
		expect(await one.messages()).toEqual(['slack sent', 'telegram outcome_uncertain', 'discord sent']);
		await one.sendAgain();
		expect(await one.messages()).toEqual(['slack sent', 'telegram sent', 'discord sent']);
		await expect(one.sendAgain()).rejects.toMatchObject({code: 'not_replayable'});
		expect(one.sent).toHaveLength(5);
	});

	test('to an inbox item of which something arrived closes it, and says what failed', async () => {
		const one = await openAnswering(engine, {state: 'inbox', destinations, deliver: byTarget(['failed'], ['done'])});
		expect(await one.inbox.answer('a', 'Yes')).toContain('slack: Delivery failed; arrived: telegram');
		expect((await one.stored()).state).toBe('finished');
		await expect(one.inbox.answer('a', 'Again')).rejects.toMatchObject({code: 'unknown_run'});
		expect(one.sent).toHaveLength(2);
	});

	test('to an inbox item of which nothing arrived leaves it open for another answer', async () => {
		const one = await openAnswering(engine, {state: 'inbox', destinations, deliver: byTarget(['failed'], ['failed'])});
		expect(await one.inbox.answer('a', 'Yes')).toContain('slack: Delivery failed');
		expect((await one.stored()).state).toBe('inbox');
		expect(await one.inbox.answer('a', 'Again')).toBeUndefined();
		expect((await one.stored()).state).toBe('finished');
		expect(one.sent).toEqual(['Yes', 'Yes', 'Again', 'Again']);
	});

	test('whose last message is sent again and cancelled by a person fails the run', async () => {
		const one = await openAnswering(engine, {
			state: 'running',
			destinations,
			deliver: byTarget(['done'], ['retrying']),
		});
		await one.work();
		expect((await one.stored()).state).toBe('finished');
		const [message] = await one.journal.listMessages({states: ['retrying'], limit: 1});
		await one.outbox.cancel(message?.id ?? '');
		expect(await one.stored()).toEqual({
			state: 'failed',
			reason: 'telegram: cancelled by a person before it arrived; arrived: slack',
		});
	});
});
