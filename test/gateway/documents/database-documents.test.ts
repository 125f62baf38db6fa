import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';
import {type DocumentKind} from '../../../source/config/values/stored-document.ts';
import {createDatabaseDocuments} from '../../../source/gateway/documents/database-documents.ts';
import {createAnnouncer} from '../../../source/gateway/documents/announce-documents.ts';
import {followOthers} from '../../../source/journal/follow-others.ts';
import {type JournalDatabase} from '../../../source/journal/postgres/connection.ts';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {openRecoverableJournal} from '../../../source/journal/recoverable-journal.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits} from '../../helpers/journal-records.ts';
import {openForAll} from '../../helpers/on-test-finished.ts';
import {openOwnPostgres} from '../../helpers/own-postgres.ts';
import {refusalOf} from '../../helpers/refusal-of.ts';
import {administer, hasPostgres, newSchema, postgresPrograms} from '../../helpers/postgres-server.ts';

const counters: DocumentKind<Readonly<Record<string, number>>> = {
	name: 'approval-rules',
	schema: z.record(z.string(), z.number()),
	fallback: {},
};

/** The documents of a process on a database, by default a new one; nothing is read yet. */
async function openProcess(named?: JournalDatabase) {
	const {database} = named ? {database: named} : await newPostgresPlace();
	const clock = createFakeClock();
	const journal = await openJournalAnywhere({path: '', database, clock, limits: journalLimits({})});
	onTestFinished(() => journal.close());
	const written: unknown[] = [];
	const documents = createDatabaseDocuments({
		withJournal: work => work(journal),
		by: () => 'a test',
		onWritten: given => void written.push(given),
	});
	return {database, clock, journal, written, ...documents, store: documents.of('default').open(counters)};
}

/** The same, read. */
async function openRead(named?: JournalDatabase) {
	const opened = await openProcess(named);
	await opened.refresh();
	return opened;
}

const add = (name: string) => (value: Readonly<Record<string, number>>) => ({...value, [name]: (value[name] ?? 0) + 1});

describe.skipIf(!hasPostgres)('documents in a database', () => {
	test('cannot be read before they were read once, and have the fallback where there are none', async () => {
		const {store, refresh} = await openProcess();
		expect(() => store.read()).toThrow('approval-rules in the journal was not read: the journal could not be used');
		// That of the code is about a file.
		const {remedy} = await refusalOf(Promise.resolve().then(() => store.read()));
		expect(remedy).toBe('Repair the journal: `sluice doctor` names the fault');
		expect(() => store.stamp()).toThrow('was not read:');
		await refresh();
		expect([store.read(), store.stamp()]).toEqual([counters.fallback, '0']);
	});

	test('a change is in force when it was written, and in another process by its next look', async () => {
		const one = await openRead();
		const other = await openRead(one.database);
		const following = followOthers(other.clock, other.refresh);
		onTestFinished(following.close);
		const heard: string[] = [];
		other.of('default').onChange('approval-rules', () => heard.push('rules'));
		other.of('default').onChange('hold', () => heard.push('hold'));
		other.of('work').onChange('approval-rules', () => heard.push('rules of another profile'));
		await one.store.update(add('a'), one.clock);
		expect([one.store.read(), one.store.stamp(), other.store.read()]).toEqual([{a: 1}, '1', {}]);
		await other.clock.advance(1000);
		await expect.poll(() => other.store.read()).toEqual({a: 1});
		expect([heard, one.written.length]).toEqual([['rules'], 1]);
		await one.store.update(add('a'), one.clock);
		following.poll();
		await expect.poll(() => other.store.read()).toEqual({a: 2});
	});

	test('what several processes change at once is all there', async () => {
		const first = await openRead();
		const processes = [first, await openRead(first.database), await openRead(first.database)];
		const changes = processes.flatMap((one, index) =>
			Array.from({length: 10}, () => one.store.update(add(`p${index}`), one.clock)),
		);
		await Promise.all(changes);
		await first.refresh();
		expect([first.store.read(), first.store.stamp()]).toEqual([{p0: 10, p1: 10, p2: 10}, '30']);
	});

	test('a change of nothing is decided on what everybody has, writes nothing, and calls nobody who made it', async () => {
		const one = await openRead();
		const other = await openRead(one.database);
		const heard: string[] = [];
		one.of('default').onChange('approval-rules', () => heard.push('rules'));
		await one.store.update(add('a'), one.clock);
		expect(heard).toEqual([]);
		await other.store.update(value => (value['a'] === 1 ? value : {}), other.clock);
		await one.refresh();
		expect([one.store.stamp(), heard, other.written]).toEqual(['1', [], []]);
	});

	test('a refused change changes nothing', async () => {
		const {store, clock} = await openRead();
		const refuse = () => {
			throw new Error('no');
		};
		await expect(store.update(refuse, clock)).rejects.toThrow('no');
		await store.update(add('a'), clock);
		expect(store.read()).toEqual({a: 1});
	});

	test.each([
		['no JSON', '{"a":', 'approval-rules in the journal is not a JSON object'],
		['a list', '[1]', 'approval-rules in the journal is not a JSON object'],
		[
			'another type',
			'{"a": "hunter2"}',
			'approval-rules in the journal: a: Text is not allowed here. Allowed: a number',
		],
	])(
		'a row with %s is refused as such a file is, is not overwritten, and is read once it was corrected',
		async (...row) => {
			const [, content, message] = row;
			const {database, store, clock, refresh} = await openRead();
			await store.update(add('a'), clock);
			const set = (text: string) =>
				administer(
					database.url,
					`UPDATE ${database.schema}.documents SET content = '${text}', version = version + 1 WHERE name = 'approval-rules'`,
				);
			await set(content);
			await refresh();
			expect(() => store.read()).toThrow(
				expect.objectContaining({message, remedy: expect.stringContaining('`documents`')}),
			);
			await expect(store.update(add('a'), clock)).rejects.toThrow(message);
			await set('{"a": 7}');
			await refresh();
			expect(store.read()).toEqual({a: 7});
		},
	);

	test('a row that somebody removed is no document any more', async () => {
		const {database, store, clock, refresh} = await openRead();
		await store.update(add('a'), clock);
		await administer(database.url, `DELETE FROM ${database.schema}.documents`);
		await refresh();
		expect(store.read()).toEqual({});
		await store.update(add('b'), clock);
		expect(store.read()).toEqual({b: 1});
	});

	test('whatever outsiders wrote into them comes back as it was', async () => {
		const one = await openRead();
		const other = await openRead(one.database);
		const texts: DocumentKind<JsonObject> = {name: 'hold', schema: z.record(z.string(), z.any()), fallback: {}};
		const value = {'\0\u001A0': '\u202E \uD800 "\\ \'; DROP TABLE documents; --', __proto__x: [1.5, null]};
		await one
			.of('work')
			.open(texts)
			.update(() => value, one.clock);
		await other.refresh();
		expect(other.of('work').open(texts).read()).toEqual(value);
		expect(other.of('default').open(texts).read()).toEqual({});
	});
});

