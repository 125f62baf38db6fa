import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleEvent, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {answer, call, dies, openFailing as open} from './failing-journal.ts';

/** A trigger of this name refuses every change of a table, as a full disk does, until it is dropped. */
function refuseChanges(path: string, table: string) {
	const database = new DatabaseSync(path);
	database.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'no room'); END`);
	return () => {
		database.exec('DROP TRIGGER refuse');
		database.close();
	};
}

describe('An end that cannot be written', () => {
	test('such as that of delivery ids of an earlier process, is tried until it is, and leaves later ones alone', async () => {
		const {journal, path, clock, reported} = await open();
		const accept = (id: string, time: number) =>
			journal.acceptEvent({
				event: sampleEvent({id, time, deliveryId: id}),
				deduplicateUntil: Number.MAX_SAFE_INTEGER,
				isOpen: true,
			});
		await accept('earlier', 1000);
		const database = new DatabaseSync(path);
		database.exec(`CREATE TRIGGER refuse BEFORE DELETE ON deliveries BEGIN SELECT RAISE(ABORT, 'no room'); END`);
		journal.releaseOpenDeliveries(1000);
		await expect.poll(() => reported).toEqual(['waiting']);
		await accept('later', 1001);
		database.exec('DROP TRIGGER refuse');
		database.close();
		await clock.advance(1000);
		await expect.poll(() => reported).toEqual(['waiting', 'written']);
		expect([await accept('later', 1002), (await journal.findEvent('later'))?.outcome]).toEqual(['open', 'accepted']);
		expect(await journal.findEvent('earlier')).toMatchObject({
			status: 503,
			outcome: 'unavailable',
			reason: 'the gateway stopped before its job was asked',
		});
	});

	test('is tried until it is on disk, and that is said once', async () => {
		const {journal, path, clock, reported} = await open();
		await acceptRun(journal, sampleRun({id: 'a'}));
		await takeRun(journal);
		const allow = refuseChanges(path, 'runs');
		const ended = journal.finishRun('a', {state: 'finished', result: {answer: 'Yes'}});
		await expect.poll(() => reported).toEqual(['waiting']);
		await clock.advance(1000);
		await clock.advance(2000);
		expect([(await journal.findRun('a'))?.state, reported]).toEqual(['running', ['waiting']]);
		allow();
		await clock.advance(60_000);
		await ended;
		expect(await journal.findRun('a')).toMatchObject({state: 'finished', result: {answer: 'Yes'}});
		expect(reported).toEqual(['waiting', 'written']);
	});

	test('is tried a last time at a stop, then waiting callers are refused', async () => {
		const {journal, path, endWaiting, clock, reported} = await open();
		await acceptRun(journal, sampleRun({id: 'a'}));
		await takeRun(journal);
		const allow = refuseChanges(path, 'runs');
		const ended = journal.finishRun('a', {state: 'finished', result: {}});
		const refused = expect(ended).rejects.toMatchObject({code: 'storage_unavailable'});
		await expect.poll(() => reported).toEqual(['waiting']);
		await endWaiting();
		await refused;
		expect([reported, clock.open()]).toEqual([['waiting', 'given-up'], 0]);
		await expect(journal.finishRun('a', {state: 'finished', result: {}})).rejects.toMatchObject({
			code: 'storage_unavailable',
		});
		allow();
		await journal.finishRun('a', {state: 'finished', result: {}});
		expect((await journal.findRun('a'))?.state).toBe('finished');
	});

	test('is on disk at a stop that comes when the disk works again', async () => {
		const {journal, path, endWaiting, reported} = await open();
		await journal.startCall({...call, arguments: {}});
		const allow = refuseChanges(path, 'calls');
		journal.finishCall('call', {outcome: 'ok', ms: 5});
		await expect.poll(() => reported).toEqual(['waiting']);
		allow();
		await endWaiting();
		expect(reported).toEqual(['waiting', 'written']);
		expect((await journal.findCall('call'))?.end).toMatchObject({outcome: 'ok'});
	});
});

describe('An end whose thread died behind the commit', () => {
	test('puts a run back once: it is not put back again from under who took it', async () => {
		const {journal, reopen} = await open();
		await acceptRun(journal, sampleRun({id: 'a'}));
		await takeRun(journal);
		const back = journal.requeueRun('a', dies);
		await reopen();
		expect([await back, (await takeRun(journal))?.id, (await journal.findRun('a'))?.state]).toEqual([
			true,
			'a',
			'running',
		]);
	});

	test('counts a failed delivery once', async () => {
		const {journal, reopen} = await open();
		await journal.persistMessages([answer], 'sending');
		const failed = journal.finishMessage(answer.id, 'failed', dies);
		await reopen();
		await failed;
		expect(await journal.listFailedDeliveries({limit: 10})).toMatchObject([{failures: 1, reason: dies}]);
	});

	test('lets an answer go once its begin is written', async () => {
		const {journal, reopen} = await open();
		await journal.persistMessages([answer], 'pending');
		// Both are in one transaction.
		journal.recordEvent(sampleEvent({reason: dies}));
		const begun = journal.beginMessage(answer.id, 'pending');
		await reopen();
		expect(await begun).toBe(true);
		expect((await journal.findMessage(answer.id))?.state).toBe('sending');
	});
});

describe('A write that was refused though it is on disk', () => {
	const cases: ReadonlyArray<{
		readonly write: string;
		readonly ask: (journal: Journal) => Promise<unknown>;
		readonly left: (journal: Journal) => Promise<unknown>;
		readonly expected: unknown;
	}> = [
		{
			write: 'an event with a run',
			ask: journal =>
				journal.acceptEvent({
					event: sampleEvent({id: 'e', deliveryId: 'one'}),
					deduplicateUntil: Number.MAX_SAFE_INTEGER,
					run: sampleRun({id: 'a', eventId: 'e', prompt: dies}),
				}),
			left: async journal => [
				(await journal.findEvent('e'))?.status,
				(await journal.findRun('a'))?.state,
				await journal.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil: Number.MAX_SAFE_INTEGER}),
			],
			expected: [503, 'cancelled', 'accepted'],
		},
		{
			write: 'an event that opens a coalescing window',
			ask: journal =>
				journal.acceptEvent({
					event: sampleEvent({id: 'e', deliveryId: 'one'}),
					run: sampleRun({id: 'a', eventId: 'e', prompt: dies}),
					windowKey: 'key',
				}),
			left: async journal => [await journal.listWindows(), await journal.countWaitingRuns()],
			expected: [[], 0],
		},
		{
			write: 'an event with a message',
			ask: journal =>
				journal.acceptEvent({
					event: sampleEvent({id: 'e', deliveryId: 'one'}),
					deduplicateUntil: Number.MAX_SAFE_INTEGER,
					messages: [{...answer, eventId: 'e', text: dies}],
				}),
			left: async journal => [
				(await journal.findMessage(answer.id))?.state,
				await journal.acceptEvent({event: sampleEvent({deliveryId: 'one'}), deduplicateUntil: Number.MAX_SAFE_INTEGER}),
			],
			expected: ['failed', 'accepted'],
		},
		{
			write: 'a run of a person',
			ask: journal => journal.queueRun(sampleRun({id: 'a', prompt: dies})),
			left: async journal => (await journal.findRun('a'))?.state,
			expected: 'cancelled',
		},
		{
			write: 'the claim of a job',
			ask: journal => journal.claimJob({jobId: 'j', slot: 1, runId: 'a'}, sampleRun({id: 'a', prompt: dies})),
			left: async journal => [(await journal.findRun('a'))?.state, await journal.listJobClaims()],
			expected: ['cancelled', []],
		},
	];

	test.each(cases)('is undone before anything else is written: $write', async ({ask, left, expected}) => {
		const {journal, reopen} = await open();
		await expect(ask(journal)).rejects.toMatchObject({code: 'storage_unavailable'});
		await reopen();
		expect(await left(journal)).toEqual(expected);
	});

	test.each(cases)('stays when its answer comes: $write', async ({ask, left, expected}) => {
		const journal = openTestJournal({clock: createFakeClock()});
		await ask(journal);
		expect(await left(journal)).not.toEqual(expected);
	});
});
