import {randomBytes} from 'node:crypto';
import {statSync, truncateSync} from 'node:fs';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type MoveProgress} from '../../source/journal/move-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {
	move,
	newDatabase,
	newFile,
	refusalToMove,
	rowsIn,
	someJournal,
	withTrigger,
} from '../helpers/journal-to-move.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {openStorageOf} from '../helpers/postgres-storage.ts';

const clock = createFakeClock(1_700_000_000_000);

const endItself = 'PERFORM pg_terminate_backend(pg_backend_pid())';

describe.skipIf(!hasPostgres)('a move of a journal that is not made', () => {
	test('is refused where the database has rows, and where a gateway uses it', async () => {
		const path = await someJournal();
		const database = await newDatabase();
		await move(path, database);
		expect(await refusalToMove(path, database)).toEqual({
			code: 'journal_not_moved',
			message: `The journal in schema ${database.schema} of the database already has rows, in the table events`,
			remedy: 'Set journal.schema in config.yaml to the name of a schema that is empty or not there yet',
		});
		expect(await rowsIn(database)).toBe(9);
		const used = await openStorageOf();
		await used.run({name: 'enterNode', args: [{name: 'web-1', instanceId: 'one', leaseMilliseconds: 60_000}]});
		expect((await refusalToMove(path, used.database)).message).toBe(
			`The gateway web-1 uses the journal in schema ${used.database.schema} of the database`,
		);
	});

	test('is refused without a file, and with one that cannot be read', async () => {
		const database = await newDatabase();
		const none = newFile();
		expect((await refusalToMove(none, database)).message).toBe(`There is no journal to move: ${none}`);
		const path = newFile();
		const file = openTestJournal({clock, path});
		for (let index = 0; index < 300; index++) {
			file.recordEvent(sampleEvent({body: randomBytes(2000)}));
		}

		await file.close();
		truncateSync(path, statSync(path).size - 200_000);
		expect(await refusalToMove(path, database)).toMatchObject({
			code: 'storage_unavailable',
			message: expect.stringMatching(/^The journal (?:is damaged|cannot be opened): /u),
		});
	});

	test.each(['copying', 'comparing'] as const)(
		'that is ended while it is %s leaves nothing, and can be repeated',
		async step => {
			const path = await someJournal();
			const database = await newDatabase();
			const end = new AbortController();
			const onProgress = (progress: MoveProgress) => {
				if (progress.step === step && progress.table === 'runs') {
					end.abort();
				}
			};
			expect(await refusalToMove(path, database, {signal: end.signal, onProgress})).toMatchObject({
				code: 'cancelled',
				message: 'Nothing was moved',
			});
			expect(await rowsIn(database)).toBe(0);
			await move(path, database);
			expect(await rowsIn(database)).toBe(9);
		},
	);

	test('leaves nothing when the connection ends half-way', async () => {
		const database = await withTrigger('calls', endItself);
		expect(await refusalToMove(await someJournal(), database)).toMatchObject({
			code: 'journal_not_moved',
			message: expect.stringMatching(/did not accept the journal, and nothing of it was written \(.*terminat/u),
		});
		expect(await rowsIn(database)).toBe(0);
	});

	test('says that all or nothing is there when the connection ends while that is confirmed', async () => {
		const database = await withTrigger('calls', endItself, 'AFTER INSERT');
		const {message, remedy} = await refusalToMove(await someJournal(), database);
		expect(message).toContain('ended at the last moment');
		expect(remedy).toContain('then it has all of them');
		expect(await rowsIn(database)).toBe(0);
	});

	test.each([
		["NEW.outcome = 'delivered'", 'events', '3 of 3 rows'],
		["NEW.record = replace(NEW.record, 'three', 'four')", 'runs', '3 of 3 rows'],
		["IF NEW.id = 'two' THEN RETURN NULL; END IF", 'calls', '2 of 3 rows'],
	])('leaves nothing when the database has other rows than it was given: %s', async (body, table, found) => {
		const database = await withTrigger(table, body);
		expect(await refusalToMove(await someJournal(), database)).toMatchObject({
			code: 'journal_not_moved',
			message: expect.stringContaining(`The table ${table} differs in the database from the file: ${found}`),
		});
		expect(await rowsIn(database)).toBe(0);
	});

	test('leaves nothing when somebody writes to the file meanwhile', async () => {
		const path = await someJournal();
		const database = await newDatabase();
		const other = openTestJournal({clock, path});
		const onProgress = ({step}: MoveProgress) => void (step === 'comparing' && acceptRun(other, sampleRun()));
		expect((await refusalToMove(path, database, {onProgress})).message).toBe(
			'Another process wrote to journal.db while it was copied',
		);
		expect(await rowsIn(database)).toBe(0);
	});

	test('needs a role that may set the numbers of the next rows', async () => {
		const {database, close} = await openStorageOf();
		await close();
		const {url, schema} = database;
		const role = `role_of_${schema}`;
		await administer(
			url,
			`CREATE ROLE ${role} LOGIN`,
			`GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
			`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
		);
		onTestFinished(async () => void (await administer(url, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`)));
		const restricted = {...database, url: url.replace('//postgres@', `//${role}@`)};
		const path = await someJournal();
		expect(await refusalToMove(path, restricted)).toMatchObject({
			message: expect.stringContaining('may not set the sequence'),
			remedy: expect.stringContaining('GRANT UPDATE ON ALL SEQUENCES'),
		});
		await administer(url, `GRANT UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`);
		await move(path, restricted);
		expect(await rowsIn(database)).toBe(9);
	});
});
