import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {sampleCall, sampleDecision, sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {administer} from '../helpers/postgres-server.ts';

/** Breaks the record of a row, as damage or another program does. */
async function spoil(place: JournalPlace, table: string, where: string, record = '{"id":'): Promise<void> {
	await change(place, `UPDATE ${tableIn(place, table)} SET record = '${record}' WHERE ${where}`);
}

const tableIn = ({database}: JournalPlace, table: string) => `${database ? `${database.schema}.` : ''}${table}`;

async function change(place: JournalPlace, text: string): Promise<void> {
	if (place.database) {
		await administer(place.database.url, text);
		return;
	}

	const database = new DatabaseSync(place.path, {timeout: 5000});
	database.exec(text);
	database.close();
}

async function recordOf(place: JournalPlace, table: string, where: string, column = 'state'): Promise<unknown> {
	const text = `SELECT ${column}, record FROM ${tableIn(place, table)} WHERE ${where}`;
	if (place.database) {
		return (await administer(place.database.url, text))[0];
	}

	const database = new DatabaseSync(place.path, {readOnly: true});
	const row = database.prepare(text).get();
	database.close();
	return {...row};
}

const answer = (id: string) => ({
	id,
	eventId: `event ${id}`,
	target: 'log',
	text: 'x',
	extra: {},
	deliveryId: 'd',
	route: 'github',
});

describe.each(journalEngines)('A row that cannot be read, in $engine,', ({newPlace, open}) => {
	test.each(['{"id":', '{"id":"b"}', '[]'])(
		'is set aside in the queue and kept whole, and the rest goes on: %s',
		async record => {
			const place = await newPlace();
			const journal = await open({place, clock: createFakeClock()});
			for (const id of ['a', 'b', 'c']) {
				await journal.queueRun(sampleRun({id, eventId: `event ${id}`, job: 'watch'}));
			}

			await spoil(place, 'runs', `id = 'b'`, record);
			expect((await journal.nextQueuedRuns(10)).map(({id}) => id)).toEqual(['a', 'c']);
			expect(await journal.countWaitingRuns()).toBe(2);
			expect(await recordOf(place, 'runs', `id = 'b'`)).toEqual({state: 'unreadable', record});
			expect(await journal.listRuns({limit: 10, states: ['unreadable']})).toMatchObject([
				{
					id: 'b',
					job: 'watch',
					profile: 'default',
					state: 'unreadable',
					reason: expect.stringContaining('cannot be read'),
				},
			]);
			expect(await journal.findRun('b')).toMatchObject({state: 'unreadable'});
		},
	);

	test('at the head of the queue holds up none behind it', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		for (const id of ['a', 'b']) {
			await journal.queueRun(sampleRun({id, eventId: ''}));
		}

		await spoil(place, 'runs', `id = 'a'`);
		expect((await journal.nextQueuedRuns(1)).map(({id}) => id)).toEqual(['b']);
	});

	test('of a run or message under way does not stop the next start', async () => {
		const place = await newPlace();
		const first = await openNode(place, 'web-1');
		for (const id of ['a', 'b']) {
			await first.journal.queueRun(sampleRun({id, eventId: ''}));
			await first.journal.persistMessages([answer(`pending ${id}`)], 'pending');
			await first.journal.persistMessages([answer(`sending ${id}`)], 'sending');
		}

		await first.journal.moveQueuedRuns(['a', 'b'], {state: 'running'});
		await first.journal.close();
		await spoil(place, 'runs', `id = 'a'`);
		await spoil(place, 'answers', `id LIKE '% a'`);
		const {journal, faults} = await openNode(place, 'web-1');
		expect((await journal.interruptBegunRuns()).map(({id}) => id)).toEqual(['b']);
		expect((await journal.markInterruptedSendsUncertain('stopped')).map(({id}) => id)).toEqual(['sending b']);
		expect((await journal.takePendingMessages(10)).map(({id}) => id)).toEqual(['pending b']);
		expect((await journal.listMessages({limit: 10, states: ['unreadable']})).map(({id, state}) => [id, state])).toEqual(
			[
				['sending a', 'unreadable'],
				['pending a', 'unreadable'],
			],
		);
		expect(await recordOf(place, 'answers', `id = 'pending a'`)).toEqual({state: 'unreadable', record: '{"id":'});
		expect(faults).toEqual([]);
	});

	test('of a group keeps the run that waited in it', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		const event = sampleEvent({id: 'event w', profile: 'work'});
		await journal.acceptEvent({event, run: sampleRun({id: 'w', eventId: 'event w'}), windowKey: 'key'});
		await spoil(place, 'windows', `event_id = 'event w'`);
		await journal.takeWindow({route: 'github', key: 'key'});
		expect(await journal.listWindows()).toEqual([]);
		expect(await recordOf(place, 'runs', `id = 'event w'`)).toEqual({state: 'unreadable', record: '{"id":'});
		expect(await journal.listRuns({limit: 10})).toMatchObject([
			{eventId: 'event w', profile: 'work', state: 'unreadable'},
		]);
	});

	test('of a call, event or decision that a list leaves out is counted once, with its table and id, and kept whole', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		for (const id of ['a', 'b']) {
			await journal.startCall(sampleCall({id: `call ${id}`}));
			await journal.acceptEvent({event: sampleEvent({id: `event ${id}`, deliveryId: id})});
			journal.recordDecision(sampleDecision({id: `decision ${id}`}));
		}

		const read = async () => [
			(await journal.listCalls({limit: 10})).length,
			(await journal.listCallPage({profile: 'default'})).calls.length,
			(await journal.listEvents({limit: 10})).length,
			(await journal.listDecisions({limit: 10})).length,
		];
		expect([await read(), await journal.listUnreadableRows()]).toEqual([[2, 2, 2, 2], []]);
		await spoil(place, 'calls', `id = 'call a'`);
		await spoil(place, 'decisions', `id = 'decision a'`);
		await change(place, `UPDATE ${tableIn(place, 'events')} SET outcome = 'unheard of' WHERE id = 'event a'`);
		await read();
		expect(await read()).toEqual([1, 1, 1, 1]);
		expect(await journal.findCall('call a')).toBeUndefined();
		expect(await journal.listUnreadableRows()).toEqual([
			{table: 'calls', id: 'call a'},
			{table: 'events', id: 'event a'},
			{table: 'decisions', id: 'decision a'},
		]);
		expect(await recordOf(place, 'calls', `id = 'call a'`, 'outcome')).toEqual({outcome: null, record: '{"id":'});
	});

	test.each([
		['of another shape', '{"words":1}'],
		['that is no JSON', '{"text":'],
	])(
		'of a call with a result %s is counted where the call is looked up, as one with other arguments is',
		async (_, answer) => {
			const place = await newPlace();
			const journal = await open({place, clock: createFakeClock()});
			await journal.startCall(sampleCall({id: 'a'}));
			journal.finishCall('a', {outcome: 'ok', ms: 1, result: {text: 'x'}});
			expect(await journal.findCall('a')).toMatchObject({end: {result: {text: 'x'}}});
			const stored = place.database ? `'${answer}'` : `CAST('${answer}' AS BLOB)`;
			await change(place, `UPDATE ${tableIn(place, 'calls')} SET answer = ${stored}, encoding = NULL`);
			expect(await journal.findCall('a')).toBeUndefined();
			expect(await journal.listUnreadableRows()).toEqual([{table: 'calls', id: 'a'}]);
			expect((await journal.listCalls({limit: 10})).map(({id}) => id)).toEqual(['a']);
			expect(await recordOf(place, 'calls', `id = 'a'`, 'outcome')).toMatchObject({outcome: 'ok'});
		},
	);

	test('of an event whose body cannot be decompressed is counted where the event is looked up', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		await journal.acceptEvent({event: sampleEvent({id: 'a'})});
		expect(await journal.findEvent('a')).toMatchObject({id: 'a'});
		await change(place, `UPDATE ${tableIn(place, 'events')} SET encoding = 'zstd'`);
		expect(await journal.findEvent('a')).toBeUndefined();
		expect(await journal.listUnreadableRows()).toEqual([{table: 'events', id: 'a'}]);
	});

	test('of a call is left out of lists, pages and open doubts', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		await journal.startCall(sampleCall({id: 'a'}));
		await journal.startCall(sampleCall({id: 'b'}));
		await spoil(place, 'calls', `id = 'a'`);
		const uncertain = {profile: 'default', begunBefore: 100, limit: 10};
		const lists = [
			await journal.listCalls({limit: 10}),
			(await journal.listCallPage({profile: 'default'})).calls,
			await journal.listUncertainCalls(uncertain),
		];
		expect(lists.map(calls => calls.map(({id}) => id))).toEqual([['b'], ['b'], ['b']]);
	});
});
