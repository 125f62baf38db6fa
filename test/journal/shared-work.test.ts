import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode, type Node} from '../helpers/journal-nodes.ts';
import {acceptRun, sampleMessage, sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';

describe.skipIf(!hasPostgres)('gateways that share a journal', () => {
	test.each([true, false])(
		'fire the job of an event once, whether or not its delivery id was released: %s',
		async isReleased => {
			const place = await newPostgresPlace();
			const [frozen, alive] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
			const accept = ({journal}: Node, id: string) =>
				journal.acceptEvent({
					event: sampleEvent({id, deliveryId: 'one'}),
					deduplicateUntil: Date.now() + 600_000,
					isOpen: true,
				});
			const fire = ({journal}: Node, slot: number, eventId: string) =>
				journal.claimJob({jobId: 'job', slot, runId: `of ${eventId}`}, sampleRun({id: `of ${eventId}`, eventId}));
			const release = async () => {
				alive.journal.releaseOpenDeliveries(Date.now());
				return accept(alive, 'retry');
			};

			await accept(frozen, 'first');
			await expect.poll(() => alive.journal.expireNodes(), {interval: 10}).toEqual(['a']);
			if (isReleased) {
				expect([await release(), await fire(alive, 1, 'retry')]).toEqual(['accepted', 'claimed']);
				alive.journal.releaseJob({jobId: 'job', runId: 'of retry'});
				await frozen.enterAgain();
				expect(await fire(frozen, 2, 'first')).toBe('released');
			} else {
				expect([await fire(frozen, 2, 'first'), await release()]).toEqual(['claimed', 'duplicate']);
			}

			expect(await alive.journal.countWaitingRuns()).toBe(1);
		},
	);

	test('let one of them answer an inbox item, and another when that one gives it back or is gone', async () => {
		const place = await newPostgresPlace();
		const [first, second] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		await acceptRun(first.journal, sampleRun({id: 'item', eventId: 'event'}));
		await first.journal.moveQueuedRuns(['item'], {state: 'inbox'});
		const claim = ({journal}: Node) => journal.claimInboxItem('item');
		const end = {state: 'finished', result: {answer: 'Yes'}} as const;

		expect((await Promise.all([first, second].map(claim))).filter(Boolean)).toHaveLength(1);
		first.journal.releaseInboxItem('item');
		second.journal.releaseInboxItem('item');
		await expect.poll(() => claim(first)).toBe(true);
		expect([await claim(second), await second.journal.finishRun('item', end)]).toEqual([false, false]);

		await expect.poll(() => second.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		expect([await claim(first), await claim(second), await first.journal.finishRun('item', end)]).toEqual([
			false,
			true,
			false,
		]);
		expect([await second.journal.finishRun('item', end), await claim(second)]).toEqual([true, false]);
	});

	test.each([true, false])(
		'send the first answer to an inbox item alone, when another took the item from the one that froze: %s',
		async isTaken => {
			const place = await newPostgresPlace();
			const [frozen, other] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
			await acceptRun(frozen.journal, sampleRun({id: 'item', eventId: 'event'}));
			await frozen.journal.moveQueuedRuns(['item'], {state: 'inbox'});
			await frozen.journal.claimInboxItem('item');
			await expect.poll(() => other.journal.expireNodes(), {interval: 10}).toEqual(['a']);
			expect(await (isTaken && other.journal.claimInboxItem('item'))).toBe(isTaken);

			const answer = sampleMessage('answer', {runId: 'item', eventId: 'event'});
			const refusal = frozen.journal.persistMessages([answer], 'pending').then(
				() => undefined,
				({message}: Error) => message,
			);
			expect(await refusal).toBe(isTaken ? 'Another gateway has taken over what this one had begun' : undefined);
			const left = await other.journal.takePendingMessages(10);
			expect([left.length, await other.journal.claimInboxItem('item')]).toEqual(isTaken ? [0, true] : [1, false]);
		},
	);

	test('leave an inbox item to the first who decides about its answer: the one that sent it, or the one that found it uncertain', async () => {
		for (const isDoubted of [true, false]) {
			const place = await newPostgresPlace();
			const [frozen, other] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
			await acceptRun(frozen.journal, sampleRun({id: 'item', eventId: 'event'}));
			await frozen.journal.moveQueuedRuns(['item'], {state: 'inbox'});
			await frozen.journal.claimInboxItem('item');
			await frozen.journal.persistMessages([sampleMessage('answer', {runId: 'item', eventId: 'event'})], 'pending');
			await frozen.journal.beginMessage('answer', 'pending');
			await expect.poll(() => other.journal.expireNodes(), {interval: 10}).toEqual(['a']);
			await (isDoubted && other.journal.markInterruptedSendsUncertain('nobody knows'));
			const end = {id: 'item', state: 'finished', reason: 'answered', result: {answer: 'Yes'}} as const;
			await frozen.journal.finishMessage('answer', 'sent', undefined, {run: end});
			const {state, reason} = (await other.journal.findRun('item')) ?? {};
			const expected = isDoubted
				? ['inbox', 'answered by a person: nobody knows', true]
				: ['finished', 'answered', false];
			expect([state, reason, await other.journal.claimInboxItem('item')]).toEqual(expected);
		}
	});

	test('have one end of a run that was interrupted while its answer arrived, with the answer, for the gateway that froze as well', async () => {
		const place = await newPostgresPlace();
		const [frozen, other] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		await acceptRun(frozen.journal, sampleRun({id: 'run', eventId: 'event'}));
		await frozen.journal.moveQueuedRuns(['run'], {state: 'running'});
		await frozen.journal.persistMessages([sampleMessage('answer', {runId: 'run', eventId: 'event'})], 'pending');
		await frozen.journal.beginMessage('answer', 'pending');
		await expect.poll(() => other.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		expect(await other.journal.interruptBegunRuns()).toHaveLength(1);
		const end = {state: 'finished', result: {answer: 'Yes'}, conversation: '[]'} as const;
		await frozen.journal.finishMessage('answer', 'sent', undefined, {run: {...end, id: 'run'}});
		expect(await other.journal.findRun('run')).toMatchObject({state: 'finished', result: {answer: 'Yes'}});
		expect(await other.journal.findConversation('run')).toBe('[]');
		expect(await frozen.journal.finishRun('run', end)).toBe(true);
	});

	test('send a message once, whichever begins', async () => {
		const place = await newPostgresPlace();
		const nodes = [await openNode(place, 'a'), await openNode(place, 'b')];
		await nodes[0]?.journal.persistMessages([sampleMessage('one')], 'failed');
		const begun = await Promise.all(nodes.map(({journal}) => journal.beginMessage('one', 'failed')));
		expect(begun.filter(Boolean)).toHaveLength(1);
	});
});
