import {Client} from 'pg';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type CallRecord} from '../../source/journal/journal.ts';
import {journalEngines, newPostgresPlace} from '../helpers/journal-engines.ts';
import {endConnection, openNode, type Node} from '../helpers/journal-nodes.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {cutOffUnnoticed} from '../helpers/lost-answers.ts';
import {acceptRun, sampleMessage, sampleEvent, sampleRun} from '../helpers/journal-records.ts';

const facts = {version: '1', models: [], consoles: []};

const call = (id: string): CallRecord => ({
	id,
	time: Date.now(),
	profile: 'default',
	server: 'files',
	tool: 'write',
	arguments: {},
	origin: {kind: 'command-line'},
});

/** Has one of each under way: a run, a message that is being sent, one that waits, a call, and an event whose job was not asked yet. */
async function beginAll({journal}: Node) {
	await acceptRun(journal, sampleRun({id: 'run', eventId: 'event'}));
	await journal.moveQueuedRuns(['run'], {state: 'running'});
	await journal.persistMessages([sampleMessage('sent')], 'pending');
	await journal.beginMessage('sent', 'pending');
	await journal.persistMessages([sampleMessage('waiting')], 'pending');
	await journal.startCall(call('call'));
	const event = sampleEvent({id: 'open', deliveryId: 'open'});
	await journal.acceptEvent({event, deduplicateUntil: Date.now() + 60_000, isOpen: true});
}

/** Takes up what gateways that are gone have left; returns what it was. */
async function takeUp({journal}: Node) {
	const uncertain = await journal.markInterruptedSendsUncertain('nobody knows');
	const waiting = await journal.takePendingMessages(10);
	const interrupted = await journal.interruptBegunRuns();
	const calls = await journal.listUncertainCalls({profile: 'default', begunBefore: 0, limit: 10});
	journal.releaseOpenDeliveries(Date.now());
	const event = sampleEvent({id: 'again', deliveryId: 'open'});
	const again = await journal.acceptEvent({event, deduplicateUntil: Date.now() + 60_000});
	return [uncertain, waiting, interrupted, calls].map(rows => rows.map(({id}) => id)).concat([[again]]);
}

const nothing = [[], [], [], [], ['open']];
const everything = [['sent'], ['waiting'], ['run'], ['call'], ['accepted']];

describe.each(journalEngines)('on $engine', ({newPlace, leftOf}) => {
	test('what a gateway has under way is not taken from it by any other', async () => {
		const node = await openNode(await newPlace(), 'a');
		await beginAll(node);
		// It may find messages itself that it has not begun to send.
		expect(await takeUp(node)).toEqual(nothing.with(1, ['waiting']));
	});

	test('what a gateway had under way when it was killed is taken up by the next one of its name', async () => {
		const place = await newPlace();
		const killed = await openNode(place, 'a');
		await beginAll(killed);
		const left = leftOf(place);
		// The connection of a process ends with it.
		await (place.database && killed.journal.close());
		expect(await takeUp(await openNode(left, 'a'))).toEqual(everything);
	});
});

