import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {answer, call, dies, openFailing as open} from './failing-journal.ts';

describe('What waits for a journal whose thread died behind its commit', () => {
	const waits: ReadonlyArray<{
		readonly claim: string;
		readonly ask: (journal: Journal, signal?: AbortSignal) => Promise<unknown>;
		readonly find: (journal: Journal) => Promise<unknown>;
		readonly claimed: unknown;
		readonly undone: unknown;
	}> = [
		{
			claim: 'an answer',
			ask: (journal, signal) => journal.persistMessages([{...answer, text: dies}], 'pending', undefined, {signal}),
			find: async journal => (await journal.findMessage(answer.id))?.state,
			claimed: 'pending',
			undone: 'failed',
		},
		{
			claim: 'a call that changes something',
			ask: (journal, signal) => journal.startCall(call, {signal}),
			find: async journal => (await journal.findCall('call'))?.end?.code,
			claimed: undefined,
			undone: 'storage_unavailable',
		},
	];

	test.each(waits)('is written once, and then goes on: $claim', async ({ask, find, claimed}) => {
		const {journal, reopen, waiting} = await open();
		const asked = ask(journal);
		await expect.poll(waiting).toBe(1);
		await reopen();
		await asked;
		expect([await find(journal), waiting()]).toEqual([claimed, 0]);
	});

	test.each(waits)('is undone when its caller leaves meanwhile: $claim', async ({ask, find, undone}) => {
		const {journal, reopen, waiting} = await open();
		const leaving = new AbortController();
		const asked = ask(journal, leaving.signal);
		const refused = expect(asked).rejects.toThrow('gone');
		await expect.poll(waiting).toBe(1);
		leaving.abort(new Error('gone'));
		await refused;
		await reopen();
		expect([await find(journal), waiting()]).toEqual([undone, 0]);
	});
});

test('A call waits for a journal that refuses it as long as its patience says, an answer longer', async () => {
	const {journal, path, clock, waiting} = await open(5000);
	const database = new DatabaseSync(path);
	for (const table of ['calls', 'answers']) {
		database.exec(`CREATE TRIGGER no_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no room'); END`);
	}

	const called = journal.startCall({...call, arguments: {}});
	const refused = expect(called).rejects.toMatchObject({code: 'storage_unavailable'});
	const answered = journal.persistMessages([answer], 'pending');
	await expect.poll(waiting).toBe(2);
	/** The thread answers what is tried in between: it would count as hanging. */
	const pass = async (seconds: number) => {
		for (let second = 0; second < seconds; second++) {
			await clock.advance(1000);
			await journal.countWaitingRuns();
		}
	};

	await pass(4);
	expect(waiting()).toBe(2);
	await pass(1);
	await refused;
	expect(waiting()).toBe(1);
	await pass(100);
	expect(waiting()).toBe(1);
	database.exec('DROP TRIGGER no_answers');
	database.close();
	await pass(60);
	await answered;
	expect([(await journal.findMessage(answer.id))?.state, await journal.findCall('call'), waiting()]).toEqual([
		'pending',
		undefined,
		0,
	]);
});
