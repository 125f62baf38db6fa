import {describe, expect, test} from 'vitest';
import {type JournalDatabase} from '../../../source/journal/postgres/connection.ts';
import {openDatabaseReader} from '../../../source/journal/postgres/inspect-journal.ts';
import {databaseVersions} from '../../../source/journal/tables/schema-steps.ts';
import {openPostgresStorage} from '../../../source/journal/postgres/storage.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {type Problem} from '../../../source/util/problem.ts';
import {type ProblemCode} from '../../../source/util/problem-codes.ts';
import {databasePassword} from '../../helpers/database-journal.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {findRun, idsOf, openStorageOf, queueRun} from '../../helpers/postgres-storage.ts';
import {openForAll} from '../../helpers/on-test-finished.ts';
import {openOwnPostgres} from '../../helpers/own-postgres.ts';
import {administer, hasPostgres, newSchema, postgresPrograms} from '../../helpers/postgres-server.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {refusalOf} from '../../helpers/refusal-of.ts';

/** The problem of a storage that cannot be opened. */
async function refusalTo(database: JournalDatabase, code: ProblemCode = 'storage_unavailable'): Promise<Problem> {
	const opening = openPostgresStorage({database, clock: systemClock, onLost: () => undefined});
	const problem = await refusalOf(opening.then(storage => storage.close()));
	expect(problem.code).toBe(code);
	return problem;
}

describe('an address that cannot be right', () => {
	const schema = 'sluice';
	test.each([
		['mysql://localhost/db', 'journal.url is not the address of a PostgreSQL database'],
		['${SLUICE_JOURNAL_URL}', 'journal.url is the variable SLUICE_JOURNAL_URL, which is not set'],
		['${env:URL_OF_IT}', 'journal.url is the variable URL_OF_IT, which is not set'],
		[`postgres://u:${databasePassword}\${X}`, 'journal.url is not the address of a PostgreSQL database'],
		[`postgres://u:${databasePassword}/1@localhost/db`, 'journal.url is not the address of a PostgreSQL database'],
		[
			`postgres://u:${databasePassword}@db.example.com/db`,
			'The database of the journal is on another machine, and journal.url does not have its certificate checked',
		],
		[
			`postgres://u:${databasePassword}@db.example.com/db?sslmode=no-verify`,
			'The database of the journal is on another machine, and journal.url does not have its certificate checked',
		],
		[
			`postgres://u:${databasePassword}@localhost/db?host=db.example.com`,
			'The database of the journal is on another machine, and journal.url does not have its certificate checked',
		],
	])('is refused before anything is sent: %s', async (url, message) => {
		const problem = await refusalTo({url, schema, pool: 2});
		expect(problem.message).toBe(message);
		expect(JSON.stringify([problem.message, problem.detail, problem.remedy])).not.toContain(databasePassword);
	});

	test.each(['', 'Sluice', 'a"; DROP SCHEMA public', 'pg_mine', '1st', 'a'.repeat(64)])(
		'is one of schema "%s"',
		async name => {
			expect((await refusalTo({url: 'postgres://localhost/db', schema: name, pool: 2})).message).toBe(
				'journal.schema is not an allowed name',
			);
		},
	);
});

