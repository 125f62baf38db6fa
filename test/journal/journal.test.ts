import {chmodSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {type Problem} from '../../source/util/problem.ts';
import {fileVersions} from '../../source/journal/tables/schema-steps.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test('is for its owner only, its side files too', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const journal = openTestJournal({clock: createFakeClock(), path});
	await journal.acceptEvent({event: sampleEvent()});
	expect(['', '-wal', '-shm'].map(suffix => statSync(path + suffix).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
});

test('loses rights that others had', () => {
	const path = join(temporaryDirectory(), 'journal.db');
	writeFileSync(path, '');
	chmodSync(path, 0o644);
	openTestJournal({clock: createFakeClock(), path});
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
	{what: 'a corrupt file', prepare: (path: string) => writeFileSync(path, 'this is no database'.repeat(500))},
	{
		what: 'a database that lacks its tables',
		prepare(path: string) {
			const database = new DatabaseSync(path);
			database.exec(`PRAGMA user_version = ${fileVersions.current}`);
			database.close();
		},
	},
	{what: 'a file in a directory that is not there', prepare: () => {}, below: 'missing'},
])('$what is a storage problem that names the path', ({prepare, below}) => {
	const path = join(temporaryDirectory(), below ?? '', 'journal.db');
	prepare(path);
	expect(() => openTestJournal({clock: createFakeClock(), path})).toThrow(
		expect.objectContaining({code: 'storage_unavailable', message: `The journal cannot be opened: ${path}`}),
	);
});

test('closing keeps what was asked for just before', async () => {
	const clock = createFakeClock();
	const path = join(temporaryDirectory(), 'journal.db');
	const before = openTestJournal({clock, path});
	const event = sampleEvent();
	before.recordEvent(event);
	await before.close();
	expect(await openTestJournal({clock, path}).findEvent(event.id)).toEqual(event);
});

test('after closing, writes are refused', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.close();
	await expect(journal.acceptEvent({event: sampleEvent()})).rejects.toMatchObject({code: 'storage_unavailable'});
});

test('after closing, reads are refused', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.close();
	await expect(journal.listEvents({limit: 1})).rejects.toMatchObject({code: 'storage_unavailable'});
});

test('a write that nobody waits for and that fails is reported', async () => {
	const clock = createFakeClock();
	const problems: Problem[] = [];
	const journal = openTestJournal({clock, report: problem => problems.push(problem)});
	const event = sampleEvent();
	await journal.acceptEvent({event});
	journal.recordEvent(event);
	await clock.advance(5);
	expect(problems.map(problem => problem.code)).toEqual(['storage_unavailable']);
});
