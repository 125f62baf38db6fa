import {existsSync, readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openOwnClient} from '../../source/gateway/own-client.ts';
import {connectTo} from '../control/control-fixture.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {databasePassword, inDatabase, journalFault} from '../helpers/database-journal.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openCopyOf, openOwnPostgres} from '../helpers/own-postgres.ts';
import {administer, hasPostgres, postgresPrograms} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {writeConfig} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const post = (url: string | null) => fetch(`${url}/webhooks/one`, {method: 'POST', body: '{"x":1}'});
describe.skipIf(!hasPostgres)('a gateway whose journal is in a database', () => {
	test('accepts there, makes no file, and commands find what it accepted', async () => {
		const {yaml, surroundings} = await inDatabase();
		const root = temporaryDirectory();
		const {gateway} = await runGateway(yaml, root, surroundings);
		expect((await post(gateway.webhookUrl())).status).toBe(202);
		const beside = openOwnClient(createTestRuntime(root, surroundings), {
			signal: neverAborted(),
			report: () => undefined,
		});
		expect(await beside.call('events.list', {limit: 10})).toMatchObject([{route: 'one', outcome: 'accepted'}]);
		await beside.close();
		await gateway.stop('enough');
		expect(existsSync(join(root, 'journal.db'))).toBe(false);
		const next = await runGateway(yaml, root, surroundings);
		expect((await post(next.gateway.webhookUrl())).status).toBe(202);
	});

	test('says that another gateway has its name, accepts nothing, and begins when that one has ended', async () => {
		const {yaml, surroundings} = await inDatabase();
		const first = await runGateway(yaml, temporaryDirectory(), surroundings);
		const second = await runGateway(yaml, temporaryDirectory(), surroundings);
		expect(await second.eventWhere(journalFault('there'))).toMatchObject({
			reason: expect.stringContaining(`Another gateway is called ${hostname()} in the journal of this database`),
		});
		// Once, and not as a write that was refused, too.
		expect(second.events.filter(journalFault('there'))).toHaveLength(1);
		const refused = await post(second.gateway.webhookUrl());
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
		expect((await post(first.gateway.webhookUrl())).status).toBe(202);
		await first.gateway.stop('enough');
		await second.gateway.reload();
		await second.eventWhere(journalFault('gone'));
		expect((await post(second.gateway.webhookUrl())).status).toBe(202);
	});

	test('knows a repeated event that another gateway has accepted, and which gateways there are', async () => {
		const {yaml, surroundings} = await inDatabase();
		const open = (node: string) =>
			runGateway(yaml.replace('pool: 3', `pool: 3, lease: 2, node: ${node}`), temporaryDirectory(), surroundings);
		const [first, second] = [await open('web-1'), await open('web-2')];
		const send = (url: string | null) =>
			fetch(`${url}/webhooks/one`, {method: 'POST', body: '{"x":1}', headers: {'x-request-id': 'once'}});
		expect((await send(first.gateway.webhookUrl())).status).toBe(202);
		expect(await (await send(second.gateway.webhookUrl())).json()).toMatchObject({status: 'duplicate'});
		const client = await connectTo(second.paths.controlSocket);
		const nodes = async () => (await client.call('status', {}, {signal: neverAborted()})).nodes;
		await expect.poll(nodes).toMatchObject([
			{name: 'web-1', state: 'alive'},
			{name: 'web-2', state: 'alive'},
		]);
		await first.gateway.stop('enough');
		await expect.poll(nodes).toMatchObject([
			{name: 'web-1', state: 'left'},
			{name: 'web-2', state: 'alive'},
		]);
	});

	test('whose server is away goes on without it, with one message and without the password anywhere', async () => {
		const {yaml, surroundings} = await inDatabase({port: '1'});
		const root = temporaryDirectory();
		const {gateway, events, eventWhere} = await runGateway(yaml, root, surroundings);
		expect(await eventWhere(journalFault('there'))).toMatchObject({
			reason: expect.stringMatching(/^The journal cannot be used\. Check that PostgreSQL runs there .*ECONNREFUSED/u),
		});
		expect((await post(gateway.webhookUrl())).status).toBe(503);
		await gateway.stop('enough');
		expect(existsSync(join(root, 'journal.db'))).toBe(false);
		const written = JSON.stringify(events) + readFileSync(join(root, 'logs', 'sluice.log'), 'utf8');
		expect(written).toContain('ECONNREFUSED');
		expect(written).not.toContain(databasePassword);
	});

	test('keeps its journal closed while config.yaml cannot be read, and opens it at the reload that can', async () => {
		const {yaml, surroundings} = await inDatabase();
		const root = temporaryDirectory();
		const {gateway, eventWhere, writeConfig: write} = await runGateway(`${yaml}\n  {`, root, surroundings);
		expect(await eventWhere(journalFault('there'))).toMatchObject({
			reason: expect.stringContaining('config.yaml, which names the journal, cannot be read'),
		});
		write(yaml);
		await gateway.reload();
		await eventWhere(journalFault('gone'));
		expect((await post(gateway.webhookUrl())).status).toBe(202);
		expect(existsSync(join(root, 'journal.db'))).toBe(false);
	});

	test('a mistake in its section never moves the journal into a file', async () => {
		const {yaml, surroundings} = await inDatabase();
		const root = temporaryDirectory();
		const {gateway} = await runGateway(yaml.replace('pool: 3', 'pools: 3'), root, surroundings);
		await post(gateway.webhookUrl());
		expect(existsSync(join(root, 'journal.db'))).toBe(false);
	});
});

