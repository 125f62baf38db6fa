import {createHash, randomBytes} from 'node:crypto';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {countMovedRows} from '../../source/journal/move-journal.ts';
import {fileTables, movedTables} from '../../source/journal/tables/moved-rows.ts';
import {type JournalPlace, openJournalAnywhere} from '../../source/journal/open-journal.ts';
import {type EventRecord} from '../../source/journal/rows/records.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {filledFrom, fillJournal, readJournal} from '../helpers/filled-journal.ts';
import {
	acceptRun,
	journalLimits,
	openTestJournal,
	sampleEvent,
	sampleRun,
	takeRun,
} from '../helpers/journal-records.ts';
import {move, newDatabase, newFile, someCall, someJournal} from '../helpers/journal-to-move.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {openStorageOf} from '../helpers/postgres-storage.ts';

const clock = createFakeClock(filledFrom);

async function openMoved(place: JournalPlace) {
	const journal = await openJournalAnywhere({...place, clock, limits: journalLimits({})});
	onTestFinished(() => journal.close());
	return journal;
}

/** To compare bytes one by one takes a test longer than anything else. */
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hashed = (event: EventRecord | undefined) => ({...event, body: event?.body && sha256(event.body)});

describe.skipIf(!hasPostgres)('moving a journal into PostgreSQL', () => {
	test('every read answers there as in the file, and what comes next follows', async () => {
		const path = newFile();
		const file = openTestJournal({clock, path});
		await fillJournal(file);
		await fillOthers(file);
		const before = {
			...(await readJournal(file)),
			windows: await file.listWindows(),
			claims: await file.listJobClaims(),
		};
		const failed = await file.listFailedDeliveries({limit: 100});
		await file.close();
		const database = await newDatabase();
		const moved = await move(path, database);
		expect(moved.map(({table}) => table)).toEqual(movedTables);
		expect(moved.filter(({rows}) => rows > 0).map(({table}) => table)).toEqual(fileTables);
		const there = await openMoved({path: '', database});
		const after = {
			...(await readJournal(there)),
			windows: await there.listWindows(),
			claims: await there.listJobClaims(),
		};
		expect(after).toEqual(before);
		expect(await there.listFailedDeliveries({limit: 100})).toEqual(failed);
		expect(await there.acceptEvent({event: sampleEvent({deliveryId: 'claimed'}), deduplicateUntil})).toBe('duplicate');
		await acceptRun(there, sampleRun({id: 'next'}));
		expect((await there.listRuns({limit: 1}))[0]?.id).toBe('next');
		expect((await takeRun(there))?.id).toBe('waiting');
	});

	test('takes texts that a database has no characters for, and bodies of any size', async () => {
		const path = newFile();
		const file = openTestJournal({clock, path});
		const odd = 'nul \0, \u001A0, \u001A and half \uD83D of one, \uDE00';
		const bodies = [
			randomBytes(5_000_000),
			Buffer.alloc(3_000_000, 'a'),
			Buffer.alloc(0),
			Buffer.from([0, 255, 0xed, 0xa0]),
		];
		for (const [index, body] of bodies.entries()) {
			const event = sampleEvent({id: `body ${index}`, deliveryId: odd + index, reason: odd, headers: {x: odd}, body});
			await file.acceptEvent({event, deduplicateUntil});
		}

		await file.startCall({...someCall, server: odd, arguments: {odd: odd.repeat(4000)}});
		file.finishCall('call', {outcome: 'ok', ms: 0.1 + 0.2, result: {text: odd.repeat(20_000)}});
		const message = {eventId: 'body 0', target: odd, text: odd, extra: {odd}, deliveryId: odd, route: odd};
		await file.persistMessages([{...message, id: 'message', runId: odd}], 'pending');
		await file.finishMessage('message', 'failed', odd);
		const readAll = async (journal: Pick<typeof file, 'findEvent' | 'findCall' | 'listMessages'>) => ({
			events: await Promise.all(bodies.map(async (_, index) => hashed(await journal.findEvent(`body ${index}`)))),
			call: await journal.findCall('call'),
			answers: await journal.listMessages({limit: 10}),
		});
		const before = await readAll(file);
		await file.close();
		const database = await newDatabase();
		await move(path, database);
		const there = await openMoved({path: '', database});
		expect(await readAll(there)).toEqual(before);
		expect(before.events.map(event => event.body)).toEqual(bodies.map(sha256));
		const again = {event: sampleEvent({deliveryId: `${odd}2`}), deduplicateUntil};
		expect(await there.acceptEvent(again)).toBe('duplicate');
	});

	test('knows every table of both engines', async () => {
		const {database, close} = await openStorageOf();
		const {url, schema} = database;
		const there = await administer(url, `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}'`);
		await close();
		const file = new DatabaseSync(await someJournal());
		const here = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
		file.close();
		const names = [...there, ...here].map(row => (row as {readonly name: string}).name);
		// Made with the tables, or by the gateways that share a database; a message about a failure may come once more.
		const others = [
			'failure_notices',
			'journal_version',
			'waiting',
			'nodes',
			'requests',
			'quotas',
			'queue_reservations',
			'remote_channels',
			'journal_identity',
		];
		expect([...new Set(names)].filter(name => !others.includes(name)).sort()).toEqual([...movedTables].sort());
	});

	test('counts, and changes nothing, when it is only asked whether it could be moved', async () => {
		const path = await someJournal();
		const database = await newDatabase();
		const counts = await countMovedRows({path, database, documents: [], signal: neverAborted()});
		expect(counts.filter(({rows}) => rows > 0)).toEqual([
			{table: 'events', rows: 3},
			{table: 'runs', rows: 3},
			{table: 'calls', rows: 3},
		]);
		const schemas = await administer(database.url, `SELECT 1 FROM pg_namespace WHERE nspname = '${database.schema}'`);
		expect(schemas).toEqual([]);
		await move(path, database);
		await expect(countMovedRows({path, database, documents: [], signal: neverAborted()})).rejects.toMatchObject({
			code: 'journal_not_moved',
		});
	});
});

/** An hour later. */
const deduplicateUntil = filledFrom + 3_600_000;

/** Adds the rows that `fillJournal` leaves out: a claimed delivery, an open window, a claimed job, and runs that wait or are under way. */
async function fillOthers(journal: ReturnType<typeof openTestJournal>): Promise<void> {
	await journal.acceptEvent({event: sampleEvent({deliveryId: 'claimed'}), deduplicateUntil});
	const event = sampleEvent();
	await journal.acceptEvent({event, run: sampleRun({eventId: event.id}), windowKey: 'pull 1'});
	await journal.claimJob({jobId: 'job', slot: filledFrom, runId: 'begun'}, sampleRun({id: 'begun', eventId: ''}));
	await takeRun(journal);
	await journal.acceptEvent({event: sampleEvent(), run: sampleRun({id: 'waiting'})});
}
