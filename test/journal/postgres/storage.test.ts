import {describe, expect, onTestFinished, test} from 'vitest';
import {openConnection} from '../../../source/journal/postgres/connection.ts';
import {openRecoverableJournal} from '../../../source/journal/recoverable-journal.ts';
import {type Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {acceptRun, journalLimits, sampleEvent, sampleRun, takeRun} from '../../helpers/journal-records.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {findRun, idsOf, openStorageOf, queueRun} from '../../helpers/postgres-storage.ts';
import {openForAll} from '../../helpers/on-test-finished.ts';
import {openOwnPostgres} from '../../helpers/own-postgres.ts';
import {administer, hasPostgres, newSchema, postgresPrograms} from '../../helpers/postgres-server.ts';

describe.skipIf(!hasPostgres)('requests that are run together', () => {
	test('are answered in their order, and a read sees the writes before it', async () => {
		const {run} = await openStorageOf();
		expect(idsOf(await run(queueRun('a'), findRun('a'), findRun('b')))).toEqual([undefined, 'a', undefined]);
	});

	test('are all refused when one write of them fails, nothing of them is kept, and the next ones are', async () => {
		const {run, losses} = await openStorageOf();
		expect(idsOf(await run(queueRun('a'), queueRun('a'), queueRun('b')))).toEqual(['problem', 'problem', 'problem']);
		expect(idsOf(await run(findRun('a'), findRun('b')))).toEqual([undefined, undefined]);
		expect(idsOf(await run(queueRun('b'), findRun('b')))).toEqual([undefined, 'b']);
		expect(losses).toEqual([]);
	});
});

describe.skipIf(postgresPrograms === undefined)('with a server of its own', () => {
	const server = openForAll(openOwnPostgres);

	/** A journal as a gateway has it. */
	async function openJournal() {
		const clock = createFakeClock();
		const database = {url: server().url, schema: newSchema(), pool: 3};
		const states: Array<Problem | undefined> = [];
		const {journal, isOpen, tryAgain} = await openRecoverableJournal({
			path: '',
			database: async () => database,
			clock,
			limits: journalLimits({}),
			onState: state => states.push(state),
			node: async () => ({name: 'one', leaseMilliseconds: 15_000}),
		});
		onTestFinished(() => journal.close());
		return {clock, journal, isOpen, tryAgain, states, database};
	}

	test('a transaction in which a gateway freezes is ended far within a lease', async () => {
		const {database} = await newPostgresPlace();
		const {query, close} = await openConnection(database, {onLost: () => undefined});
		onTestFinished(close);
		const [row] = await query(`SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`);
		expect(row).toEqual({setting: '4000'});
	});

	test('a connection that is ended is opened again, and an end that could not be written then is written', async () => {
		const {clock, journal, isOpen, states, database} = await openJournal();
		await acceptRun(journal, sampleRun({id: 'a'}));
		await takeRun(journal);
		await administer(
			server().url,
			`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (
				SELECT oid FROM pg_database WHERE datname = current_database()
			)`,
		);
		await expect.poll(isOpen).toBe(false);
		await expect(journal.acceptEvent({event: sampleEvent()})).rejects.toMatchObject({code: 'storage_unavailable'});
		const finished = journal.finishRun('a', {state: 'finished', result: {answer: 'done'}});
		await clock.advance(5000);
		await finished;
		await expect.poll(isOpen).toBe(true);
		expect(await journal.findRun('a')).toMatchObject({state: 'finished', result: {answer: 'done'}});
		expect(states.map(state => state?.code)).toEqual(['storage_unavailable', undefined]);
		expect(states[0]?.message).toBe(`The database of the journal on ${new URL(database.url).host} cannot be used`);
	});

	test('a server that is killed has everything that was accepted when it is back', async () => {
		const {clock, journal, isOpen} = await openJournal();
		const accepted: string[] = [];
		const killed = new AbortController();
		const send = async () => {
			while (!killed.signal.aborted) {
				const event = sampleEvent();
				await journal.acceptEvent({event, run: sampleRun(), deduplicateUntil: Number.MAX_SAFE_INTEGER}).then(
					() => accepted.push(event.id),
					() => undefined,
				);
				await clock.settle();
			}
		};

		const senders = [send(), send(), send()];
		await expect.poll(() => accepted.length).toBeGreaterThan(20);
		await server().stop('at once');
		killed.abort();
		await Promise.all(senders);
		await expect.poll(isOpen).toBe(false);
		await clock.advance(5000);
		expect(isOpen()).toBe(false);
		await server().start();
		await clock.advance(60_000);
		await expect.poll(isOpen).toBe(true);
		const found = new Set((await journal.listEvents({limit: 10_000})).map(({id}) => id));
		expect(accepted.filter(id => !found.has(id))).toEqual([]);
	});
});
