import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {migrate} from '../../source/journal/schema.ts';

const version = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()?.['user_version'];

test('an empty database is brought to the newest schema', () => {
	const database = new DatabaseSync(':memory:');
	migrate(database);
	const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
	expect(tables.map(table => table['name'])).toEqual([
		'answers',
		'calls',
		'decisions',
		'deliveries',
		'events',
		'job_claims',
		'runs',
		'waiting',
		'windows',
	]);
});

test('a second migration changes nothing', () => {
	const database = new DatabaseSync(':memory:');
	migrate(database);
	const before = version(database);
	migrate(database);
	expect(version(database)).toBe(before);
});

test('a database of a newer Sluice is refused and left alone', () => {
	const database = new DatabaseSync(':memory:');
	database.exec('PRAGMA user_version = 999');
	expect(() => migrate(database)).toThrow(
		expect.objectContaining({code: 'storage_unavailable', message: 'The journal was written by a newer Sluice'}),
	);
	expect(version(database)).toBe(999);
});

test('a migration that fails leaves the former version', () => {
	const database = new DatabaseSync(':memory:');
	database.exec('CREATE TABLE calls (taken TEXT)');
	expect(() => migrate(database)).toThrow();
	expect([version(database), database.isTransaction]).toEqual([0, false]);
});