describe.skipIf(!hasPostgres)('gateways that share a journal', () => {
	test('take nothing from each other while both are alive, and all that one leaves when it stops', async () => {
		const place = await newPostgresPlace();
		const [first, second] = [await openNode(place, 'a'), await openNode(place, 'b')];
		await beginAll(first);
		expect(await takeUp(second)).toEqual(nothing);
		await first.journal.close();
		expect(await takeUp(second)).toEqual(everything);
	});

	test('declare the one dead that gives no sign within its lease, and it begins nothing until it goes on as another', async () => {
		const place = await newPostgresPlace();
		const [frozen, alive] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		await beginAll(frozen);
		await acceptRun(frozen.journal, sampleRun({id: 'next', eventId: 'next'}));
		await frozen.journal.renewNode(facts);
		await expect.poll(() => alive.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		expect(await takeUp(alive)).toEqual(everything);

		const {journal} = frozen;
		expect(await journal.moveQueuedRuns(['next'], {state: 'running'})).toEqual(new Set());
		expect(await journal.beginMessage('waiting', 'pending')).toBe(false);
		await expect(journal.startCall(call('late'))).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(await journal.requeueRun('run', 'it was not begun')).toBe(false);
		expect(await journal.renewNode(facts)).toBe('dead');
		await frozen.enterAgain();
		expect([frozen.declaredDead(), await journal.renewNode(facts)]).toEqual([1, 'alive']);
		expect(await journal.moveQueuedRuns(['next'], {state: 'running'})).toEqual(new Set(['next']));
		await journal.startCall(call('late'));
		expect((await journal.listNodes()).nodes.map(({name, state}) => `${name} ${state}`).sort()).toEqual([
			'a alive',
			'a dead',
			'b alive',
		]);
	});

	test('keep what they decided about the work of one that was declared dead, however it ends there', async () => {
		const place = await newPostgresPlace();
		const [frozen, alive] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		await beginAll(frozen);
		const event = sampleEvent({id: 'asked', deliveryId: 'asked', time: Date.now()});
		const message = sampleMessage('direct', {eventId: 'asked'});
		await frozen.journal.acceptEvent({event, messages: [message], deduplicateUntil: Date.now() + 600_000});
		await expect.poll(() => alive.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		await alive.journal.interruptBegunRuns();
		await alive.journal.markInterruptedSendsUncertain('nobody knows');
		await alive.journal.beginMessage('sent', 'outcome_uncertain');
		const states = async () => [
			(await alive.journal.findRun('run'))?.state,
			(await alive.journal.findMessage('sent'))?.state,
			(await alive.journal.findMessage('direct'))?.state,
			(await alive.journal.findEvent('asked'))?.outcome,
			await alive.journal.acceptEvent({event: {...event, id: 'again'}, deduplicateUntil: Date.now() + 600_000}),
		];
		const decided = ['interrupted', 'sending', 'outcome_uncertain', 'outcome_uncertain', 'duplicate'];
		expect(await states()).toEqual(decided);
		const failing = await alive.journal.listFailedDeliveries({limit: 10});

		for (let starts = 0; starts < 2; starts++) {
			expect(await frozen.journal.finishRun('run', {state: 'finished', result: {answer: 'Yes'}})).toBe(false);
			await frozen.journal.finishMessage('sent', 'failed', 'late');
			await frozen.journal.endDelivery({...event, outcome: 'delivery_failed'}, [{id: 'direct', state: 'failed'}]);
			expect([await states(), await alive.journal.listFailedDeliveries({limit: 10})]).toEqual([decided, failing]);
			await frozen.enterAgain();
		}
	});

	test('say that one was declared dead though the connection is lost while it learns so, and say it once', async () => {
		const place = await newPostgresPlace();
		const {url, schema} = place.database;
		const sql = async (...texts: string[]) => administer(url, `SET search_path = ${schema}`, ...texts);
		const [frozen, alive] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		await expect.poll(() => alive.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		await sql(
			`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not now''; END'`,
			'CREATE TRIGGER refusing AFTER INSERT ON nodes FOR EACH ROW EXECUTE FUNCTION refuse()',
			endConnection(schema, 'a'),
		);
		await expect.poll(frozen.isOpen).toBe(false);
		frozen.tryAgain();
		await expect.poll(frozen.declaredDead).toBe(1);
		await sql('DROP TRIGGER refusing ON nodes');
		await expect
			.poll(() => {
				frozen.tryAgain();
				return frozen.isOpen();
			})
			.toBe(true);
		expect([frozen.declaredDead(), await frozen.journal.renewNode(facts)]).toEqual([1, 'alive']);
	});

	test('go on as another after a sign that did not count, though nothing is left of the start before', async () => {
		const place = await newPostgresPlace();
		const node = await openNode(place, 'a');
		const started = async () => (await node.journal.listNodes()).nodes.map(({instanceId}) => instanceId);
		const before = await started();
		await administer(place.database.url, `DELETE FROM ${place.database.schema}.nodes`);
		expect(await node.journal.renewNode(facts)).toBe('dead');
		await node.enterAgain();
		expect([node.declaredDead(), (await started()).length]).toEqual([1, 1]);
		expect(await started()).not.toEqual(before);
	});

	test('are named in the rows of what they did, as long as there are such rows', async () => {
		const place = await newPostgresPlace();
		const [first, second] = [await openNode(place, 'a'), await openNode(place, 'b')];
		await beginAll(first);
		first.journal.recordEvent(sampleEvent({id: 'refused', outcome: 'rejected'}));
		first.journal.recordDecision({
			id: 'decision',
			callId: 'call',
			time: Date.now(),
			profile: 'default',
			server: 'files',
			tool: 'write',
			argumentsHash: '',
			outcome: 'denied',
		});
		await acceptRun(first.journal, sampleRun({id: 'next', eventId: 'next'}));
		await second.journal.moveQueuedRuns(['next'], {state: 'running'});
		await first.journal.close();
		// Long gone, and kept for the sake of its rows.
		await administer(
			place.database.url,
			`UPDATE ${place.database.schema}.nodes SET seen_at = seen_at - 3 * 86400000 WHERE name = 'a'`,
		);
		const again = await openNode(place, 'a');
		const {journal} = second;
		const nodes = async (rows: Promise<ReadonlyArray<{readonly id: string; readonly node?: string}>>) =>
			Object.fromEntries((await rows).map(({id, node}) => [id, node]));
		expect(await nodes(journal.listEvents({limit: 10}))).toEqual({event: 'a', open: 'a', refused: 'a', next: 'a'});
		expect(await nodes(journal.listRuns({limit: 10}))).toEqual({run: 'a', next: 'b'});
		expect(await nodes(journal.listCalls({limit: 10}))).toEqual({call: 'a'});
		expect(await nodes(journal.listDecisions({limit: 10}))).toEqual({decision: 'a'});
		expect(await nodes(journal.listMessages({limit: 10}))).toEqual({sent: 'a', waiting: 'a'});
		expect(await journal.findCall('call')).toMatchObject({node: 'a', id: 'call'});
		expect(await journal.findEvent('refused')).toMatchObject({node: 'a', status: 202});
		expect((await again.journal.listNodes()).nodes.map(({name, state}) => `${name} ${state}`).sort()).toEqual([
			'a alive',
			'b alive',
		]);
	});

	test('wait for none that is frozen within a transaction: not with a sign, and not with what they declare', async () => {
		const place = await newPostgresPlace();
		const [alive, dead, held] = [
			await openNode(place, 'a'),
			await openNode(place, 'b', 50),
			await openNode(place, 'c', 50),
		];
		const client = new Client({connectionString: place.database.url});
		await client.connect();
		onTestFinished(() => client.end());
		await client.query(`BEGIN; UPDATE ${place.database.schema}.nodes SET seen_at = seen_at WHERE name = 'c'`);
		const {journal} = alive;
		await expect.poll(() => journal.expireNodes(), {interval: 10}).toEqual(['b']);
		expect([await journal.renewNode(facts), await dead.journal.renewNode(facts)]).toEqual(['alive', 'dead']);
		await client.query('ROLLBACK');
		await expect.poll(() => journal.expireNodes(), {interval: 10}).toEqual(['c']);
		expect(await held.journal.renewNode(facts)).toBe('dead');
	});

	test('may not have one name, and the second of them begins once the first has ended', async () => {
		const place = await newPostgresPlace();
		const first = await openNode(place, 'twin');
		const second = await openNode(place, 'twin');
		expect([second.isOpen(), second.faults]).toEqual([
			false,
			['Another gateway is called twin in the journal of this database'],
		]);
		await acceptRun(first.journal, sampleRun());
		await first.journal.close();
		second.tryAgain();
		await expect.poll(second.isOpen).toBe(true);
		expect(second.faults).toHaveLength(2);
	});

	test('take their name back at once when their connection broke and the database has not noticed, and no one else gets it', async () => {
		const place = await newPostgresPlace();
		const way = await cutOffUnnoticed(place);
		const first = await openNode(way.place, 'twin');
		way.cut();
		await expect.poll(first.isOpen).toBe(false);
		const second = await openNode(place, 'twin');
		expect(second.isOpen()).toBe(false);
		first.tryAgain();
		await expect.poll(first.isOpen, {timeout: 2000}).toBe(true);
		expect(await first.journal.renewNode(facts)).toBe('alive');
	});

	test.each(['before', 'after'] as const)(
		'take their name back at once when they were declared dead %s their connection broke unnoticed',
		async when => {
			const place = await newPostgresPlace();
			const way = await cutOffUnnoticed(place);
			const [first, other] = [await openNode(way.place, 'twin', 50), await openNode(place, 'other')];
			const expire = () => expect.poll(() => other.journal.expireNodes(), {interval: 10}).toEqual(['twin']);
			if (when === 'before') {
				await expire();
				await first.enterAgain();
			}

			way.cut();
			await expect.poll(first.isOpen).toBe(false);
			await (when === 'after' && expire());
			first.tryAgain();
			await expect.poll(first.isOpen, {timeout: 2000}).toBe(true);
			expect(await first.journal.renewNode(facts)).toBe('alive');
		},
	);

	test('close a window when it is due, not when the gateway that opened it believes so', async () => {
		const place = await newPostgresPlace();
		const [first, second] = [await openNode(place, 'a'), await openNode(place, 'b')];
		const send = ({journal}: Node, id: string, windowSeconds: number) =>
			journal.acceptEvent({
				event: sampleEvent({id, deliveryId: id}),
				run: sampleRun({id, eventId: id, createdAt: Date.now()}),
				windowKey: 'k',
				windowTiming: {windowSeconds, maxWaitSeconds: 600},
			});
		const window = {route: 'github', key: 'k'};
		await send(first, 'one', 0);
		await send(second, 'two', 300);
		const dueIn = await first.journal.takeDueWindow(window);
		expect(dueIn).toBeGreaterThan(200_000);
		await send(second, 'three', 0);
		// Due by the clock of the database, which the other gateway knows to the millisecond.
		await expect.poll(() => first.journal.takeDueWindow(window)).toBe(undefined);
		expect((await second.journal.nextQueuedRuns(5)).map(({id}) => id)).toEqual(['three']);
	});
});
