import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {acquireLock} from '../../../source/control/lock.ts';
import {movedTables} from '../../../source/journal/tables/moved-rows.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {acceptRun, openTestJournal, sampleRun} from '../../helpers/journal-records.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';
import {openStorageOf} from '../../helpers/postgres-storage.ts';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {startSluice, stateDirectory, writeConfig} from '../../helpers/sluice.ts';

const secret = 'hunter2-of-the-journal';

/** A state directory whose journal has two events and whose config.yaml names a database. */
async function journalToMove() {
	const {database} = await newPostgresPlace();
	const url = database.url.replace('//postgres@', `//postgres:${secret}@`);
	const home = stateDirectory({journal: {url, schema: database.schema}});
	const journal = openTestJournal({clock: systemClock, path: join(home, 'journal.db')});
	const now = systemClock.now();
	await acceptRun(journal, sampleRun({id: 'run-0000-1', eventId: 'event-0000-1', createdAt: now}));
	await acceptRun(journal, sampleRun({id: 'run-0000-2', eventId: 'event-0000-2', createdAt: now}));
	await journal.close();
	return {home, database, host: new URL(url).host};
}

const countsOf = (tables: ReadonlyArray<{readonly table: string; readonly rows: number}>) =>
	Object.fromEntries(tables.map(({table, rows}) => [table, rows]));

