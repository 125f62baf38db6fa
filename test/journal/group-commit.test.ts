import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {createGroupCommit} from '../../source/journal/group-commit.ts';
import {inTransaction} from '../../source/journal/database.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A table of words in a file, with a group commit before it and a second connection beside it. */
function openWords() {
	const path = join(temporaryDirectory(), 'words.db');
	const database = new DatabaseSync(path);
	database.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT NOT NULL UNIQUE) STRICT');
	const beside = new DatabaseSync(path);
	onTestFinished(() => {
		beside.close();
		database.close();
	});
	const insert = database.prepare('INSERT INTO words (word) VALUES (?)');
	const commit = createGroupCommit({transaction: work => inTransaction(database, work), clock: createFakeClock()});
	return {
		database,
		commit,
		add: (word: string) => commit.write(() => insert.run(word).changes),
		/** What another connection sees. */
		committed: () =>
			beside
				.prepare('SELECT word FROM words ORDER BY word')
				.all()
				.map(row => row['word']),
	};
}

test('a write resolves with its value, and is committed then', async () => {
	const {add, committed} = openWords();
	const writing = add('one').then(changes => ({changes, seen: committed()}));
	expect(committed()).toEqual([]);
	expect(await writing).toEqual({changes: 1, seen: ['one']});
});

test('the writes of a turn run in the order they were asked for', async () => {
	const {commit} = openWords();
	const order: number[] = [];
	await Promise.all([1, 2, 3].map(number => commit.write(() => order.push(number))));
	expect(order).toEqual([1, 2, 3]);
});

test('when one write of a turn fails, none of that turn is kept and every waiter hears of it', async () => {
	const {add, committed} = openWords();
	const outcomes = await Promise.allSettled([add('one'), add('one'), add('two')]);
	expect(outcomes.map(outcome => (outcome.status === 'rejected' ? outcome.reason.code : 'kept'))).toEqual([
		'storage_unavailable',
		'storage_unavailable',
		'storage_unavailable',
	]);
	expect(committed()).toEqual([]);
});

test('after a failure the next write succeeds', async () => {
	const {add, committed} = openWords();
	await Promise.allSettled([add('one'), add('one')]);
	await add('two');
	expect(committed()).toEqual(['two']);
});

test('a full disk is a storage problem, and writing goes on when there is room again', async () => {
	const {add, database, committed} = openWords();
	await add('one');
	database.exec('PRAGMA max_page_count = 3');
	await expect(add('long'.repeat(100_000))).rejects.toMatchObject({code: 'storage_unavailable'});
	database.exec('PRAGMA max_page_count = 1000000');
	await add('two');
	expect(committed()).toEqual(['one', 'two']);
});

test('while another process holds the file for too long, the write is refused, and later ones are not', async () => {
	const {add, database, committed} = openWords();
	database.exec('PRAGMA busy_timeout = 0');
	const [{file}] = database.prepare('PRAGMA database_list').all() as [{file: string}];
	const other = new DatabaseSync(file);
	other.exec('BEGIN IMMEDIATE');
	await expect(add('one')).rejects.toMatchObject({code: 'storage_unavailable'});
	other.exec('ROLLBACK');
	other.close();
	await add('two');
	expect(committed()).toEqual(['two']);
});

test('a write asked for by the waiter of another goes into a later transaction', async () => {
	const {add, committed} = openWords();
	await add('one').then(() => add('two'));
	expect(committed()).toEqual(['one', 'two']);
});

test('closing commits what waits, at once', () => {
	const {add, commit, committed} = openWords();
	void add('one');
	commit.close();
	expect(committed()).toEqual(['one']);
});

test('after closing, a write is refused and not done', async () => {
	const {add, commit, committed} = openWords();
	commit.close();
	await expect(add('one')).rejects.toMatchObject({code: 'storage_unavailable'});
	expect(committed()).toEqual([]);
});
