import {describe, expect, test} from 'vitest';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {crashImage, openTestJournal, sampleEvent} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {answer, deliverOne, done, failed, openOutbox, resume, uncertain} from './outbox-fixture.ts';

describe('an answer', () => {
	test('is on the disk before it is sent, as being sent', async () => {
		const {outbox, path, onSending} = openOutbox();
		let image = '';
		onSending(() => {
			image = crashImage(path);
		});
		await deliverOne(outbox, answer, {signal: neverAborted()});
		const left = openTestJournal({clock: createFakeClock(), path: image});
		const [found] = await left.listMessages({limit: 1});
		expect(found).toMatchObject({...answer, state: 'sending'});
	});

	test.each([
		{result: done, state: 'sent', detail: undefined},
		{result: failed, state: 'failed', detail: 'status 403: the ‹redacted› is wrong'},
		{result: uncertain, state: 'outcome_uncertain', detail: 'lost'},
	])('that is $result.kind is kept as $state', async ({result, state, detail}) => {
		const {outbox, rows} = openOutbox({results: [result]});
		expect(await deliverOne(outbox, answer, {signal: neverAborted()})).toBe(result);
		expect(await rows()).toEqual([{state, detail}]);
	});

	test('that is given up before it is sent waits for the next start', async () => {
		const {outbox, rows, sent} = openOutbox();
		const signal = AbortSignal.abort(new Error('the gateway stopped'));
		expect(await deliverOne(outbox, answer, {signal})).toMatchObject({kind: 'failed'});
		expect({rows: await rows(), sent}).toEqual({rows: [{state: 'pending', detail: undefined}], sent: []});
	});

	test.each([
		'[SILENT]',
		' [SILENT]\n',
		'[silent]',
		'[Silent].',
		'**[SILENT]**',
		'*[SILENT]*.',
		'_[SILENT]._',
		'`[SILENT]`',
		'[SILENT]\n\nNothing has changed since yesterday.',
		'Nothing has changed since yesterday.\r\n\r\n[SILENT]\r\n',
	])('that is %j is neither stored nor sent', async text => {
		const {outbox, rows, sent} = openOutbox();
		expect(await deliverOne(outbox, {...answer, text}, {signal: neverAborted()})).toMatchObject({kind: 'delivered'});
		expect([await rows(), sent]).toEqual([[], []]);
	});

	test.each([
		'The marker is [SILENT].',
		'[SILENT] would be wrong today',
		'Report\n[SILENT]\nThe disk is full',
		'SILENT',
		'[SILENT',
		'[SILENT]!',
		'',
	])('that is %j is sent', async text => {
		const {outbox, sent} = openOutbox();
		await deliverOne(outbox, {...answer, text}, {signal: neverAborted()});
		expect(sent).toEqual([expect.objectContaining({text})]);
	});

	test('of no run is sent whatever it says: its words are those of the sender', async () => {
		const {outbox, sent} = openOutbox();
		const {runId: _, ...rendered} = {...answer, text: 'A comment\n[SILENT]'};
		await deliverOne(outbox, rendered, {signal: neverAborted()});
		expect(sent).toHaveLength(1);
	});

	test('that cannot be stored is not sent', async () => {
		const {outbox, journal, sent} = openOutbox();
		await journal.close();
		expect(await deliverOne(outbox, answer, {signal: neverAborted()})).toMatchObject({
			kind: 'failed',
			problem: {code: 'storage_unavailable'},
		});
		expect(sent).toEqual([]);
	});
});

