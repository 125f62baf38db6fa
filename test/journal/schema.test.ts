import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {createDeliveryTable} from '../../source/journal/deliveries.ts';
import {createTables} from '../../source/journal/tables.ts';
import {isAtPlace} from '../../source/journal/row-place.ts';
import {migrate} from '../../source/journal/schema.ts';
import {sampleRun} from '../helpers/journal-records.ts';

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
		deliveries.releaseOpen(() => false),
		deliveries.isClaimed({route: 'b', deliveryId: 'open', now: 150}),
	]).toEqual([true, false, false, ['event'], false]);
});

test('events, runs and windows of the former schema stay as they were, and belong together', () => {
	const database = new DatabaseSync(':memory:');
	migrate(database, 10);
	const event = database.prepare(`
		INSERT INTO events (id, time, profile, route, event, delivery_id, headers, status, outcome, ms)
		VALUES (?, ?, 'default', 'github', 'push', 'd', '[]', 202, 'accepted', 1)
	`);
	const run = database.prepare('INSERT INTO runs (id, event_id, state, changed_at, record) VALUES (?, ?, ?, 1, ?)');
	const window = database.prepare('INSERT INTO windows VALUES (?, ?, ?, 1, 2, 3, ?)');
	const times = [0, ...[1, 1, 2].map(after => Date.UTC(2026, 0) + after)];
	for (const [index, time] of times.entries()) {
		event.run(`event-${index}`, time);
		const record = JSON.stringify(sampleRun({id: `run-${index}`, eventId: `event-${index}`}));
		run.run(`run-${index}`, `event-${index}`, index === 0 ? 'queued' : 'finished', record);
	}

	run.run('alone', '', 'queued', JSON.stringify(sampleRun({id: 'alone', eventId: ''})));
	window.run('github', 'key', 'event-3', JSON.stringify(sampleRun({id: 'late', eventId: 'event-3'})));
	migrate(database);
	const {events, runs, windows, waiting} = createTables(database, () => Date.UTC(2026, 10));
	expect(events.list({limit: 10}).map(({id}) => id)).toEqual(['event-3', 'event-2', 'event-1', 'event-0']);
	expect(events.find('event-2')).toMatchObject({id: 'event-2', route: 'github', time: times[2]});
	expect(runs.list({limit: 10}).map(({id}) => id)).toEqual(['alone', 'run-3', 'run-2', 'run-1', 'run-0']);
	expect(times.map((_, index) => runs.ofEvent(events.place(`event-${index}`) ?? -1).map(({id}) => id))).toEqual([
		['run-0'],
		['run-1'],
		['run-2'],
		['run-3'],
	]);
	expect([runs.find('alone')?.state, waiting.value()]).toEqual(['queued', 3]);
	expect(windows.take({route: 'github', key: 'key'})).toMatchObject({
		run: {id: 'late'},
		eventPlace: events.place('event-3'),
		superseded: 3,
	});
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
		what: 'a queued run of an id',
		query: `SELECT sequence FROM runs WHERE state = 'queued' AND (${isAtPlace})`,
		index: 'runs_by_id',
	},
	{
		what: 'the claims of an open event',
		query: 'SELECT sequence FROM deliveries WHERE open_event = ?',
		index: 'deliveries_by_open_event',
	},
])('$what are found by $index, however many rows there are', ({query, index}) => {
	const database = new DatabaseSync(':memory:');
	migrate(database);
	const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
	expect(steps.map(step => step['detail']).join('\n')).toContain(index);
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
