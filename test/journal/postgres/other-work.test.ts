import {Client} from 'pg';
import {describe, expect, test} from 'vitest';
import {type Journal, type RunRow} from '../../../source/journal/journal.ts';
import {type OtherWorkQuery} from '../../../source/journal/operations/operation-values.ts';
import {acceptRun, sampleMessage, sampleCall, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';
import {nothingKnown, openAs, openTwo} from './shared-journal-fixture.ts';

describe.skipIf(!hasPostgres)('the work of other gateways', () => {
	test('are events that came since the last look, each once, and none of this gateway', async () => {
		const {here, there} = await openTwo();
		await there.acceptEvent({event: sampleEvent({id: 'before'})});
		const {last, events} = await here.listOtherWork(nothingKnown);
		expect(events.map(({id}) => id)).toEqual(['before']);
		await here.acceptEvent({event: sampleEvent({id: 'own'})});
		await there.acceptEvent({event: sampleEvent({id: 'first', route: 'orders'})});
		there.recordEvent(sampleEvent({id: 'refused', outcome: 'rejected', status: 401}));
		await there.acceptEvent({event: sampleEvent({id: 'last'})});
		const look = async (knownEvents: readonly string[]) =>
			(await here.listOtherWork({...nothingKnown, after: last, knownEvents})).events;
		expect(await look(['before'])).toEqual([
			expect.objectContaining({id: 'first', route: 'orders', node: 'there'}),
			expect.objectContaining({id: 'refused', status: 401, node: 'there'}),
			expect.objectContaining({id: 'last', node: 'there'}),
		]);
		expect((await look(['before', 'first', 'last'])).map(({id}) => id)).toEqual(['refused']);
	});

	test('say of events whether their message is still being sent or their job asked, and have those that were open then', async () => {
		const {here, there} = await openTwo();
		const {last: after} = await here.listOtherWork(nothingKnown);
		const direct = sampleEvent({id: 'direct', outcome: 'outcome_uncertain', status: 502});
		const message = sampleMessage('message', {eventId: direct.id, runId: undefined});
		await there.acceptEvent({event: direct, messages: [message]});
		const asked = sampleEvent({id: 'asked', deliveryId: 'asked'});
		await there.acceptEvent({event: asked, deduplicateUntil: Date.now() + 60_000, isOpen: true});
		const look = async (openEvents: readonly string[] = []) =>
			(await here.listOtherWork({...nothingKnown, after, openEvents})).events.flatMap(({id, outcome, isOpen}) =>
				id === 'direct' || id === 'asked' ? [[id, outcome, isOpen]] : [],
			);
		expect(await look()).toEqual([
			['direct', 'outcome_uncertain', true],
			['asked', 'accepted', true],
		]);
		await Promise.all(Array.from({length: 300}, () => there.acceptEvent({event: sampleEvent()})));
		await there.endDelivery({...direct, status: 200, outcome: 'delivered'}, [{id: message.id, state: 'sent'}]);
		there.settleEvent('asked', {status: 200, outcome: 'delivered', ms: 3});
		const {last} = await here.listOtherWork(nothingKnown);
		const lookLater = async () =>
			(await here.listOtherWork({...nothingKnown, after: last, openEvents: ['direct', 'asked']})).events.flatMap(
				({id, outcome, isOpen}) => (id === 'direct' || id === 'asked' ? [[id, outcome, isOpen]] : []),
			);
		await expect.poll(lookLater).toEqual([
			['direct', 'delivered', false],
			['asked', 'delivered', false],
		]);
	});

	test('have events that became visible behind later ones', async () => {
		const {place, here, there} = await openTwo();
		const client = new Client({connectionString: place.database.url});
		await client.connect();
		onTestFinished(() => client.end());
		await client.query(`SET search_path = ${place.database.schema}`);
		await client.query('BEGIN');
		await client.query(`INSERT INTO events (id, time, profile, route, event, delivery_id, headers, status, outcome, ms, owner)
			SELECT 'slow', 1, 'default', 'r', 'e', 'd', '[]', 202, 'accepted', 1, incarnation FROM nodes WHERE name = 'there'`);
		await there.acceptEvent({event: sampleEvent({id: 'quick'})});
		const {last: after, events} = await here.listOtherWork(nothingKnown);
		await client.query('COMMIT');
		expect(events.map(({id}) => id)).toEqual(['quick']);
		const next = await here.listOtherWork({...nothingKnown, after, knownEvents: ['quick']});
		expect(next.events.map(({id}) => id)).toEqual(['slow']);
	});

	test('are runs that another has begun or ended since they were known, queued by any gateway, and none that wait', async () => {
		const {here, there} = await openTwo();
		for (const id of ['long', 'short', 'waiting', 'own', 'parked']) {
			await acceptRun(here, sampleRun({id, eventId: id}));
		}

		await here.moveQueuedRuns(['own'], {state: 'running'});
		await there.moveQueuedRuns(['long', 'short'], {state: 'running'});
		await there.moveQueuedRuns(['parked'], {state: 'inbox', reason: 'no model'});
		await there.finishRun('short', {state: 'finished', result: {answer: 'done'}});
		const look = async (known: Readonly<Record<string, RunRow['state']>>, openRuns: readonly string[] = []) => {
			const {last: after} = await here.listOtherWork(nothingKnown);
			const knownRuns = Object.entries(known).map(([id, state]) => ({id, state, reason: 'no model'}));
			const {runs} = await here.listOtherWork({...nothingKnown, after, knownRuns, openRuns});
			return runs.map(({id, state, node, result}) => [id, state, node, result?.answer]);
		};
		expect(await look({})).toEqual([
			['long', 'running', 'there', undefined],
			['short', 'finished', 'there', 'done'],
			['parked', 'inbox', undefined, undefined],
		]);
		expect(await look({long: 'running', short: 'finished', parked: 'inbox'})).toEqual([]);
		await there.finishRun('long', {state: 'failed', result: {}});
		// So many came since that it is found only because it is shown as open.
		await Promise.all(Array.from({length: 300}, () => acceptRun(here, sampleRun())));
		expect(await look({parked: 'inbox'})).toEqual([]);
		expect(await look({parked: 'inbox'}, ['long', 'waiting', 'own'])).toEqual([['long', 'failed', 'there', undefined]]);
	});

	test('are runs that were known in another state, of every gateway', async () => {
		const {here, there} = await openTwo();
		for (const id of ['back', 'taken', 'same']) {
			await acceptRun(there, sampleRun({id, eventId: id}));
		}

		await there.moveQueuedRuns(['back', 'taken', 'same'], {state: 'running'});
		await there.requeueRun('back', 'the gateway stops');
		await there.requeueRun('taken', 'the gateway stops');
		await here.moveQueuedRuns(['taken'], {state: 'running'});
		await here.finishRun('taken', {state: 'finished', result: {}});
		const knownRuns = ['back', 'taken', 'same'].map(id => ({id, state: 'running'}) as const);
		const {runs} = await here.listOtherWork({...nothingKnown, knownRuns});
		expect(runs.map(({id, state, node}) => [id, state, node])).toEqual([
			['back', 'queued', undefined],
			['taken', 'finished', undefined],
		]);
	});

	test('are calls since the last look, all that are under way where they are asked for, and the ends of those that were', async () => {
		const {here, there} = await openTwo();
		const ok = {outcome: 'ok', ms: 5, result: {text: 'grown'}} as const;
		await there.startCall(sampleCall({id: 'long'}));
		await here.startCall(sampleCall({id: 'own'}));
		Array.from({length: 300}, () => there.recordCall(sampleCall(), ok));
		await expect.poll(async () => (await here.listCalls({limit: 400})).length).toBe(302);
		const look = async (query: Partial<OtherWorkQuery>) => {
			const {last, calls} = await here.listOtherWork({...nothingKnown, ...query});
			const rows = calls.flatMap(({id, node, isOpen, end, arguments: args}) =>
				['long', 'quick', 'large', 'own'].includes(id) ? [[id, node, isOpen, end?.outcome, args]] : [],
			);
			return {last, rows};
		};
		const args = {bed: 1};
		const open = [['long', 'there', true, undefined, args]];
		const {last: after, rows} = await look({underWay: 'all'});
		expect(rows).toEqual(open);
		// So many came since that it is found only where all are asked for.
		expect((await look({after})).rows).toEqual([]);
		expect((await look({after, underWay: 'all'})).rows).toEqual(open);
		expect((await look({after, underWay: 'all', openCalls: ['long']})).rows).toEqual([]);
		there.recordCall(sampleCall({id: 'quick'}), ok);
		there.finishCall('long', ok);
		await expect
			.poll(async () => (await look({after, openCalls: ['long']})).rows)
			.toEqual([
				['long', 'there', false, 'ok', args],
				['quick', 'there', false, 'ok', args],
			]);
		expect((await look({after, knownCalls: ['quick', 'long'], openCalls: ['long']})).rows).toEqual([]);
	});

	test('are calls without an end of a gateway that is gone, no longer under way', async () => {
		const {here, there} = await openTwo();
		await there.startCall(sampleCall({id: 'left'}));
		const look = async () => {
			const {calls} = await here.listOtherWork({...nothingKnown, openCalls: ['left']});
			return calls.map(({id, isOpen, end}) => [id, isOpen, end]);
		};
		expect(await look()).toEqual([]);
		await there.close();
		expect(await look()).toEqual([['left', false, undefined]]);
	});

	test('have where deliveries fail, at all gateways, until that is dismissed or over', async () => {
		const {here, there} = await openTwo();
		const failing = async () =>
			(await here.listOtherWork(nothingKnown)).failedDeliveries.map(({id, target, failures}) => [id, target, failures]);
		expect(await failing()).toEqual([]);
		await there.persistMessages([sampleMessage('answer', {target: 'telegram'})], 'sending');
		await there.finishMessage('answer', 'failed', 'chat not found');
		await expect.poll(failing).toEqual([[expect.any(String), 'telegram', 1]]);
		await here.dismissFailedDeliveries((await failing()).map(([id]) => String(id)));
		expect(await failing()).toEqual([]);
	});

	test('are not those of an earlier start of this gateway', async () => {
		const {place, there} = await openTwo();
		await there.acceptEvent({event: sampleEvent({id: 'before'})});
		await acceptRun(there, sampleRun({id: 'run', eventId: 'event'}));
		await there.moveQueuedRuns(['run'], {state: 'running'});
		await there.finishRun('run', {state: 'finished', result: {}});
		await there.close();
		const again = await openAs(place, 'there');
		const other = await openAs(place, 'elsewhere');
		const look = async (journal: Journal) => {
			const {events, runs} = await journal.listOtherWork(nothingKnown);
			return [...events, ...runs].map(({id}) => id);
		};
		expect(await look(again)).toEqual([]);
		expect(await look(other)).toEqual(['before', 'event', 'run']);
	});

	test('have an inbox item again once it is open for another reason, and no other run', async () => {
		const {here, there} = await openTwo();
		for (const id of ['item', 'run']) {
			await acceptRun(there, sampleRun({id, eventId: `event-${id}`}));
		}

		await there.moveQueuedRuns(['item'], {state: 'inbox', reason: 'no model'});
		await there.moveQueuedRuns(['run'], {state: 'running', reason: 'whatever'});
		const look = async (reason: string) => {
			const knownRuns = [
				{id: 'item', state: 'inbox', reason},
				{id: 'run', state: 'running'},
			] as const;
			return (await here.listOtherWork({...nothingKnown, knownRuns})).runs.map(run => [run.id, run.reason]);
		};

		expect([await look('no model'), await look('another')]).toEqual([[], [['item', 'no model']]]);
	});

	test('leave out rows that cannot be read, and count them', async () => {
		const {place, here, there} = await openTwo();
		const {last: after} = await here.listOtherWork(nothingKnown);
		for (const id of ['a', 'b']) {
			await there.acceptEvent({event: sampleEvent({id: `event ${id}`})});
			await there.startCall(sampleCall({id: `call ${id}`}));
		}

		const {url, schema} = place.database;
		await administer(
			url,
			`UPDATE ${schema}.events SET outcome = 'unheard of' WHERE id = 'event a'`,
			`UPDATE ${schema}.calls SET record = '{"id":', small_record = NULL WHERE id = 'call a'`,
		);
		const {events, calls} = await here.listOtherWork({...nothingKnown, after});
		expect([events, calls].map(rows => rows.map(({id}) => id))).toEqual([['event b'], ['call b']]);
		expect(await here.listUnreadableRows()).toEqual([
			{table: 'events', id: 'event a'},
			{table: 'calls', id: 'call a'},
		]);
	});
});