describe.skipIf(!hasPostgres)('a database that cannot be used is refused with a reason', () => {
	test('a server that is not there', async () => {
		const problem = await refusalTo({
			url: `postgres://u:${databasePassword}@127.0.0.1:1/db`,
			schema: 'sluice',
			pool: 2,
		});
		expect(problem.message).toBe('The database of the journal on 127.0.0.1:1 cannot be used');
		expect(problem.detail).toContain('ECONNREFUSED');
	});

	test('a database that is not there', async () => {
		const {database} = await newPostgresPlace();
		const url = database.url.replace(/\/[^/]*$/u, '/nowhere');
		expect((await refusalTo({...database, url})).detail).toContain('database "nowhere" does not exist');
	});

	test('a schema of somebody else, which stays as it is', async () => {
		const {database} = await newPostgresPlace();
		const {url, schema} = database;
		await administer(url, `CREATE SCHEMA ${schema}`, `CREATE TABLE ${schema}.guests (name text)`);
		expect((await refusalTo(database)).message).toBe(
			`The schema ${schema} has tables that are not a journal of Sluice`,
		);
		expect(await administer(url, `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`)).toEqual([
			{tablename: 'guests'},
		]);
	});

	test('a journal of a newer version, which stays as it is', async () => {
		const {database, close} = await openStorageOf();
		await close();
		await administer(database.url, `UPDATE ${database.schema}.journal_version SET version = 99`);
		const problem = await refusalTo(database, 'schema_newer');
		expect(problem.message).toBe(
			`The journal has schema 99, which is newer than schema ${databaseVersions.current} of this version of Sluice`,
		);
		expect(await administer(database.url, `SELECT version FROM ${database.schema}.journal_version`)).toEqual([
			{version: 99},
		]);
	});

	test('a role that may not even look into the schema', async () => {
		const {database, close} = await openStorageOf();
		await close();
		const {url, schema} = database;
		const role = newSchema();
		await administer(url, `CREATE ROLE ${role} LOGIN`);
		const problem = await refusalTo({...database, url: url.replace(/\/\/[^@]*@/u, `//${role}@`)});
		expect([problem.message, problem.remedy]).toEqual([
			`The role of journal.url may not use the schema ${schema}`,
			expect.stringContaining(`GRANT USAGE ON SCHEMA ${schema}`),
		]);
	});

	test.each(['a start', 'a look'])('a role that may not create the tables, for %s', async kind => {
		const {database} = await newPostgresPlace();
		const {url, schema} = database;
		const role = newSchema();
		const own = {...database, url: url.replace(/\/\/[^@]*@/u, `//${role}@`)};
		const refusal = () => (kind === 'a start' ? refusalTo(own) : refusalOf(openDatabaseReader(own, neverAborted())));
		await administer(url, `CREATE ROLE ${role} LOGIN`);
		expect((await refusal()).message).toBe('The role of journal.url may not create a schema in that database');
		await administer(url, `CREATE SCHEMA ${schema}`, `GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
		expect((await refusal()).message).toBe(`The role of journal.url may not create tables in the schema ${schema}`);
		await administer(url, `GRANT CREATE ON SCHEMA ${schema} TO ${role}`);
		expect(await openDatabaseReader(own, neverAborted())).toMatchObject({reader: undefined});
	});

	test('a role that may read the tables, but not write them', async () => {
		const {database, close} = await openStorageOf();
		await close();
		const {url, schema} = database;
		const role = newSchema();
		await administer(
			url,
			`CREATE ROLE ${role} LOGIN`,
			`GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
			`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
		);
		const problem = await refusalTo({...database, url: url.replace(/\/\/[^@]*@/u, `//${role}@`)});
		expect(problem.message).toBe(
			`The role of journal.url may not read and write the table answers of schema ${schema}`,
		);
	});
});

test.skipIf(!hasPostgres)('an empty schema that its owner made is taken', async () => {
	const {database} = await newPostgresPlace();
	await administer(database.url, `CREATE SCHEMA ${database.schema}`);
	expect(idsOf(await (await openStorageOf(database)).run(queueRun('a'), findRun('a')))).toEqual([undefined, 'a']);
});

test.skipIf(!hasPostgres)('two that create the tables at once both find them', async () => {
	const {database} = await newPostgresPlace();
	await Promise.all([1, 2, 3].map(() => openStorageOf(database)));
});

describe.skipIf(postgresPrograms === undefined)('with a server of its own', () => {
	const server = openForAll(openOwnPostgres);

	test.each(['fsync', 'full_page_writes'])('is refused while %s is off', async setting => {
		const set = (value: string) =>
			administer(server().url, `ALTER SYSTEM SET ${setting} = ${value}`, 'SELECT pg_reload_conf()');
		await set('off');
		const database = {url: server().url, schema: newSchema(), pool: 2};
		await expect.poll(async () => (await administer(server().url, `SHOW ${setting}`))[0]).toEqual({[setting]: 'off'});
		expect((await refusalTo(database)).message).toBe(
			`The database of the journal may lose rows that it confirmed: ${setting} is off`,
		);
		await set('on');
		await expect.poll(async () => (await administer(server().url, `SHOW ${setting}`))[0]).toEqual({[setting]: 'on'});
		await openStorageOf(database);
	});

	test('the password of a role stands in no error', async () => {
		await administer(server().url, `CREATE ROLE locked LOGIN PASSWORD 'another'`);
		const url = server().url.replace('//postgres@', `//locked:${databasePassword}@`);
		const problem = await refusalTo({url, schema: 'sluice', pool: 2});
		expect(problem.detail).toContain('password authentication failed for user "locked"');
		expect(JSON.stringify([problem.message, problem.detail, problem.remedy])).not.toContain(databasePassword);
	});
});
