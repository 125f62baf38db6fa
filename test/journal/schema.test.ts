import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {createDeliveryTable} from '../../source/journal/deliveries.ts';
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

test('claims of the former schema hold under the newest, the first to expire first', () => {
	const database = new DatabaseSync(':memory:');
	migrate(database, 9);
	const claim = database.prepare(
		'INSERT INTO deliveries (route, delivery_id, expires_at, open_event) VALUES (?, ?, ?, ?)',
	);
	claim.run('a', 'late', 300, null);
	claim.run('b', 'open', 200, 'event');
	claim.run('a', 'early', 100, null);
	migrate(database);
	const deliveries = createDeliveryTable(database);
	expect(database.prepare('SELECT delivery_id AS id FROM deliveries ORDER BY sequence').all()).toEqual([
		{id: 'early'},
		{id: 'open'},
		{id: 'late'},
	]);
	expect([
		deliveries.isClaimed({route: 'a', deliveryId: 'late', now: 150}),
		deliveries.isClaimed({route: 'b', deliveryId: 'late', now: 150}),
		deliveries.isClaimed({route: 'a', deliveryId: 'early', now: 150}),
		deliveries.releaseOpen(),
		deliveries.isClaimed({route: 'b', deliveryId: 'open', now: 150}),
	]).toEqual([true, false, false, ['event'], false]);
});

test.each([
	{
		what: 'the oldest runs that are over',
		query: `SELECT sequence FROM runs WHERE changed_at < ? AND state NOT IN ('queued', 'running', 'inbox') ORDER BY changed_at LIMIT 1`,
		index: 'runs_by_end',
	},
	{
		what: 'the oldest queued run',
		query: `SELECT sequence FROM runs WHERE state = 'queued' ORDER BY sequence LIMIT 1`,
		index: 'runs_by_state',
	},
	{
		what: 'the claims of an open event',
		query: 'SELECT sequence FROM deliveries WHERE open_event = ?',
		index: 'deliveries_by_open_event',
	},
])('$what are found by $index, however many rows there are', ({query, index}) => {
	const database = new DatabaseSync(':memory:');
	migrate(database);
	const [step] = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
	expect(step?.['detail']).toContain(index);
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
