import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, sampleEvent, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

describe.each(journalEngines)('on $engine', ({open, newPlace, leftOf}) => {
	const hour = 3_600_000;
	const start = 1_700_000_000_000;
	const deduplicateUntil = start + hour;

	test('a second delivery of a route with the same id is a duplicate and writes nothing', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const first = sampleEvent({deliveryId: 'one'});
		await journal.acceptEvent({event: first, deduplicateUntil});
		const second = sampleEvent({deliveryId: 'one'});
		expect(await journal.acceptEvent({event: second, deduplicateUntil, run: sampleRun()})).toBe('duplicate');
		expect(await journal.findEvent(second.id)).toBeUndefined();
		expect(await journal.listRuns({limit: 10})).toEqual([]);
	});

	test('of two deliveries with one id in the same turn one is accepted', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const request = () => ({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil});
		expect(await Promise.all([journal.acceptEvent(request()), journal.acceptEvent(request())])).toEqual([
			'accepted',
			'duplicate',
		]);
	});

	test('the same id at another route is another delivery', async () => {
		const journal = await open({clock: createFakeClock(start)});
		await journal.acceptEvent({event: sampleEvent({route: 'a', deliveryId: 'one'}), deduplicateUntil});
		const other = sampleEvent({route: 'b', deliveryId: 'one'});
		expect(await journal.acceptEvent({event: other, deduplicateUntil})).toBe('accepted');
	});

	test.each([
		{after: hour - 1, outcome: 'duplicate'},
		{after: hour, outcome: 'accepted'},
	])('after $after ms of an hour the id counts as $outcome', async ({after, outcome}) => {
		const clock = createFakeClock(start);
		const journal = await open({clock});
		await journal.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil});
		await clock.advance(after);
		const again = {event: sampleEvent({deliveryId: 'one'}), deduplicateUntil: start + 2 * hour};
		expect(await journal.acceptEvent(again)).toBe(outcome);
	});

	test('an expired id that was seen again is claimed again', async () => {
		const clock = createFakeClock(start);
		const journal = await open({clock});
		await journal.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil});
		await clock.advance(hour);
		const again = () => ({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil: start + 2 * hour});
		await journal.acceptEvent(again());
		expect(await journal.acceptEvent(again())).toBe('duplicate');
	});

	test.each([
		{what: 'an id whose job was not asked is', settled: false, outcome: 'accepted'},
		{what: 'an id whose job was asked is not', settled: true, outcome: 'duplicate'},
	])('$what given back by a start', async ({settled, outcome}) => {
		const journal = await open({clock: createFakeClock(start)});
		const request = () => ({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil, isOpen: true});
		const first = request();
		await journal.acceptEvent(first);
		if (settled) {
			journal.settleEvent(first.event.id, first.event);
		}

		journal.releaseOpenDeliveries(Number.MAX_SAFE_INTEGER);
		expect(await journal.acceptEvent(request())).toBe(outcome);
	});

	describe('a message whose sender waits', () => {
		/** Claims the id for a message that is about to be sent. */
		async function begin() {
			const place = await newPlace();
			const journal = await open({clock: createFakeClock(start), place});
			const request = (id: string) => {
				const event = sampleEvent({
					deliveryId: 'one',
					status: 502,
					outcome: 'outcome_uncertain',
					reason: `begun as ${id}`,
				});
				const to = {target: 'telegram', text: 'All good', extra: {}, route: event.route, deliveryId: 'one'};
				return {event, messages: [{...to, id, eventId: event.id}], deduplicateUntil};
			};

			const first = request('a');
			expect(await journal.acceptEvent(first)).toBe('accepted');
			const states = async () =>
				(await journal.listMessages({limit: 10})).map(({id, state, detail}) => [id, state, detail]);
			return {journal, place, request, states, ...first};
		}

		test('is kept as being sent, in one step with its event', async () => {
			const {place, event, messages} = await begin();
			const left = await open({clock: createFakeClock(start), place: leftOf(place)});
			expect(await left.findEvent(event.id)).toEqual(event);
			expect(await left.listMessages({limit: 10})).toMatchObject(
				messages.map(message => ({...message, state: 'sending'})),
			);
		});

		test('is not kept of a retry, whose id is open until it has ended', async () => {
			const {journal, request, states} = await begin();
			const retries = [journal.acceptEvent(request('b')), journal.acceptEvent(request('c'))];
			expect([await journal.acceptEvent(request('d')), ...(await Promise.all(retries))]).toEqual([
				'open',
				'open',
				'open',
			]);
			expect(await states()).toEqual([['a', 'sending', undefined]]);
		});

		test.each([
			{end: 'sent', outcome: 'delivered', again: 'duplicate'},
			{end: 'failed', outcome: 'delivery_failed', again: 'accepted'},
			{end: 'outcome_uncertain', outcome: 'outcome_uncertain', again: 'duplicate'},
		] as const)('that is $end ends with its event, and its id comes again as $again', async ({end, outcome, again}) => {
			const {journal, event, request, states} = await begin();
			await journal.endDelivery({...event, outcome}, [{id: 'a', state: end, detail: 'why'}]);
			expect(await journal.findEvent(event.id)).toMatchObject({outcome});
			expect(await states()).toEqual([['a', end, 'why']]);
			expect(await journal.acceptEvent(request('b'))).toBe(again);
		});

		test('that a former process had begun is uncertain with its event, and keeps its id', async () => {
			const {place, event} = await begin();
			const left = await open({clock: createFakeClock(start), place: leftOf(place)});
			for (let starts = 0; starts < 2; starts++) {
				await left.markInterruptedSendsUncertain('nobody knows');
				left.releaseOpenDeliveries(Number.MAX_SAFE_INTEGER);
			}

			expect(await left.listMessages({limit: 10})).toMatchObject([{id: 'a', state: 'outcome_uncertain'}]);
			expect(await left.findEvent(event.id)).toMatchObject({
				status: 502,
				outcome: 'outcome_uncertain',
				reason: 'begun as a; nobody knows',
			});
			const retry = {event: sampleEvent({deliveryId: 'one'}), deduplicateUntil};
			expect(await left.acceptEvent(retry)).toBe('duplicate');
		});

		test('that a former process had begun keeps its id also when that is looked at first', async () => {
			const {place, request} = await begin();
			const left = await open({clock: createFakeClock(start), place: leftOf(place)});
			left.releaseOpenDeliveries(Number.MAX_SAFE_INTEGER);
			expect(await left.acceptEvent(request('b'))).toBe('duplicate');
		});

		test('that a person sent again and that was cut off is uncertain again, and says so once', async () => {
			const {journal, event} = await begin();
			for (let starts = 0; starts < 2; starts++) {
				await journal.beginMessage('a', 'outcome_uncertain');
				await journal.markInterruptedSendsUncertain('nobody knows');
			}

			expect((await journal.findEvent(event.id))?.reason).toBe('begun as a; nobody knows');
		});
	});

	test('the answer of a run that a stop cut off leaves its event as it was accepted', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const event = sampleEvent();
		await journal.acceptEvent({event});
		const to = {target: 'telegram', text: 'All good', extra: {}, route: event.route, deliveryId: 'one'};
		await journal.persistMessages([{...to, id: 'a', eventId: event.id, runId: 'run'}], 'sending');
		await journal.markInterruptedSendsUncertain('nobody knows');
		expect(await journal.findEvent(event.id)).toEqual(event);
		expect(await journal.listMessages({limit: 10})).toMatchObject([{state: 'outcome_uncertain'}]);
	});

	test('without deduplication every delivery is accepted and claims nothing', async () => {
		const journal = await open({clock: createFakeClock(start)});
		await journal.acceptEvent({event: sampleEvent({deliveryId: 'one'})});
		expect(await journal.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil})).toBe('accepted');
	});

	test('a restart does not forget them', async () => {
		const clock = createFakeClock(start);
		const place = await newPlace();
		const before = await open({clock, place});
		await before.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil});
		await before.close();
		const after = await open({clock, place});
		expect(await after.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil})).toBe('duplicate');
	});

	test('a claim of a transaction that failed does not hold', async () => {
		const clock = createFakeClock(start);
		const journal = await open({clock});
		await journal.acceptEvent({event: sampleEvent({deliveryId: 'before'}), deduplicateUntil});
		const double = sampleEvent();
		await journal.acceptEvent({event: double});
		const request = () => ({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil});
		const [first, second] = [journal.acceptEvent(request()), journal.acceptEvent({event: double})];
		await expect(Promise.all([first, second])).rejects.toMatchObject({code: 'storage_unavailable'});
		expect([await journal.acceptEvent(request()), await journal.acceptEvent(request())]).toEqual([
			'accepted',
			'duplicate',
		]);
	});

	test('whatever ids arrive in whatever batches, each pair of route and id is accepted once', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const seen = new Set<string>();
		// Every id sent by HTTP is made of well-formed characters; a few are drawn from a tiny set, so that they meet.
		const id = fc.oneof(fc.constantFrom('a', 'A', 'a ', 'a\0', 'a\0b'), fc.string({unit: 'binary'}));
		const delivery = fc.record({route: fc.constantFrom('x', 'y'), deliveryId: id});
		await fc.assert(
			fc.asyncProperty(fc.array(delivery, {maxLength: 8}), async batch => {
				const outcomes = await Promise.all(
					batch.map(changes => journal.acceptEvent({event: sampleEvent(changes), deduplicateUntil})),
				);
				const expected = batch.map(({route, deliveryId}) => {
					const key = JSON.stringify([route, deliveryId]);
					const outcome = seen.has(key) ? 'duplicate' : 'accepted';
					seen.add(key);
					return outcome;
				});
				expect(outcomes).toEqual(expected);
			}),
		);
	});

	test('a full queue writes nothing and leaves the delivery id free', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const request = () => ({
			event: sampleEvent({deliveryId: 'one'}),
			run: sampleRun(),
			deduplicateUntil: start + hour,
			queueLimit: 1,
		});
		await acceptRun(journal, sampleRun());
		const refused = request();
		expect(await journal.acceptEvent(refused)).toBe('queue-full');
		expect(await journal.findEvent(refused.event.id)).toBeUndefined();
		await takeRun(journal);
		expect(await journal.acceptEvent(request())).toBe('accepted');
	});

	test('the limit holds within one turn', async () => {
		const journal = await open({clock: createFakeClock()});
		const accept = () => journal.acceptEvent({event: sampleEvent(), run: sampleRun(), queueLimit: 2});
		expect(await Promise.all([accept(), accept(), accept()])).toEqual(['accepted', 'accepted', 'queue-full']);
	});

	test('a duplicate stays a duplicate while the queue is full', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const request = () => ({
			event: sampleEvent({deliveryId: 'one'}),
			run: sampleRun(),
			deduplicateUntil: start + hour,
			queueLimit: 1,
		});
		await journal.acceptEvent(request());
		expect(await journal.acceptEvent(request())).toBe('duplicate');
	});
});
