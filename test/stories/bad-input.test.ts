import {createServer} from 'node:net';
import {afterAll, expect, test} from 'vitest';
import {freePort, listenOnFreePort} from '../helpers/free-port.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, sluice, startSluice, stateDirectory, writeConfig} from '../helpers/sluice.ts';
import {addTask, garden, listTasks} from './garden.ts';
import {webhookPlatform} from './sender.ts';

const holder = createServer();
const takenPort = await listenOnFreePort(holder);
const closedPort = await freePort();
afterAll(() => void holder.close());

type Fault = {readonly name: string; readonly config: string | object; readonly reported: RegExp};

const faults: readonly Fault[] = [
	{
		name: 'YAML that cannot be read',
		config: 'mcp_servers: [\n',
		reported: /config +error: \S*config\.yaml:2:1: A ] is missing above/,
	},
	{
		name: 'an unknown key',
		config: {mcp_servers: {garden}, aprovals: {}},
		reported:
			/config +warning: \S*config\.yaml:\d+:\d+: aprovals: "aprovals" is not a known key; did you mean "approvals"\?/,
	},
	{
		name: 'a missing executable',
		config: {mcp_servers: {garden, gone: {command: '/no/such/program'}}},
		reported:
			/server +gone failed: The command \/no\/such\/program was not found \(Install the program, or set `command` to its full path/,
	},
	{
		name: 'an address where nobody listens',
		config: {mcp_servers: {garden, far: {url: `http://127.0.0.1:${closedPort}/mcp`}}},
		reported:
			/server +far connecting: The server cannot be reached: nothing is listening at that address; attempt 2 follows/,
	},
	{
		name: 'a port in use',
		config: {mcp_servers: {garden}, ...webhookPlatform({issues: {}}, {port: takenPort})},
		reported: new RegExp(`webhooks +error: Port ${takenPort} on 127.0.0.1 is in use`),
	},
	{
		name: 'a route without a secret',
		config: {mcp_servers: {garden}, ...webhookPlatform({issues: {}}, {secret: ''})},
		reported:
			/webhooks +error: \S*config\.yaml:\d+:\d+: platforms\.webhook\.routes\.issues: route issues: No secret is set/,
	},
];

test.each(faults)('$name is reported once, with its line, and the rest works', async ({config, reported}) => {
	const gateway = startSluice({home: stateDirectory(config)}, 'gateway', 'run');
	await gateway.waitForLine(reported);
	await gateway.waitForLine(typeof config === 'string' ? 'started' : 'garden connected');
	gateway.signal('SIGTERM');
	const {code, stdout, stderr} = await gateway.end;
	const troubles = stdout
		.split('\n')
		.filter(line => / (?:error|warning): | gone failed| far connecting: /.test(line))
		// A file that cannot be read names no port for the endpoint, and another test may hold the usual one.
		.filter(line => !line.includes('Port 8645 on 127.0.0.1 is in use'))
		// Further attempts of a server are lines too; on a slow machine some come before the rest is there.
		.filter(line => !/attempt (?:[3-9]|\d\d) follows/.test(line));
	expect([code, stderr, troubles]).toEqual([0, '', [expect.stringMatching(reported)]]);
});

test('on the dashboard, a broken file changes nothing, and a fixed one is applied by its differences', async () => {
	const home = stateDirectory({
		mcp_servers: {garden, gone: {command: '/no/such/program'}},
		...webhookPlatform({issues: {}}, {port: takenPort}),
	});
	const dashboard = openDashboard({home});
	await dashboard.waitFor(
		/✖ hooks[\s\S]*✖ gone +failed[\s\S]*● garden +connected[\s\S]*webhooks: Port \d+ .* is in use/,
	);
	await sluice({home}, ...addTask, '--approve');

	writeConfig(home, 'mcp_servers: [\n');
	await dashboard.waitFor('✖ config.yaml:');
	await dashboard.waitFor(/● garden +connected/);

	writeConfig(home, {mcp_servers: {garden, gone: garden}, ...webhookPlatform({issues: {}})});
	await dashboard.waitFor(/:\d+ up[\s\S]*● gone +connected/);
	await pressUntil(dashboard, 'W', 'Reloaded: servers reconnected gone · 1 unchange');
	// The task lives in the memory of the first server: it was not started again.
	expect((await runSluice({home}, ...listTasks)).stdout).toMatch(/Mow the lawn/);
});

test('a listener that could not start shows as off once it is switched off', async () => {
	const home = stateDirectory(webhookPlatform({issues: {}}, {secret: ''}));
	const dashboard = openDashboard({home});
	await dashboard.waitFor('✖ hooks');
	writeConfig(home, webhookPlatform({issues: {}}, {secret: '', enabled: false}));
	await dashboard.waitFor('hooks off');
});
