import {chmodSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {startSluice, stateDirectory, writeConfig} from '../../helpers/sluice.ts';
import {addTask, garden} from '../../stories/garden.ts';

/** The words that a shell is given for a line, and what they stand for. */
async function completed(home: string, ...line: readonly string[]): Promise<ReadonlyArray<readonly string[]>> {
	const {code, stdout, stderr} = await runSluice({home}, 'completion', 'words', '--', ...line);
	expect([code, stderr]).toEqual([0, '']);
	return stdout
		.split('\n')
		.filter(Boolean)
		.map(row => row.split('\t'));
}

test('ids of what waits, tools, jobs and events are those of the running gateway', async () => {
	const home = stateDirectory({
		mcp_servers: {garden},
		approvals: {unattended: 'hold'},
		platforms: {webhook: {enabled: true, port: 0, routes: {alerts: {secret: 'INSECURE_NO_AUTH', deliver: 'log'}}}},
	});
	const gateway = startSluice({home}, 'gateway', 'run');
	await gateway.waitForLine('garden connected');
	await runSluice({home}, 'cron', 'create', 'nightly', '--schedule', '0 3 * * *', '--prompt', 'Tidy up');
	await runSluice({home}, 'webhook', 'test', 'alerts', '--payload', '{"a": 1}');
	startSluice({home}, ...addTask);
	await gateway.waitForLine('asks for garden/add_task');

	const [approval] = (await runSluiceJson({home}, 'approvals', 'list')) as Array<{id: string}>;
	const id = approval?.id ?? '';
	const shown = id.slice(-8);
	expect(await completed(home, 'approvals', 'allow', '')).toEqual([[shown, 'garden/add_task']]);
	expect(await completed(home, 'approvals', 'deny', shown.slice(0, 3))).toEqual([[shown, 'garden/add_task']]);
	expect(await completed(home, 'approvals', 'allow', id.slice(0, 6))).toEqual([[id, 'garden/add_task']]);
	expect(await completed(home, 'approvals', 'allow', 'zz')).toEqual([]);
	expect((await completed(home, 'mcp', 'call', 'mcp__garden__add')).map(([word]) => word)).toEqual([
		'mcp__garden__add_task',
	]);
	expect((await completed(home, 'cron', 'run', 'n')).map(([word]) => word)).toEqual(['nightly']);
	const [event] = (await runSluiceJson({home}, 'events', 'list')) as Array<{id: string}>;
	expect(await completed(home, 'deliveries', 'retry', '')).toEqual([]);
	expect(await completed(home, 'events', 'show', '')).toEqual([
		[event?.id.slice(-8), expect.stringContaining('alerts')],
	]);
});

test('without a gateway jobs come from their file, and what only a gateway knows is silent', async () => {
	const home = stateDirectory({});
	await runSluice({home}, 'cron', 'create', 'nightly', '--schedule', '0 3 * * *', '--prompt', 'Tidy up');
	expect((await completed(home, 'cron', 'pause', '')).map(([word]) => word)).toContain('nightly');
	expect(await completed(home, 'approvals', 'allow', '')).toEqual([]);
});

test.skipIf(!hasPostgres)(
	'subscriptions and jobs of a database are those of the running gateway, and never those of files',
	async () => {
		const webhook = {enabled: true, port: 0, routes: {alerts: {secret: 'INSECURE_NO_AUTH'}}};
		const home = stateDirectory({platforms: {webhook}});
		const create = (name: string) =>
			runSluice({home}, 'cron', 'create', name, '--schedule', '0 3 * * *', '--prompt', 'Tidy up');
		const names = async (...line: readonly string[]) => (await completed(home, ...line)).map(([word]) => word);
		writeFileSync(join(home, 'webhook_subscriptions.json'), '{"former": {}}');
		await create('former');
		expect(await names('webhook', 'test', '')).toEqual(['alerts', 'former']);
		expect(await names('cron', 'pause', 'fo')).toEqual(['former']);

		const {database} = await newPostgresPlace();
		const config = {journal: {url: database.url, schema: database.schema, pool: 2}, platforms: {webhook}};
		writeConfig(home, config);
		expect(await names('webhook', 'test', '')).toEqual(['alerts']);
		expect(await names('cron', 'pause', '')).toEqual([]);

		await runGateway(JSON.stringify({...config, gateway: {endpoint: {port: 0}}}), home);
		await runSluice({home}, 'webhook', 'subscribe', 'pulls');
		await create('nightly');
		await expect.poll(() => names('webhook', 'test', '')).toEqual(['alerts', 'pulls']);
		expect(await names('cron', 'pause', 'n')).toEqual(['nightly']);
	},
);

test('a gateway that does not answer holds up no Tab', async () => {
	const home = stateDirectory({});
	const silent = createServer(() => undefined);
	const path = join(home, 'control.sock');
	await new Promise<void>(resolve => void silent.listen(path, resolve));
	chmodSync(path, 0o600);
	onTestFinished(() => void silent.close());
	const before = performance.now();
	expect(await completed(home, 'approvals', 'allow', '')).toEqual([]);
	expect(performance.now() - before).toBeLessThan(3000);
});