describe('after a hard kill', () => {
	test('what was not begun is sent once, and what was begun is uncertain and is not', async () => {
		const first = openOutbox();
		await deliverOne(first.outbox, {...answer, runId: 'waits'}, {signal: AbortSignal.abort(new Error('stop'))});
		let image = '';
		first.onSending(() => {
			image = crashImage(first.path);
		});
		await deliverOne(first.outbox, {...answer, runId: 'begun', profile: 'work'}, {signal: neverAborted()});

		const second = openOutbox({path: image});
		expect(await resume(second)).toEqual(['begun uncertain', 'waits delivered']);
		expect(second.sent.map(({runId}) => runId)).toEqual(['waits']);
		expect((await second.rows()).map(({state}) => state)).toEqual(['outcome_uncertain', 'sent']);
		expect(second.ofType('delivery.settled')).toMatchObject([{outcome: 'outcome_uncertain', target: 'telegram'}]);
		expect(second.toldTo).toEqual(['work']);
	});

	test('what is pending when the gateway stops again waits for the next start', async () => {
		const box = openOutbox();
		await deliverOne(box.outbox, answer, {signal: AbortSignal.abort(new Error('stop'))});
		const left = await box.outbox.leftBehind();
		await box.outbox.stop();
		const ends: string[] = [];
		await box.outbox.resume(left, async ({id}) => void ends.push(id));
		expect([ends, (await box.rows()).map(({state}) => state)]).toEqual([[], ['pending']]);
	});

	test('is all taken up, though the end of one cannot be written, which is said in the end', async () => {
		const box = openOutbox();
		const stopped = {signal: AbortSignal.abort(new Error('stop'))};
		await deliverOne(box.outbox, {...answer, runId: 'first'}, stopped);
		await deliverOne(box.outbox, {...answer, runId: 'second'}, stopped);
		const left = await box.outbox.leftBehind();
		const settled = async ({runId}: {readonly runId?: string}) => {
			if (runId === 'first') {
				throw new Problem('storage_unavailable');
			}
		};

		await expect(box.outbox.resume(left, settled)).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(box.sent.map(({runId}) => runId)).toEqual(['first', 'second']);
	});

	test('what is being written here is not taken up beside that', async () => {
		const box = openOutbox();
		const delivered = deliverOne(box.outbox, answer, {signal: neverAborted()});
		const [early] = await Promise.all([resume(box), delivered]);
		expect([early, box.sent.length]).toEqual([[], 1]);
	});

	test('one is sent after another, also when more are taken up meanwhile', async () => {
		const box = openOutbox();
		const postpone = (runId: string) =>
			deliverOne(box.outbox, {...answer, runId}, {signal: AbortSignal.abort(new Error('stop'))});
		await postpone('first');
		const first = Promise.withResolvers<void>();
		box.onSending(() => first.promise);
		const ends: string[] = [];
		const takeUp = async () => {
			const pending = await box.journal.takePendingMessages(10);
			await box.outbox.resume({uncertain: [], pending}, async ({runId = ''}) => void ends.push(runId));
		};

		const resumed = takeUp();
		await expect.poll(() => box.sent.length).toBe(1);
		await postpone('second');
		await takeUp();
		expect([box.sent.length, ends]).toEqual([1, []]);
		first.resolve();
		await resumed;
		expect(ends).toEqual(['first']);
		await takeUp();
		expect(ends).toEqual(['first', 'second']);
	});

	test('nothing is taken up twice', async () => {
		const box = openOutbox();
		await deliverOne(box.outbox, answer, {signal: AbortSignal.abort(new Error('stop'))});
		expect(await resume(box)).toHaveLength(1);
		expect(await resume(box)).toEqual([]);
	});
});

