import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {inTransaction} from '../../../source/journal/sqlite/database.ts';
import {type StorageReply, type StorageRequest} from '../../../source/journal/operations/operations.ts';
import {openStorage} from '../../../source/journal/sqlite/operations.ts';
import {sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {eventColumns, queuedColumns} from '../../../source/journal/rows/columns.ts';

const now = 1_700_000_000_000;

function open() {
	const path = join(temporaryDirectory(), 'journal.db');
	const storage = openStorage(path);
	onTestFinished(() => storage.close());
	const run = (...requests: ReadonlyArray<Omit<StorageRequest, 'now'>>) =>
		storage.run(requests.map(request => ({...request, now})));
	return {path, run};
}

const queue = (id: string) => ({name: 'queueRun', args: [queuedColumns(sampleRun({id, eventId: ''}))]}) as const;
const find = (id: string) => ({name: 'findRun', args: [id]}) as const;

/** The run ids or problems that the replies carry. */
function shown(replies: readonly StorageReply[]): readonly unknown[] {
	return replies.map(reply =>
		reply.kind === 'value' ? ((reply.value as {readonly id?: string} | undefined)?.id ?? reply.value) : reply.kind,
	);
}

describe('Requests that are run together', () => {
	test('are answered in their order, and a read sees the writes before it, not those behind it', async () => {
		const {run} = open();
		expect(shown(await run(queue('a'), find('a'), find('b'), queue('b'), find('b')))).toEqual([
			undefined,
			'a',
			undefined,
			undefined,
			'b',
		]);
	});

	test('are all refused when one write of them fails, nothing of them is kept, and the next ones are', async () => {
		const {run} = open();
		expect(shown(await run(queue('a'), queue('a'), queue('b')))).toEqual(['problem', 'problem', 'problem']);
		expect(shown(await run(find('a'), find('b')))).toEqual([undefined, undefined]);
		expect(shown(await run(queue('b'), find('b')))).toEqual([undefined, 'b']);
	});

	test('do not share the fate of writes on the other side of a read', async () => {
		const {run} = open();
		expect(shown(await run(queue('a'), find('a'), queue('b'), queue('b')))).toEqual([
			undefined,
			'a',
			'problem',
			'problem',
		]);
		expect(shown(await run(find('a')))).toEqual(['a']);
	});
});

test('a write is refused while another process holds the file for too long, and later ones are not', async () => {
	const {path, run} = open();
	const other = new DatabaseSync(path);
	other.exec('BEGIN IMMEDIATE');
	expect(shown(await run(queue('a')))).toEqual(['problem']);
	other.exec('ROLLBACK');
	other.close();
	expect(shown(await run(queue('a'), find('a')))).toEqual([undefined, 'a']);
});

test('an event with its body comes back as it was kept', async () => {
	const {run} = open();
	const event = sampleEvent();
	const [, found] = await run(
		{name: 'recordEvent', args: [eventColumns(event), event.body]},
		{name: 'findEvent', args: [event.id]},
	);
	expect(found).toEqual({kind: 'value', value: event});
});

test('a full disk undoes a transaction, and writing goes on when there is room again', () => {
	const database = new DatabaseSync(join(temporaryDirectory(), 'words.db'));
	onTestFinished(() => database.close());
	database.exec('CREATE TABLE words (word TEXT NOT NULL) STRICT');
	const insert = database.prepare('INSERT INTO words (word) VALUES (?)');
	const add = (word: string) => inTransaction(database, () => insert.run(word));
	add('one');
	database.exec('PRAGMA max_page_count = 3');
	expect(() => add('long'.repeat(100_000))).toThrow('full');
	database.exec('PRAGMA max_page_count = 1000000');
	add('two');
	expect(database.prepare('SELECT word FROM words').all()).toMatchObject([{word: 'one'}, {word: 'two'}]);
});
