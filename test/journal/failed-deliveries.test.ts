import {describe, expect, test} from 'vitest';
import {
	type OutgoingMessage,
	type OutgoingMessageState,
	type FailedDeliveryChange,
} from '../../source/journal/journal.ts';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleEvent} from '../helpers/journal-records.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

describe.each(journalEngines)('on $engine', ({open, newPlace, leftOf}) => {
	/** A journal with a function that keeps an answer and ends it. */
	async function openDeliveries(place?: JournalPlace) {
		const clock = createFakeClock();
		const changes: FailedDeliveryChange[] = [];
		const journal = await open({clock, place, onFailedDelivery: change => void changes.push(change)});
		let answers = 0;
		const end = async (state: OutgoingMessageState, place: Partial<OutgoingMessage> = {}, detail?: string) => {
			const id = `answer-${++answers}`;
			const message = {
				target: 'telegram',
				text: 'Hi',
				extra: {},
				deliveryId: 'd',
				route: 'github',
				eventId: `of-${id}`,
			};
			await journal.persistMessages([{...message, id, ...place}], 'pending');
			await journal.beginMessage(id, 'pending');
			await journal.finishMessage(id, state, detail);
			await clock.advance(1000);
			return id;
		};

		const failing = () => journal.listFailedDeliveries({limit: 100});
		return {clock, journal, changes, end, failing};
	}

	test('failures count once per route or job and platform, with the reason of the last one', async () => {
		const {clock, end, failing, changes} = await openDeliveries();
		const firstAt = clock.now();
		await end('failed', {}, 'status 403');
		await end('outcome_uncertain', {}, 'no answer');
		await end('failed', {target: 'slack', profile: 'work'}, 'no token');
		await end('failed', {route: '', job: 'triage', eventId: ''}, 'status 500');
		expect(await failing()).toMatchObject([
			{
				route: 'github',
				job: '',
				target: 'telegram',
				profile: '',
				failures: 2,
				reason: 'no answer',
				eventId: 'of-answer-2',
			},
			{route: 'github', target: 'slack', profile: 'work', failures: 1, reason: 'no token'},
			{route: '', job: 'triage', target: 'telegram', failures: 1, reason: 'status 500', eventId: ''},
		]);
		expect((await failing())[0]).toMatchObject({firstAt, lastAt: firstAt + 1000});
		expect(changes.map(({kind, delivery}) => [kind, delivery.failures])).toEqual([
			['failing', 1],
			['failing', 2],
			['failing', 1],
			['failing', 1],
		]);
	});

	describe('a failing place is forgotten', () => {
		test('when a later delivery there arrives, and no other place with it', async () => {
			const {end, failing, changes} = await openDeliveries();
			await end('failed');
			await end('failed', {target: 'slack'});
			await end('sent', {route: 'other'});
			expect(await failing()).toHaveLength(2);
			await end('sent');
			expect(await failing()).toMatchObject([{target: 'slack'}]);
			expect(changes.at(-1)).toMatchObject({
				kind: 'cleared',
				by: 'delivery',
				delivery: {target: 'telegram', failures: 1},
			});
		});

		test('when the failed message itself is sent again and arrives', async () => {
			const {journal, end, failing} = await openDeliveries();
			const id = await end('failed');
			await journal.beginMessage(id, 'failed');
			expect(await failing()).toHaveLength(1);
			await journal.finishMessage(id, 'sent');
			expect(await failing()).toEqual([]);
		});

		test('when a person dismisses it, until the next one fails', async () => {
			const {journal, end, failing, changes} = await openDeliveries();
			await end('failed');
			await end('failed', {target: 'slack'});
			await journal.dismissFailedDeliveries([(await failing())[0]?.id ?? '', 'nobody']);
			expect(await failing()).toMatchObject([{target: 'slack'}]);
			expect(changes.at(-1)).toMatchObject({kind: 'cleared', by: 'person'});
			await end('failed');
			expect(await failing()).toMatchObject([{target: 'slack'}, {target: 'telegram', failures: 1}]);
		});
	});

	test('a message whose sender waits counts too', async () => {
		const {journal, failing} = await openDeliveries();
		const event = sampleEvent({id: 'event-1'});
		const {route, deliveryId} = event;
		const message = {id: 'a', eventId: event.id, target: 'telegram', text: 'Hi', extra: {}, deliveryId, route};
		await journal.acceptEvent({event, messages: [message]});
		expect(await failing()).toEqual([]);
		await journal.endDelivery({...event, outcome: 'delivery_failed'}, [{id: 'a', state: 'failed', detail: 'no'}]);
		expect(await failing()).toMatchObject([{route, target: 'telegram', reason: 'no', eventId: 'event-1'}]);
	});

	test('failing places survive a hard kill, and what was being sent then joins them', async () => {
		const place = await newPlace();
		const first = await openDeliveries(place);
		await first.end('failed', {}, 'status 403');
		await first.journal.persistMessages(
			[{id: 'cut', target: 'slack', text: 'Hi', extra: {}, deliveryId: 'd', route: 'github', eventId: ''}],
			'sending',
		);
		const second = await openDeliveries(leftOf(place));
		expect(await second.failing()).toMatchObject([{target: 'telegram', reason: 'status 403'}]);
		await second.clock.advance(60_000);
		await second.journal.markInterruptedSendsUncertain('stopped');
		expect(await second.failing()).toMatchObject([{target: 'telegram'}, {target: 'slack', reason: 'stopped'}]);
		expect(second.changes).toMatchObject([{kind: 'failing', delivery: {target: 'slack'}}]);
	});
});
