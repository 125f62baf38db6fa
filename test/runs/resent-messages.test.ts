import {describe, expect, test, vi} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines, newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {deliverOne} from './outbox-fixture.ts';
import {answer, long, openAway, openGateway, row, settle} from './open-resends.ts';

/** The longest wait on a loaded machine. */
const patient = {interval: 2, timeout: 25_000};

const minute = 60_000;

describe.each(journalEngines)('on $engine', ({open}) => {
	test('a long answer whose platform is away for ten minutes arrives whole, every part once', async () => {
		const clock = createFakeClock();
		const opened = await open({clock});
		const {simulator, leave, comeBack, baseUrl} = await openAway();
		// Telegram goes away once three parts have arrived.
		const journal: Journal = {
			...opened,
			async recordProgress(id, progress) {
				await opened.recordProgress(id, progress);
				await (progress.parts?.sent === 3 && simulator.received.length === 3 ? leave() : undefined);
			},
		};
		const {outbox, ofType, waits} = openGateway({journal, clock, baseUrl});
		const result = await deliverOne(outbox, answer(long), {signal: neverAborted()});
		expect(result).toMatchObject({kind: 'retrying', nextAt: clock.now() + 10_000});
		expect(await row(journal)).toMatchObject({state: 'retrying', progress: {parts: {sent: 3}}});
		expect(simulator.received).toHaveLength(3);

		await waits();
		await clock.advance(10_000);
		await settle(journal, 'retrying', 2);
		await waits();
		await clock.advance(minute);
		await settle(journal, 'retrying', 3);
		await waits();
		await clock.advance(5 * minute);
		await settle(journal, 'retrying', 4);
		await comeBack();
		await waits();
		await clock.advance(15 * minute);
		await settle(journal, 'sent');
		const lines = simulator.received.flatMap(({text}) => text.split('\n'));
		expect(lines).toEqual(long.split('\n'));
		expect(ofType('delivery.settled').map(({outcome}) => outcome)).toEqual([
			'retrying',
			'retrying',
			'retrying',
			'retrying',
			'delivered',
		]);
		expect((await row(journal))?.nextAt).toBeUndefined();
	});

	test('is sent again by the next start, behind the parts that arrived', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {simulator, leave, comeBack, baseUrl} = await openAway();
		const first = openGateway({
			journal: {
				...journal,
				async recordProgress(id, progress) {
					await journal.recordProgress(id, progress);
					await (progress.parts?.sent === 2 ? leave() : undefined);
				},
			},
			clock,
			baseUrl,
		});
		await deliverOne(first.outbox, answer(long), {signal: neverAborted()});
		await first.outbox.stop();
		await comeBack();
		const second = openGateway({journal, clock, baseUrl});
		await second.resume();
		await second.waits();
		expect(simulator.received).toHaveLength(2);
		await clock.advance(10_000);
		await settle(journal, 'sent');
		expect(simulator.received.flatMap(({text}) => text.split('\n'))).toEqual(long.split('\n'));
	});

	test('a part in doubt ends the message, which is never repeated by itself', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {simulator, baseUrl} = await openAway();
		const {outbox} = openGateway({
			journal: {
				...journal,
				async recordProgress(id, progress) {
					await journal.recordProgress(id, progress);
					simulator.plan({kind: 'hang-up-after-taking'});
				},
			},
			clock,
			baseUrl,
		});
		expect(await deliverOne(outbox, answer(long), {signal: neverAborted()})).toMatchObject({kind: 'uncertain'});
		expect(await row(journal)).toMatchObject({state: 'outcome_uncertain', progress: {parts: {sent: 1}}});
		const requests = simulator.requests();
		await clock.advance(25 * 60 * minute);
		expect(simulator.requests()).toBe(requests);
		// A person who knows that it did not arrive may go on with it.
		const {id} = (await row(journal)) ?? {id: ''};
		simulator.plan();
		expect((await outbox.sendMessageAgain(id)).kind).not.toBe('failed');
		expect(simulator.requests()).toBeGreaterThan(requests);
	});

	test.each([
		['server-error', 'outcome_uncertain'],
		['rejected', 'failed'],
	] as const)('an answer that the platform ends with %s becomes %s and is not repeated', async (kind, state) => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {simulator, baseUrl} = await openAway();
		const {outbox, waits} = openGateway({journal, clock, baseUrl});
		simulator.plan({kind});
		await deliverOne(outbox, answer('short'), {signal: neverAborted()});
		expect((await row(journal))?.state).toBe(state);
		await clock.advance(25 * 60 * minute);
		expect(simulator.requests()).toBe(1);
		// One that is limited is repeated, which shows that the clock would have done so.
		simulator.plan({kind: 'rate-limited', waitSeconds: 100});
		await deliverOne(outbox, answer('slow'), {signal: neverAborted()});
		await settle(journal, 'retrying', 1);
		await waits();
		await clock.advance(99_000);
		expect(simulator.requests()).toBe(2);
		await clock.advance(1000);
		await settle(journal, 'sent');
	});

	test('is given up after a day', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {leave, baseUrl} = await openAway();
		await leave();
		const {outbox, waits} = openGateway({journal, clock, baseUrl});
		await deliverOne(outbox, answer('short'), {signal: neverAborted()});
		for (let attempts = 1; (await row(journal))?.state === 'retrying'; attempts++) {
			await settle(journal, 'retrying', attempts);
			await waits();
			await clock.advance(((await row(journal))?.nextAt ?? 0) - clock.now());
			await vi.waitFor(async () => expect((await row(journal))?.progress?.attempts).toBe(attempts + 1), patient);
			await vi.waitFor(async () => expect((await row(journal))?.state).not.toBe('sending'), patient);
		}

		expect(await row(journal)).toMatchObject({state: 'failed', progress: {attempts: 28}});
	});

	test('what other settings may cure is sent when they change, and nothing else', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {simulator, baseUrl} = await openAway();
		const {outbox} = openGateway({journal, clock, baseUrl, token: '110201543:wrong'});
		await deliverOne(outbox, answer('with a wrong token'), {signal: neverAborted()});
		const {id} = (await row(journal)) ?? {id: ''};
		expect(await journal.findMessage(id)).toMatchObject({state: 'failed', progress: {cause: 'settings'}});
		const right = openGateway({journal, clock, baseUrl});
		simulator.plan({kind: 'rejected'});
		await deliverOne(right.outbox, {...answer('without a chat'), deliveryId: '2'}, {signal: neverAborted()});
		await right.outbox.sendAfterChange(({target}) => target !== 'telegram');
		expect(simulator.received).toEqual([]);
		await right.outbox.sendAfterChange(({target}) => target === 'telegram');
		expect(simulator.received.map(({text}) => text)).toEqual(['with a wrong token']);
		expect(await journal.findMessage(id)).toMatchObject({state: 'sent'});
	});

	test('is cancelled by a person, and sent at once by one', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {simulator, leave, comeBack, baseUrl} = await openAway();
		await leave();
		const {outbox, ofType} = openGateway({journal, clock, baseUrl});
		await deliverOne(outbox, answer('cancelled'), {signal: neverAborted()});
		await deliverOne(outbox, answer('sent'), {signal: neverAborted()});
		const [kept, cancelled] = await journal.listMessages({states: ['retrying'], limit: 2});
		await outbox.cancel(cancelled?.id ?? '');
		await expect(outbox.cancel(cancelled?.id ?? '')).rejects.toMatchObject({code: 'not_replayable'});
		await comeBack();
		expect(await outbox.sendMessageAgain(kept?.id ?? '')).toMatchObject({kind: 'delivered'});
		await clock.advance(25 * 60 * minute);
		expect(simulator.received.map(({text}) => text)).toEqual(['sent']);
		expect(await journal.findMessage(cancelled?.id ?? '')).toMatchObject({
			state: 'failed',
			detail: 'cancelled by a person before it arrived',
		});
		expect(ofType('delivery.settled').at(-2)).toMatchObject({outcome: 'failed', code: 'cancelled'});
	});
});