describe.skipIf(!hasPostgres)('sluice journal move', () => {
	test('copies the journal, says what each table has, and commands find it in the database', async () => {
		const {home, database, host} = await journalToMove();
		const {code, stdout, stderr} = await runSluice({home}, 'journal', 'move');
		expect([code, stdout.split('\n')[0]]).toEqual([0, `TABLE              ROWS  SHA-256`]);
		expect(stdout).toMatch(/^events {13}2 {5}[0-9a-f]{64}$/mu);
		expect(stdout).toMatch(/^decisions {10}0 {5}0{64}$/mu);
		expect(stderr).toBe(
			`The journal is in schema ${database.schema} of the database on ${host}: every row was read again and is the same as in the file.
\`sluice\` starts the gateway on it.
${join(home, 'journal.db')} stays as it is and is no longer used. To go back to it, remove journal.url from config.yaml, but only before a gateway has worked with the database: later, waiting work of the file would run twice.
`,
		);
		expect(await runSluiceJson({home}, 'runs', 'list')).toMatchObject([{id: 'run-0000-2'}, {id: 'run-0000-1'}]);
		expect(existsSync(join(home, 'journal.db'))).toBe(true);
		writeConfig(home, {});
		expect(await runSluiceJson({home}, 'runs', 'list')).toHaveLength(2);
	});

	test('prints the same as JSON, and with --dry-run only the counts', async () => {
		const {home, database, host} = await journalToMove();
		const counted = (await runSluiceJson({home}, 'journal', 'move', '--dry-run')) as {readonly tables: []};
		expect(counted).toMatchObject({moved: false, host, schema: database.schema});
		expect(counted.tables).toContainEqual({table: 'events', rows: 2, sha256: null});
		const {stdout, stderr} = await runSluice({home}, 'journal', 'move', '--dry-run');
		expect(stdout).toMatch(/^TABLE {14}ROWS\nevents {13}2\n/u);
		expect(stderr).toContain('Nothing was moved.');
		const moved = (await runSluiceJson({home}, 'journal', 'move')) as {readonly tables: []};
		expect(moved).toMatchObject({moved: true, host, schema: database.schema});
		expect(moved.tables.map(({table}) => table)).toEqual(movedTables);
		expect(countsOf(moved.tables)).toEqual(countsOf(counted.tables));
	});

	test('takes the stored rules, hold, subscriptions and jobs of every served profile along', async () => {
		const {home, database} = await journalToMove();
		const files = [
			['default', 'hold', 'hold.json', '{"held":null}'],
			['default', 'cron/jobs', 'cron/jobs.json', '{"jobs":[]}'],
			['work', 'approval-rules', 'profiles/work/approval-rules.json', ' {"rules": ["ä"]} '],
		] as const;
		for (const [, , path, content] of files) {
			mkdirSync(dirname(join(home, path)), {recursive: true});
			writeFileSync(join(home, path), content);
		}

		const {url, schema} = database;
		writeConfig(home, {journal: {url, schema, node: 'web-1'}, gateway: {multiplex_profiles: true}});
		expect((await runSluice({home}, 'journal', 'move')).stdout).toMatch(/^documents {10}3 /mu);
		const text = `SELECT profile, name, content, version::integer, changed_by FROM ${schema}.documents ORDER BY profile, name DESC`;
		expect(await administer(url, text)).toEqual(
			files.map(([profile, name, , content]) => ({profile, name, content, version: 1, changed_by: 'web-1'})),
		);
		expect(files.map(([, , path]) => existsSync(join(home, path)))).toEqual([true, true, true]);
	});

	test('is refused while a gateway holds the state directory', async () => {
		const {home} = await journalToMove();
		const lock = await acquireLock(join(home, 'gateway.lock'));
		onTestFinished(lock.release);
		for (const flags of [[], ['--dry-run']]) {
			const {code, stdout, stderr} = await runSluice({home}, 'journal', 'move', ...flags);
			expect([code, stdout]).toEqual([1, '']);
			expect(stderr).toMatch(
				/^sluice: A gateway \(process \d+\) is already using this state directory\n.*`sluice stop`\n$/u,
			);
		}
	});

	test('is refused without a database, without a file, with words, and where the database does not answer', async () => {
		const {home} = await journalToMove();
		expect((await runSluice({home}, 'journal', 'move', 'all')).code).toBe(2);
		writeConfig(home, {});
		const none = await runSluice({home}, 'journal', 'move');
		expect([none.code, none.stderr.split('\n')[0]]).toEqual([
			1,
			'sluice: config.yaml names no database for the journal',
		]);
		writeConfig(home, {journal: {url: `postgres://me:${secret}@127.0.0.1:1/sluice`}});
		const away = await runSluice({home}, 'journal', 'move');
		expect([away.code, away.stderr.split('\n')[0]]).toEqual([
			1,
			'sluice: The database on 127.0.0.1:1 did not accept the journal, and nothing of it was written (connect ECONNREFUSED 127.0.0.1:1)',
		]);
		const empty = stateDirectory({journal: {url: `postgres://me:${secret}@127.0.0.1:1/sluice`}});
		const nothing = await runSluice({home: empty}, 'journal', 'move');
		expect(nothing.stderr).toMatch(/^sluice: There is no journal to move: /u);
		expect(none.stderr + away.stderr + nothing.stderr).not.toContain(secret);
	});

	test('that Ctrl-C ends while the database takes rows leaves none there', async () => {
		const {home, database} = await journalToMove();
		const {close} = await openStorageOf(database);
		await close();
		const {url, schema} = database;
		await administer(
			url,
			`CREATE FUNCTION ${schema}.wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$`,
			`CREATE TRIGGER wait BEFORE INSERT ON ${schema}.runs FOR EACH ROW EXECUTE FUNCTION ${schema}.wait()`,
		);
		const isSleeping = async () => {
			const text = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%INTO runs%'
				AND pid IN (SELECT pid FROM pg_locks WHERE relation = '${schema}.runs'::regclass)`;
			return (await administer(url, text)).length > 0;
		};
		const moving = startSluice({home}, 'journal', 'move');
		await expect.poll(isSleeping).toBe(true);
		moving.signal('SIGINT');
		expect(await moving.end).toEqual({code: 1, stdout: '', stderr: 'sluice: Nothing was moved\n'});
		const [left] = await administer(
			url,
			`SELECT (SELECT count(*) FROM ${schema}.events) + (SELECT count(*) FROM ${schema}.runs) AS rows`,
		);
		expect(left).toEqual({rows: '0'});
	});
});