describe.skipIf(!hasPostgres)('doctor looks at the database of the journal', () => {
	async function findings(changes: Parameters<typeof inDatabase>[0] = {}) {
		const {yaml, host, surroundings} = await inDatabase(changes);
		const home = temporaryDirectory();
		writeConfig(home, yaml.replace('${JOURNAL_URL}', surroundings.variables.JOURNAL_URL));
		const {stdout} = await runSluice({home}, 'doctor', '--json');
		expect(stdout).not.toContain(databasePassword);
		const all = JSON.parse(stdout) as ReadonlyArray<{readonly check: string}>;
		return {host, found: all.filter(({check}) => check === 'journal')};
	}

	test('and creates nothing', async () => {
		const {found} = await findings();
		expect(found).toMatchObject([
			{level: 'ok', message: expect.stringContaining('A journal can be created in schema')},
		]);
	});

	test.skipIf(postgresPrograms === undefined)(
		'and warns of a copy that may lack what was confirmed, and refuses the copy',
		async () => {
			const server = await openOwnPostgres();
			const place = new URL(server.url);
			const isTaken = {level: 'ok', message: expect.stringContaining('A journal can be created in schema')};
			expect((await findings({place})).found).toMatchObject([isTaken]);
			const copy = await openCopyOf(server);
			const follows = async () => (await administer(server.url, 'SELECT sync_state FROM pg_stat_replication'))[0];
			await expect.poll(follows).toEqual({sync_state: 'async'});
			expect((await findings({place})).found).toMatchObject([
				isTaken,
				{
					level: 'warning',
					message: expect.stringContaining(
						'may lag behind it: when one takes over, rows that were confirmed may be lost',
					),
					remedy: expect.stringContaining('Set synchronous_standby_names in postgresql.conf'),
				},
			]);
			expect((await findings({place: new URL(copy.url)})).found).toMatchObject([
				{level: 'error', message: 'The database of the journal can only be read: it is a standby of another server'},
			]);
			await administer(server.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
			await expect.poll(follows).toEqual({sync_state: 'sync'});
			expect((await findings({place})).found).toMatchObject([isTaken]);
		},
	);

	test('and names the host that does not answer, and why', async () => {
		const {found, host} = await findings({port: '1'});
		expect(found).toMatchObject([
			{
				level: 'error',
				message: expect.stringContaining(`The database of the journal on ${host} cannot be used (connect ECONNREFUSED`),
				remedy: expect.stringContaining('Check that PostgreSQL runs there'),
			},
		]);
	});
});