test('of changes that follow each other the first is announced at once, and the rest together after 50 ms', async () => {
	const clock = createFakeClock();
	let announced = 0;
	const {announce, close} = createAnnouncer(clock);
	const documents = {announce: async () => void announced++};
	for (let change = 0; change < 20; change++) {
		announce(documents);
	}

	expect(announced).toBe(1);
	await clock.advance(49);
	expect(announced).toBe(1);
	await clock.advance(1);
	expect(announced).toBe(2);
	await clock.advance(1000);
	expect(announced).toBe(2);
	close();
	expect(clock.open()).toBe(0);
});

describe.skipIf(postgresPrograms === undefined)('a database that goes away', () => {
	const server = openForAll(openOwnPostgres);

	test('leaves what was read before, refuses changes, and is read again when it is back', async () => {
		const database = {url: server().url, schema: newSchema(), pool: 3};
		const clock = createFakeClock();
		const {journal} = await openRecoverableJournal({
			path: '',
			database: async () => database,
			clock,
			limits: journalLimits({}),
			onState: () => undefined,
		});
		onTestFinished(() => journal.close());
		const documents = createDatabaseDocuments({
			withJournal: work => work(journal),
			by: () => 'a test',
			onWritten: () => undefined,
		});
		await documents.refresh();
		const following = followOthers(clock, documents.refresh);
		onTestFinished(following.close);
		const store = documents.of('default').open(counters);
		await store.update(add('a'), clock);
		await server().stop('at once');
		await expect(store.update(add('a'), clock)).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(store.read()).toEqual({a: 1});
		await server().start();
		await administer(
			server().url,
			`UPDATE ${database.schema}.documents SET content = '{"b": 1}', version = version + 1 WHERE name = 'approval-rules'`,
		);
		await expect
			.poll(
				async () => {
					await clock.advance(1000);
					return store.read();
				},
				{timeout: 20_000},
			)
			.toEqual({b: 1});
		await store.update(add('b'), clock);
		expect(store.read()).toEqual({b: 2});
	});
});
