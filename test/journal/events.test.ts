import * as fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import {type RunEnd} from '../../source/journal/journal.ts';
import {type EventQuery, replayMark} from '../../source/journal/rows/event-rows.ts';
import {orderedId} from '../../source/util/random-id.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

describe.each(journalEngines)('on $engine', ({open}) => {
	test('an accepted event is found as it came', async () => {
		const journal = await open({clock: createFakeClock()});
		const event = sampleEvent({reason: 'because'});
		await journal.acceptEvent({event});
		expect(await journal.findEvent(event.id)).toEqual(event);
	});

	test('whatever bytes and texts outsiders choose come back unchanged', async () => {
		const journal = await open({clock: createFakeClock()});
		const text = fc.string({unit: 'binary'});
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({maxLength: 5000}),
				fc.dictionary(text, text),
				text,
				async (body, headers, deliveryId) => {
					const event = sampleEvent({body, headers, deliveryId, event: deliveryId});
					await journal.acceptEvent({event});
					const found = await journal.findEvent(event.id);
					expect(found).toEqual(event);
					expect(Object.entries(found?.headers ?? {})).toEqual(Object.entries(headers));
				},
			),
			{numRuns: 50},
		);
	});

	test('a large body comes back unchanged', async () => {
		const journal = await open({clock: createFakeClock()});
		const body = new TextEncoder().encode('{"text":"again and again"}'.repeat(20_000));
		const event = sampleEvent({body});
		await journal.acceptEvent({event});
		expect((await journal.findEvent(event.id))?.body).toEqual(body);
	});

	test('a refused request is a row without a body', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const event = sampleEvent({body: undefined, status: 401, outcome: 'rejected', reason: 'signature'});
		journal.recordEvent(event);
		await clock.settle();
		expect(await journal.findEvent(event.id)).toEqual(event);
	});

	test('settling changes how the event ended', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const event = sampleEvent();
		await journal.acceptEvent({event});
		const end = {status: 502, outcome: 'delivery_failed', reason: 'delivery', ms: 12} as const;
		journal.settleEvent(event.id, end);
		await clock.settle();
		expect(await journal.findEvent(event.id)).toEqual({...event, ...end});
	});

	test('the list begins with the newest, keeps to its limit and to its route', async () => {
		const journal = await open({clock: createFakeClock()});
		for (const [id, route] of [
			['a', 'x'],
			['b', 'y'],
			['c', 'x'],
			['d', 'x'],
		] as const) {
			await journal.acceptEvent({event: sampleEvent({id, route})});
		}

		expect((await journal.listEvents({limit: 3})).map(row => row.id)).toEqual(['d', 'c', 'b']);
		expect((await journal.listEvents({limit: 2, route: 'x'})).map(row => row.id)).toEqual(['d', 'c']);
	});

	test('the list keeps to a status and to a time', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		for (const [id, time, outcome] of [
			['a', 10, 'ignored'],
			['b', 20, 'accepted'],
			['c', 30, 'ignored'],
		] as const) {
			await journal.acceptEvent({event: sampleEvent({id, time, outcome})});
		}

		const listed = async (query: Omit<EventQuery, 'limit'>) =>
			(await journal.listEvents({limit: 9, ...query})).map(({id}) => id);
		expect(await listed({status: 'ignored'})).toEqual(['c', 'a']);
		expect(await listed({since: 20})).toEqual(['c', 'b']);
		expect(await listed({until: 30, route: 'github', profile: 'default'})).toEqual(['b', 'a']);
		expect(await listed({status: 'ignored', since: 20, until: 31})).toEqual(['c']);
		expect(await listed({status: 'failed'})).toEqual([]);
	});

	test('failed events are those with a failed run or delivery, without a doubt and without a replay', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const accept = async (name: string, ends: ReadonlyArray<RunEnd | 'waits'>) => {
			const id = orderedId(clock.now());
			await journal.acceptEvent({event: sampleEvent({id, event: name})});
			for (const [index, end] of ends.entries()) {
				const runId = `${id}-${index}`;
				await journal.queueRun(sampleRun({id: runId, eventId: id}));
				if (end !== 'waits') {
					await journal.moveQueuedRuns([runId], {state: 'running'});
					await journal.finishRun(runId, end);
				}
			}

			return id;
		};
		const failed = {state: 'failed', reason: 'no', result: {}} as const;
		const finished = {state: 'finished', result: {answer: 'Yes'}} as const;
		const first = await accept('run failed', [failed]);
		await accept('run failed, another waits', [failed, 'waits']);
		await accept('run failed, another finished', [failed, finished]);
		await accept('run interrupted', [{...failed, state: 'interrupted'}]);
		await accept('run finished', [finished]);
		const refused = await accept('delivery failed', []);
		journal.settleEvent(refused, {status: 502, outcome: 'delivery_failed', ms: 1});
		const doubtful = await accept('delivery in doubt', []);
		journal.settleEvent(doubtful, {status: 502, outcome: 'outcome_uncertain', ms: 1});
		await clock.settle();
		const listed = async () => (await journal.listEvents({limit: 99, status: 'failed'})).map(({event}) => event);
		await vi.waitFor(async () => expect(await listed()).toEqual(['delivery failed', 'run failed']));

		const reason = `${replayMark}${first}: event`;
		await journal.acceptEvent({event: sampleEvent({outcome: 'ignored', event: 'replay', reason})});
		expect(await listed()).toEqual(['delivery failed']);
	});

	test.each([-1, 0, Number.NaN, 0.5])('a limit of %d answers no row', async limit => {
		const journal = await open({clock: createFakeClock()});
		await journal.acceptEvent({event: sampleEvent()});
		expect(await journal.listEvents({limit})).toEqual([]);
	});

	test.each(['__proto__', 'constructor'])('a header called %s is kept like any other', async name => {
		const journal = await open({clock: createFakeClock()});
		const event = sampleEvent({headers: Object.fromEntries([[name, 'value']])});
		await journal.acceptEvent({event});
		expect(Object.entries((await journal.findEvent(event.id))?.headers ?? {})).toEqual([[name, 'value']]);
	});

	test('how an event was judged comes back', async () => {
		const journal = await open({clock: createFakeClock()});
		const event = sampleEvent({
			trace: {signature: 'X-Hub-Signature-256', script: 'wrote this', text: 'sent', target: 'telegram'},
		});
		await journal.acceptEvent({event});
		expect(await journal.findEvent(event.id)).toEqual(event);
	});
});
