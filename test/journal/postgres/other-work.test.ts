import {Client} from 'pg';
import {describe, expect, test} from 'vitest';
import {openRecoverableJournal} from '../../../source/journal/recoverable-journal.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {acceptRun, sampleAnswer, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';

/** Two gateways on one journal. */
async function openTwo() {
	const place = await newPostgresPlace();
	const open = async (name: string) => {
		const {journal} = await openRecoverableJournal({
			path: place.path,
			database: async () => place.database,
			clock: systemClock,
			limits: () => ({maxAgeDays: 30, maxBytes: 1e9}),
			onState: () => undefined,
			node: async () => ({name, leaseMilliseconds: 60_000}),
			onDeclaredDead: () => undefined,
		});
		onTestFinished(() => journal.close());
		return journal;
	};

	return {place, here: await open('here'), there: await open('there')};
}

const nothingKnown = {knownEvents: [], openEvents: [], knownRuns: [], openRuns: []};

describe.skipIf(!hasPostgres)('the work of other gateways', () => {
	test('are events that came since the last look, each once, and none of this gateway', async () => {
		const {here, there} = await openTwo();
		await there.acceptEvent({event: sampleEvent({id: 'before'})});
		const {last, events} = await here.listOtherWork(nothingKnown);
		expect(events).toEqual([]);
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

	test('are no events whose message is still being sent, until that has ended', async () => {
		const {here, there} = await openTwo();
		await there.acceptEvent({event: sampleEvent({id: 'before'})});
		const {last: after} = await here.listOtherWork(nothingKnown);
		const event = sampleEvent({id: 'direct', outcome: 'outcome_uncertain', status: 502});
		const message = sampleAnswer('message', {eventId: event.id, runId: undefined});
		await there.acceptEvent({event, message});
		const look = async () =>
			(await here.listOtherWork({...nothingKnown, after, knownEvents: ['before']})).events.map(({id, outcome}) => [
				id,
				outcome,
			]);
		expect(await look()).toEqual([]);
		await there.endDelivery({...event, status: 200, outcome: 'delivered'}, {id: message.id, state: 'sent'});
		expect(await look()).toEqual([['direct', 'delivered']]);
	});

	test('are events that were open at the last look and have ended, however many came since', async () => {
		const {here, there} = await openTwo();
		const event = sampleEvent({id: 'direct', outcome: 'outcome_uncertain', status: 502});
		const message = sampleAnswer('message', {eventId: event.id});
		await there.acceptEvent({event, message});
		const job = sampleEvent({id: 'job', deliveryId: 'job'});
		await there.acceptEvent({event: job, deduplicateUntil: Date.now() + 60_000, isOpen: true});
		await here.acceptEvent({event: sampleEvent({id: 'own'}), message: sampleAnswer('own', {eventId: 'own'})});
		const {openEvents} = await here.listOtherWork(nothingKnown);
		expect(openEvents.toSorted()).toEqual(['direct', 'job']);
		const later = Array.from({length: 300}, (_, index) => `later ${index}`);
		await Promise.all(later.map(id => there.acceptEvent({event: sampleEvent({id})})));
		await there.endDelivery({...event, status: 200, outcome: 'delivered'}, {id: message.id, state: 'sent'});
		const {last: after} = await here.listOtherWork(nothingKnown);
		const look = async (open: readonly string[]) => {
			const found = await here.listOtherWork({...nothingKnown, after, knownEvents: later, openEvents: open});
			return [found.events.map(({id, outcome}) => [id, outcome]), found.openEvents];
		};
		expect(await look([])).toEqual([[], ['job']]);
		expect(await look(openEvents)).toEqual([[['direct', 'delivered']], ['job']]);
	});

	test('are no events whose job is still being asked, and those that became visible behind later ones', async () => {
		const {place, here, there} = await openTwo();
		const client = new Client({connectionString: place.database.url});
		await client.connect();
		onTestFinished(() => client.end());
		await client.query(`SET search_path = ${place.database.schema}`);
		await client.query('BEGIN');
		await client.query(`INSERT INTO events (id, time, profile, route, event, delivery_id, headers, status, outcome, ms, owner)
			SELECT 'slow', 1, 'default', 'r', 'e', 'd', '[]', 202, 'accepted', 1, incarnation FROM nodes WHERE name = 'there'`);
		await there.acceptEvent({event: sampleEvent({id: 'quick'})});
		const {last: after} = await here.listOtherWork(nothingKnown);
		await client.query('COMMIT');
		const event = sampleEvent({id: 'open', deliveryId: 'open'});
		await there.acceptEvent({event, deduplicateUntil: Date.now() + 60_000, isOpen: true});
		const look = async () =>
			(await here.listOtherWork({...nothingKnown, after, knownEvents: ['quick']})).events.map(({id, status}) => [
				id,
				status,
			]);
		expect(await look()).toEqual([['slow', 202]]);
		there.settleEvent('open', {status: 200, outcome: 'delivered', ms: 3});
		await expect.poll(look).toEqual([
			['slow', 202],
			['open', 200],
		]);
	});

	test('are runs that another has begun or ended since they were known, whoever queued them, and none that wait', async () => {
		const {here, there} = await openTwo();
		for (const id of ['long', 'short', 'waiting', 'own', 'parked']) {
			await acceptRun(here, sampleRun({id, eventId: id}));
		}

		await here.moveQueuedRuns(['own'], {state: 'running'});
		await there.moveQueuedRuns(['long', 'short'], {state: 'running'});
		await there.moveQueuedRuns(['parked'], {state: 'inbox', reason: 'no model'});
		await there.finishRun('short', {state: 'finished', result: {answer: 'done'}});
		const look = async (knownRuns: readonly string[], openRuns: readonly string[] = []) => {
			const {last: after} = await here.listOtherWork(nothingKnown);
			const {runs} = await here.listOtherWork({...nothingKnown, after, knownRuns, openRuns});
			return runs.map(({id, state, node, result}) => [id, state, node, result?.answer]);
		};
		expect(await look([])).toEqual([
			['long', 'running', 'there', undefined],
			['short', 'finished', 'there', 'done'],
			['parked', 'inbox', undefined, undefined],
		]);
		expect(await look(['long running', 'short finished', 'parked inbox'])).toEqual([]);
		await there.finishRun('long', {state: 'failed', result: {}});
		// So many came since that it is found only because it is shown as open.
		await Promise.all(Array.from({length: 300}, () => acceptRun(here, sampleRun())));
		expect(await look(['long running', 'parked inbox'])).toEqual([]);
		expect(await look(['long running', 'parked inbox'], ['long', 'waiting', 'own'])).toEqual([
			['long', 'failed', 'there', undefined],
		]);
	});
});
