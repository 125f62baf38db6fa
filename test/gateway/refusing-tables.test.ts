import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type Clock} from '../../source/util/clock.ts';
import {connectTo} from '../control/control-fixture.ts';
import {inDatabase, journalFault} from '../helpers/database-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {administer, hasPostgres, newSchema} from '../helpers/postgres-server.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A gateway, and what somebody else does to its tables. */
type Tables = {
	readonly running: RunningGateway;
	/** Takes a table away that no webhook needs. */
	readonly refuse: () => Promise<unknown>;
	readonly restore: () => Promise<unknown>;
	readonly text: RegExp;
};

async function dropInFile(clock: Clock): Promise<Tables> {
	const root = temporaryDirectory();
	const running = await runGateway(
		'platforms: {webhook: {enabled: true, port: 0, routes: {one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}}}}',
		root,
		{clock},
	);
	const database = new DatabaseSync(join(root, 'journal.db'), {timeout: 10_000});
	onTestFinished(() => database.close());
	const {sql} = database.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'decisions'`).get() ?? {};
	return {
		running,
		refuse: async () => database.exec('DROP TABLE decisions'),
		restore: async () => database.exec(String(sql)),
		text: /^The journal cannot use a table: decisions\. Restore .*journal\.db/u,
	};
}

async function openDatabase(
	clock: Clock,
	sql: (schema: string, role: string) => Pick<Tables, 'text'> & Record<'refuse' | 'restore', string>,
) {
	const role = newSchema();
	const {yaml, url, schema, surroundings} = await inDatabase({role});
	await administer(url, `CREATE ROLE ${role} LOGIN`, `CREATE SCHEMA ${schema} AUTHORIZATION ${role}`);
	onTestFinished(async () => void (await administer(url, `DROP OWNED BY ${role} CASCADE`, `DROP ROLE ${role}`)));
	const running = await runGateway(yaml, temporaryDirectory(), {...surroundings, clock});
	const {refuse, restore, text} = sql(schema, role);
	return {running, refuse: () => administer(url, refuse), restore: () => administer(url, restore), text};
}

const ways: ReadonlyArray<readonly [string, (clock: Clock) => Promise<Tables>]> = [
	['a table of the file that was dropped', dropInFile],
	...(hasPostgres
		? ([
				[
					'a table of the database that was dropped',
					clock =>
						openDatabase(clock, schema => ({
							refuse: `ALTER TABLE ${schema}.decisions RENAME TO gone`,
							restore: `ALTER TABLE ${schema}.gone RENAME TO decisions`,
							text: /^The journal cannot use a table: decisions\. Restore the tables of schema \w+ from a backup/u,
						})),
				],
				[
					'a table of the database whose rights were revoked',
					clock =>
						openDatabase(clock, (schema, role) => ({
							refuse: `REVOKE SELECT ON ${schema}.decisions FROM ${role}`,
							restore: `GRANT SELECT ON ${schema}.decisions TO ${role}`,
							text: /^The journal cannot use a table: decisions\. Let the role own the schema, or GRANT /u,
						})),
				],
			] satisfies ReadonlyArray<readonly [string, (clock: Clock) => Promise<Tables>]>)
		: []),
];

const post = async ({gateway}: RunningGateway) =>
	(await fetch(`${gateway.webhookUrl()}/webhooks/one`, {method: 'POST', body: '{"x":1}'})).status;
const ready = async ({gateway}: RunningGateway) => {
	const response = await fetch(`${gateway.webhookUrl()}/ready`);
	return [response.status, await response.json()] as const;
};

describe.each(ways)('%s', (_, open) => {
	test('is a fault in status, log and /ready, which good writes of others do not end, until it is restored', async () => {
		const clock = createFakeClock(Date.now());
		const {running, refuse, restore, text} = await open(clock);
		const client = await connectTo(running.paths.controlSocket);
		const status = () => client.call('status', {}, {signal: neverAborted()});
		expect([await post(running), (await ready(running))[0], (await status()).journal_fault]).toEqual([202, 200, null]);
		await refuse();
		// Nothing touches it. What is asked is answered by the clock of the machine, so this one takes small steps.
		for (let step = 0; step < 6; step++) {
			expect(await post(running)).toBe(202);
			await clock.advance(10_000);
		}

		await running.eventWhere(journalFault('there'));
		expect(running.events.filter(journalFault('there'))).toMatchObject([{reason: expect.stringMatching(text)}]);
		for (let write = 0; write < 5; write++) {
			expect(await post(running)).toBe(202);
		}

		expect(await ready(running)).toEqual([503, {status: 'not_ready', platform: 'webhook', reasons: ['journal']}]);
		expect(await status()).toMatchObject({
			journal_fault: expect.stringContaining('decisions'),
			journal: {state: 'refusing'},
		});
		expect(running.events).toContainEqual(
			expect.objectContaining({type: 'log', level: 'error', area: 'journal', text: expect.stringMatching(text)}),
		);
		expect(running.events.filter(journalFault('gone'))).toEqual([]);
		await restore();
		await clock.advance(5000);
		await running.eventWhere(journalFault('gone'));
		expect([(await ready(running))[0], (await status()).journal_fault]).toEqual([200, null]);
	}, 30_000);
});