describe.skipIf(!hasPostgres)('gateways on one database', () => {
	test('send a message again once, though each of them tries, and also when the one that had it is gone', async () => {
		const place = await newPostgresPlace();
		const [gone, alive] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		const {simulator, leave, comeBack, baseUrl} = await openAway();
		await leave();
		// Failed messages are due again at once.
		const late = {...systemClock, now: () => Date.now() - 10_000};
		const first = openGateway({journal: gone.journal, clock: late, baseUrl});
		const second = openGateway({journal: alive.journal, clock: systemClock, baseUrl});
		await deliverOne(first.outbox, answer('one'), {signal: neverAborted()});
		await first.outbox.stop();
		await expect.poll(() => alive.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		await comeBack();
		await Promise.all([second.resume(), second.resume(), first.resume().catch(() => undefined)]);
		await settle(alive.journal, 'sent');
		expect(simulator.received.map(({text}) => text)).toEqual(['one']);

		const third = await openNode(place, 'c');
		const other = openGateway({journal: third.journal, clock: systemClock, baseUrl});
		await leave();
		await deliverOne(second.outbox, answer('two'), {signal: neverAborted()});
		await comeBack();
		const {id} = (await row(alive.journal)) ?? {id: ''};
		const both = await Promise.allSettled([second, other, second].map(({outbox}) => outbox.sendMessageAgain(id)));
		expect(both.map(({status}) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
		await settle(alive.journal, 'sent');
		expect(simulator.received.map(({text}) => text)).toEqual(['one', 'two']);
	});
});