describe('what a person wants sent again', () => {
	test.each([failed, uncertain])('is sent once more when it was $kind, under the key it had', async result => {
		const {outbox, sent, rows} = openOutbox({results: [result]});
		await deliverOne(outbox, answer, {signal: neverAborted()});
		expect(await outbox.sendAgain('event-1')).toEqual(done);
		expect(sent.map(({key}) => key)).toEqual([sent[0]?.key, sent[0]?.key]);
		expect(await rows()).toEqual([{state: 'sent', detail: undefined}]);
	});

	test('is not what was delivered', async () => {
		const {outbox} = openOutbox();
		await deliverOne(outbox, answer, {signal: neverAborted()});
		await expect(outbox.sendAgain('event-1')).rejects.toMatchObject({code: 'not_replayable'});
	});

	test('is not what is being sent', async () => {
		const {outbox, onSending} = openOutbox();
		let refusal: Promise<unknown> | undefined;
		onSending(() => {
			refusal ??= outbox.sendAgain('event-1').catch((error: unknown) => error);
		});
		await deliverOne(outbox, answer, {signal: neverAborted()});
		expect(await refusal).toMatchObject({code: 'not_replayable', message: 'It is being delivered'});
	});

	test('is sent once when two people want it at once', async () => {
		const {outbox, sent} = openOutbox({results: [failed]});
		await deliverOne(outbox, answer, {signal: neverAborted()});
		const both = await Promise.allSettled([outbox.sendAgain('event-1'), outbox.sendAgain('event-1')]);
		expect(both.map(({status}) => status)).toEqual(['fulfilled', 'rejected']);
		expect(sent).toHaveLength(2);
	});

	test('is not sent again by the start that had it on its list', async () => {
		const box = openOutbox();
		await deliverOne(box.outbox, answer, {signal: AbortSignal.abort(new Error('stop'))});
		const left = await box.outbox.leftBehind();
		await box.outbox.sendAgain('event-1');
		await box.outbox.resume(left, async () => undefined);
		expect(box.sent).toHaveLength(1);
	});

	test('is nothing for an event without an answer', async () => {
		await expect(openOutbox().outbox.sendAgain('event-2')).rejects.toMatchObject({code: 'not_replayable'});
	});
});

describe('a message whose sender waits', () => {
	const {runId: _, ...direct} = answer;
	const event = sampleEvent({id: 'event-1', outcome: 'outcome_uncertain'});
	const message = {...direct, id: 'a', eventId: event.id};

	test.each([
		{state: 'failed', outcome: 'delivery_failed'},
		{state: 'outcome_uncertain', outcome: 'outcome_uncertain'},
	] as const)('and that ended $state is sent again when a person wants it', async ({state, outcome}) => {
		const {outbox, journal, rows, sent} = openOutbox();
		await journal.acceptEvent({event, messages: [message]});
		await journal.endDelivery({...event, outcome}, [{id: 'a', state}]);
		expect(await outbox.sendAgain(event.id)).toEqual(done);
		expect(sent).toMatchObject([{...direct, key: 'a'}]);
		expect(await rows()).toMatchObject([{state: 'sent'}]);
	});

	test('is not sent again while it is being sent', async () => {
		const {outbox, journal, sent} = openOutbox();
		await journal.acceptEvent({event, messages: [message]});
		await expect(outbox.sendAgain(event.id)).rejects.toMatchObject({message: 'It is being delivered'});
		expect(sent).toEqual([]);
	});

	test('that a kill cut off is uncertain at the next start, published, and sent again only by a person', async () => {
		const first = openOutbox();
		await first.journal.acceptEvent({event, messages: [{...message, profile: 'work'}]});
		const second = openOutbox({path: crashImage(first.path)});
		expect(await resume(second)).toEqual(['undefined uncertain']);
		expect([(await second.rows()).map(({state}) => state), second.sent]).toEqual([['outcome_uncertain'], []]);
		expect(second.ofType('delivery.settled')).toMatchObject([{outcome: 'outcome_uncertain', target: 'telegram'}]);
		expect(second.toldTo).toEqual(['work']);
		expect(await second.outbox.sendAgain(event.id)).toEqual(done);
		expect(await second.rows()).toMatchObject([{state: 'sent'}]);
	});
});

test('a stop waits for what is being sent', async () => {
	const {outbox, rows, onSending} = openOutbox();
	await deliverOne(outbox, answer, {signal: AbortSignal.abort(new Error('stop'))});
	const sending = Promise.withResolvers<void>();
	onSending(sending.resolve);
	const again = outbox.sendAgain('event-1');
	await sending.promise;
	await outbox.stop();
	await again;
	expect(await rows()).toMatchObject([{state: 'sent'}]);
});
