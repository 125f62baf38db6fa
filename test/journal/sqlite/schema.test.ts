import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {applySchema, OlderFile} from '../../../source/journal/sqlite/database.ts';
import {fileVersions} from '../../../source/journal/tables/schema-steps.ts';

const version = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()?.['user_version'];

test('an empty database gets its tables', () => {
	const database = new DatabaseSync(':memory:');
	applySchema(database);
	const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
	expect(tables.map(table => table['name'])).toEqual([
		'answers',
		'calls',
		'day_limits',
		'decisions',
		'deliveries',
		'event_files',
		'events',
		'failed_deliveries',
		'failure_notices',
		'job_claims',
		'journal_identity',
		'model_turns',
		'nodes',
		'remote_channels',
		'remote_messages',
		'run_notes',
		'runs',
		'spending',
		'tasks',
		'waiting',
		'windows',
	]);
	expect(version(database)).toBe(fileVersions.current);
});

test('a database that has the schema is left as it is', () => {
	const database = new DatabaseSync(':memory:');
	applySchema(database);
	const rows = () => database.prepare('SELECT * FROM sqlite_schema').all();
	const before = rows();
	applySchema(database);
	expect([rows(), version(database)]).toEqual([before, fileVersions.current]);
});

test.each([
	{
		what: 'the oldest runs that are over',
		query: `SELECT sequence FROM runs WHERE changed_at < ? AND state NOT IN ('queued', 'running', 'inbox', 'unreadable') ORDER BY changed_at LIMIT 1`,
		index: 'runs_by_end',
	},
	{
		what: 'the oldest queued run',
		query: `SELECT sequence FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT 1`,
		index: 'runs_by_state',
	},
	{
		what: 'a queued run of an id',
		query: `SELECT sequence FROM runs WHERE state = 'queued' AND id = ?`,
		index: 'sqlite_autoindex_runs_1',
	},
	{
		what: 'the claims of an open event',
		query: 'SELECT route FROM deliveries WHERE open_event = ?',
		index: 'deliveries_by_open_event',
	},
])('$what are found by $index, however many rows there are', ({query, index}) => {
	const database = new DatabaseSync(':memory:');
	applySchema(database);
	const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
	expect(steps.map(step => step['detail']).join('\n')).toContain(index);
});

test.each([
	{
		what: 'a too old',
		other: 19,
		code: 'storage_unavailable',
		message: `The journal has schema 19, and this version of Sluice knows schemas 20 to ${fileVersions.current}`,
	},
	{
		what: 'a later',
		other: fileVersions.current + 1,
		code: 'schema_newer',
		message: `The journal has schema ${fileVersions.current + 1}, which is newer than schema ${fileVersions.current} of this version of Sluice`,
	},
	{
		what: 'an unknown',
		other: -1,
		code: 'storage_unavailable',
		message: `The journal has schema -1, and this version of Sluice knows schemas 20 to ${fileVersions.current}`,
	},
])('a database with $what version of the schema is refused with both and left alone', ({other, code, message}) => {
	const database = new DatabaseSync(':memory:');
	database.exec(`CREATE TABLE calls (taken TEXT); PRAGMA user_version = ${other}`);
	expect(() => applySchema(database)).toThrow(expect.objectContaining({code, message}));
	const tables = database.prepare('SELECT name FROM sqlite_schema').all();
	expect([version(database), tables.map(table => table['name'])]).toEqual([other, ['calls']]);
});

test('a database with an earlier version of the schema is left as it is until it was copied', () => {
	const database = new DatabaseSync(':memory:');
	database.exec('CREATE TABLE calls (taken TEXT); PRAGMA user_version = 20');
	expect(() => applySchema(database)).toThrow(OlderFile);
	expect(version(database)).toBe(20);
});

test('a schema that cannot be applied leaves nothing of itself', () => {
	const database = new DatabaseSync(':memory:');
	database.exec('CREATE TABLE decisions (taken TEXT)');
	expect(() => applySchema(database)).toThrow();
	const tables = database.prepare('SELECT name FROM sqlite_schema').all();
	expect([version(database), database.isTransaction, tables.map(table => table['name'])]).toEqual([
		0,
		false,
		['decisions'],
	]);
});
