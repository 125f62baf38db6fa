import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createClosing} from '../../../source/gateway/services/closing.ts';
import {createSilenceGuard} from '../../../source/gateway/journal/silent-journal.ts';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {acceptRun, sampleRun, takeRun} from '../../helpers/journal-records.ts';
import {answer, openFailing} from '../../journal/failing-journal.ts';

/** A stop that waits for something, with a journal whose thread can be made to hang. */
async function openStop(place: 'file' | 'database' = 'file') {
	const stored = await openFailing();
	const {clock, journal} = stored;
	const events: GatewayEventBody[] = [];
	const publish = (event: GatewayEventBody) => void events.push(event);
	const closing = createClosing();
	const last = Promise.withResolvers<void>();
	closing.push(() => last.promise);
	closing.guard(createSilenceGuard({...stored, place: () => place}, {clock, publish, path: '/state/journal.db'}));
	for (const id of ['a', 'b']) {
		await acceptRun(journal, sampleRun({id}));
		await takeRun(journal);
	}

	const lines = () => events.flatMap(event => (event.type === 'log' ? [event.text] : []));
	return {
		...stored,
		lines,
		end: last.resolve,
		/** Its end. */
		run: () => {
			const state = {end: 'still running'};
			void closing.run().then(
				() => (state.end = 'stopped'),
				(caught: unknown) => (state.end = String(caught)),
			);
			return state;
		},
		finish: (id: string) =>
			void journal.finishRun(id, {state: 'finished', result: {answer: 'Yes'}}).catch(() => undefined),
		hang: () => void journal.findRun('hang').catch(() => undefined),
		/** The thread is given up after a minute. */
		giveUp: () => clock.advance(60_000),
	};
}

describe('a stop whose journal is silent', () => {
	test.each([
		[0, 'no finished run, call, delivery or answer was waiting to be stored'],
		[1, '1 finished run, call, delivery or answer was not stored'],
		[2, '2 finished runs, calls, deliveries or answers were not stored'],
	])('is given up once runs have had their time, and says that %i ends were not written', async (count, text) => {
		const {clock, run, hang, finish, lines, giveUp} = await openStop();
		hang();
		['a', 'b'].slice(0, count).forEach(finish);
		const state = run();
		await clock.advance(11_000);
		expect([state.end, lines()]).toEqual(['still running', []]);
		await clock.advance(1000);
		expect(state.end).toContain(`The journal did not answer for 10 seconds while the gateway stopped; ${text}`);
		expect(lines()).toEqual([expect.stringContaining(text)]);
		await giveUp();
	});

	test('counts ends that wait for another try', async () => {
		const {clock, run, hang, finish, giveUp, waiting} = await openStop();
		hang();
		finish('a');
		await giveUp();
		await expect.poll(waiting).toBe(1);
		await clock.advance(5000);
		await expect.poll(waiting).toBe(0);
		hang();
		finish('b');
		const state = run();
		await clock.advance(12_000);
		expect(state.end).toContain('1 finished run');
		await giveUp();
	});

	test('waits ten seconds more where the journal fell silent after the beginning', async () => {
		const {clock, run, hang, giveUp} = await openStop();
		const state = run();
		await clock.advance(11_000);
		hang();
		await clock.advance(9500);
		expect(state.end).toBe('still running');
		await clock.advance(1000);
		expect(state.end).toContain('did not answer');
		await giveUp();
	});

	test('names the database where it has one', async () => {
		const {clock, run, hang, lines, giveUp} = await openStop('database');
		hang();
		run();
		await clock.advance(12_000);
		expect(lines()[0]).toContain('log of PostgreSQL');
		await giveUp();
	});
});

describe('a stop whose journal is away', () => {
	test.each([
		[1, '1 finished run, call, delivery or answer was not stored'],
		[2, '2 finished runs, calls, deliveries or answers were not stored'],
	])('fails at its end, and says that %i ends were not written', async (count, text) => {
		const {path, journal, run, finish, end, endWaiting, waiting} = await openStop();
		const other = new DatabaseSync(path);
		onTestFinished(() => other.close());
		other.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'no room'); END`);
		['a', 'b'].slice(0, count).forEach(finish);
		await expect.poll(waiting).toBe(count);
		const state = run();
		await endWaiting();
		end();
		await expect.poll(() => state.end).toContain(`The journal could not be written while the gateway stopped; ${text}`);
		expect((await journal.findRun('a'))?.state).toBe('running');
	});

	test('counts a message that comes after the last try', async () => {
		const {path, journal, run, end, endWaiting} = await openStop();
		const other = new DatabaseSync(path);
		onTestFinished(() => other.close());
		other.exec(`CREATE TRIGGER refuse BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'no room'); END`);
		const state = run();
		await endWaiting();
		await expect(journal.persistMessages([answer], 'pending')).rejects.toMatchObject({code: 'storage_unavailable'});
		end();
		await expect.poll(() => state.end).toContain('1 finished run, call, delivery or answer was not stored');
	});
});

describe('a stop that takes long', () => {
	test('is waited for while the journal answers', async () => {
		const {clock, run, journal, end, lines} = await openStop();
		const state = run();
		for (let second = 0; second < 60; second++) {
			await journal.findRun('a');
			await clock.advance(1000);
		}

		expect(state.end).toBe('still running');
		end();
		await expect.poll(() => state.end).toBe('stopped');
		expect(lines()).toEqual([]);
	});

	test('for another reason than its journal is given up after eighty seconds', async () => {
		const {clock, run, lines, journal} = await openStop();
		const state = run();
		for (let second = 0; second < 79; second++) {
			await clock.advance(1000);
			// Its thread has answered, whatever it was asked by the clock.
			await journal.findRun('a');
		}

		expect([state.end, lines()]).toEqual(['still running', []]);
		await clock.advance(1000);
		expect(state.end).toContain('The gateway has not stopped within 80 seconds, and not because of its journal');
		expect(lines()).toEqual([expect.stringContaining('has not stopped within 80 seconds')]);
	});

	test('is waited for while the journal is asked nothing, and leaves no timer', async () => {
		const {clock, run, end, lines} = await openStop();
		const before = clock.open();
		const state = run();
		await clock.advance(60_000);
		expect(state.end).toBe('still running');
		end();
		await expect.poll(() => state.end).toBe('stopped');
		expect([lines(), clock.open()]).toEqual([[], before]);
	});
});
