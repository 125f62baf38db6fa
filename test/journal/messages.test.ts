import {describe, expect, test} from 'vitest';
import {type OutgoingMessage} from '../../source/journal/journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

describe.each(journalEngines)('on $engine', ({open}) => {
	const day = 24 * 3600 * 1000;

	/** A message as it is kept. */
	function sample(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
		const id = changes.id ?? 'a';
		const to = {target: 'telegram', text: 'All good 😀', extra: {chat_id: '7', __proto__x: [1]}, route: 'github'};
		return {...to, id, eventId: `event-${id}`, deliveryId: 'delivery-1', ...changes};
	}

	test('a message is read as it was kept', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		await journal.persistMessages([sample({runId: 'run-1', profile: 'work'})], 'pending');
		expect(await journal.listMessages({limit: 10})).toEqual([
			{...sample({runId: 'run-1', profile: 'work'}), state: 'pending', detail: undefined, changedAt: clock.now()},
		]);
	});

	test('the newest comes first, of one event or of some states when asked so', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.persistMessages([sample({id: 'a', eventId: 'one'})], 'sent');
		await journal.persistMessages([sample({id: 'b', eventId: 'one'})], 'failed', 'no');
		await journal.persistMessages([sample({id: 'c', eventId: 'two'})], 'failed');
		const ids = async (query: object) => (await journal.listMessages({limit: 10, ...query})).map(({id}) => id);
		expect([await ids({}), await ids({eventId: 'one'}), await ids({states: ['failed']})]).toEqual([
			['c', 'b', 'a'],
			['b', 'a'],
			['c', 'b'],
		]);
	});

	test('what was begun becomes uncertain, and nothing else', async () => {
		const journal = await open({clock: createFakeClock()});
		for (const state of ['pending', 'sending', 'sent', 'failed'] as const) {
			await journal.persistMessages([sample({id: state})], state);
		}

		expect((await journal.markInterruptedSendsUncertain('stopped')).map(({id}) => id)).toEqual(['sending']);
		expect(await journal.listMessages({states: ['outcome_uncertain'], limit: 10})).toMatchObject([
			{id: 'sending', detail: 'stopped'},
		]);
	});

	test('what became uncertain stays so whatever is written later, and what was sent ends once', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.persistMessages([sample()], 'sending');
		await journal.markInterruptedSendsUncertain('stopped');
		await journal.finishMessage('a', 'sent');
		expect(await journal.findMessage('a')).toMatchObject({state: 'outcome_uncertain', detail: 'stopped'});
		await journal.beginMessage('a', 'outcome_uncertain');
		await journal.finishMessage('a', 'sent');
		await journal.finishMessage('a', 'failed');
		expect((await journal.findMessage('a'))?.state).toBe('sent');
	});

	describe('an old message', () => {
		test.each([
			['pending', 1],
			['sending', 1],
			['sent', 0],
			['failed', 0],
			['outcome_uncertain', 0],
		] as const)('that is %s is kept %i times', async (state, kept) => {
			const clock = createFakeClock();
			const journal = await open({clock, maxAgeDays: 1});
			await journal.persistMessages([sample()], state);
			await journal.persistMessages([sample({id: 'beside'})], 'sent');
			await clock.advance(2 * day);
			journal.prune();
			await expect.poll(() => journal.findMessage('beside')).toBeUndefined();
			expect(await journal.listMessages({limit: 10})).toHaveLength(kept);
		});
	});
});
