import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {openJournalAnywhere} from '../../source/journal/open-journal.ts';
import {databaseVersions, fileVersions} from '../../source/journal/tables/schema-steps.ts';
import {openConfirmedJournal} from '../../source/journal/confirmed-journal.ts';
import {openStorage} from '../../source/journal/sqlite/operations.ts';
import {olderCopy} from '../../source/journal/sqlite/upgrade-file.ts';
import {systemClock} from '../../source/util/clock.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {journalLimits, sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {olderRun, writeOlderDatabase, writeOlderFile} from '../helpers/older-journal.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {refusalOf} from '../helpers/refusal-of.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const options = {clock: systemClock, limits: journalLimits({})};
const structure = (path: string) => {
	const database = new DatabaseSync(path, {readOnly: true});
	const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
	const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
	database.close();
	return {version, rows};
};

/** Of the run that waits and another one: outcomes of events with these limits of queued runs. */
async function acceptAtLimits(journal: Pick<Journal, 'acceptEvent'>, ...limits: readonly number[]) {
	const outcomes = [];
	for (const queueLimit of limits) {
		outcomes.push(await journal.acceptEvent({event: sampleEvent(), run: sampleRun(), queueLimit}));
	}

	return outcomes;
}

const openedBy = {
	command: (path: string) => openJournalAnywhere({...options, path}),
	gateway: (path: string) => openConfirmedJournal({...options, path, onLost: () => undefined}),
};

describe('A journal of an older version in a file', () => {
	test.each(['command', 'gateway'] as const)(
		'is brought up to date by a %s, with all that it has, and copied first',
		async who => {
			const path = join(temporaryDirectory(), 'journal.db');
			writeOlderFile(path).close();
			const journal = await openedBy[who](path);
			expect(await journal.nextQueuedRuns(10)).toEqual([olderRun]);
			expect(await journal.nextQueuedRuns(10, {withheld: {routes: [olderRun.route], jobs: []}})).toEqual([]);
			const again = sampleEvent({route: 'github', deliveryId: 'd-1'});
			expect(await journal.acceptEvent({event: again, deduplicateUntil: 4e12})).toBe('duplicate');
			expect(await acceptAtLimits(journal, 1, 2, 2)).toEqual(['queue-full', 'accepted', 'queue-full']);
			await journal.close();
			const fresh = join(temporaryDirectory(), 'journal.db');
			await openStorage(fresh).close();
			expect(structure(path)).toEqual(structure(fresh));
			expect(structure(path).version).toBe(fileVersions.current);
			expect(structure(olderCopy(path)).version).toBe(20);
			expect(statSync(olderCopy(path)).mode & 0o777).toBe(0o600);
		},
	);

	test('that another process has open stays as it is, and the process is named', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const {execPath} = process;
		writeOlderFile(path).close();
		const {spawn} = await import('node:child_process');
		const other = spawn(execPath, fixtureArguments('file-holder.ts', path), {stdio: ['pipe', 'pipe', 'inherit']});
		onTestFinished(() => void other.kill('SIGKILL'));
		await new Promise(resolve => other.stdout.once('data', resolve));
		const problem = await refusalOf(openedBy.command(path));
		expect([problem.code, problem.message]).toEqual([
			'storage_unavailable',
			expect.stringMatching(
				new RegExp(
					`^(?:Process ${other.pid}|Another process) has the journal open, .* from schema 20 to ${fileVersions.current}`,
					'u',
				),
			),
		]);
		const ended = new Promise(resolve => other.once('exit', resolve));
		other.kill('SIGKILL');
		await ended;
		expect([structure(path).version, existsSync(olderCopy(path))]).toEqual([20, false]);
		const journal = await openedBy.command(path);
		expect(await journal.nextQueuedRuns(10)).toEqual([olderRun]);
		await journal.close();
	});

	test('whose copy cannot be made stays as it is', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		writeOlderFile(path).close();
		const before = readFileSync(path);
		const {mkdirSync} = await import('node:fs');
		mkdirSync(`${olderCopy(path)}.part`);
		expect((await refusalOf(openedBy.command(path))).message).toContain('could not be updated to schema');
		expect(structure(path).version).toBe(20);
		expect(readFileSync(path).length).toBe(before.length);
	});
});

describe.skipIf(!hasPostgres)('A journal of an older version in a database', () => {
	const ofVersion = async (version: number) => {
		const {database} = await newPostgresPlace();
		await writeOlderDatabase(database);
		await administer(database.url, `UPDATE ${database.schema}.journal_version SET version = ${version}`);
		const enter = (state: string, seenAgo: number) =>
			administer(
				database.url,
				`INSERT INTO ${database.schema}.nodes (incarnation, name, lease, started_at, seen_at, state)
				SELECT 'i', 'web-1', 15000, now, now - ${seenAgo}, '${state}' FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) AS clock`,
			);
		const stored = async () => {
			const [row] = await administer(database.url, `SELECT version FROM ${database.schema}.journal_version`);
			return row;
		};

		return {database, enter, stored};
	};

	test('is brought up to date with all that it has', async () => {
		const {database, enter, stored} = await ofVersion(5);
		await enter('alive', 60_000);
		const journal = await openJournalAnywhere({...options, path: '', database});
		expect(await journal.nextQueuedRuns(10)).toEqual([olderRun]);
		expect(await journal.nextQueuedRuns(10, {withheld: {routes: [olderRun.route], jobs: []}})).toEqual([]);
		expect(await acceptAtLimits(journal, 1, 2, 2)).toEqual(['queue-full', 'accepted', 'queue-full']);
		await journal.close();
		expect(await stored()).toEqual({version: databaseVersions.current});
	});

	test('stays as it is while a gateway is alive that would not notice, by its name', async () => {
		const {database, enter, stored} = await ofVersion(5);
		await enter('alive', 0);
		const problem = await refusalOf(openJournalAnywhere({...options, path: '', database}));
		expect([problem.code, problem.message]).toEqual([
			'storage_unavailable',
			`The gateway web-1 of an older version cannot follow the change of the journal from schema 5 to ${databaseVersions.current}`,
		]);
		expect(await stored()).toEqual({version: 5});
		await administer(database.url, `UPDATE ${database.schema}.nodes SET state = 'left'`);
		await (await openJournalAnywhere({...options, path: '', database})).close();
		expect(await stored()).toEqual({version: databaseVersions.current});
	});

	test('stays as it is while such a gateway is frozen past its lease and connected', async () => {
		const {database, enter, stored} = await ofVersion(5);
		await enter('dead', 60_000);
		const {openConnection} = await import('../../source/journal/postgres/connection.ts');
		const frozen = await openConnection(database, {onLost: () => undefined});
		await frozen.query(`SELECT pg_advisory_lock(hashtextextended(current_schema() || ' node web-1', 0))`);
		expect((await refusalOf(openJournalAnywhere({...options, path: '', database}))).message).toContain('web-1');
		expect(await stored()).toEqual({version: 5});
		await frozen.close();
	});

	test('that another version changes while a gateway is connected ends that gateway', async () => {
		const {database} = await newPostgresPlace();
		const node = await openNode({path: '', database}, 'web-1');
		await administer(
			database.url,
			`UPDATE ${database.schema}.journal_version SET version = ${databaseVersions.current + 1}`,
			`UPDATE ${database.schema}.nodes SET state = 'dead'`,
		);
		expect(await node.journal.renewNode({version: '1', models: [], consoles: []})).toBe('dead');
		await expect(node.enterAgain()).rejects.toMatchObject({code: 'schema_newer'});
		expect([node.newer, node.isOpen()]).toEqual([['schema_newer'], false]);
	});
});
