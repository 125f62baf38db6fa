import {readFileSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {describe, expect, onTestFinished, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {startGateway} from '../../source/gateway/gateway.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {systemClock} from '../../source/util/clock.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const program = fixtureArguments('mcp-plain.ts');
const server = (name: string, more = '') =>
	`  ${name}:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify(program)}\n${more}`;
const webhook = (routes: string) => `platforms:\n  webhook:\n    enabled: true\n    port: 0\n    routes:\n${routes}`;

const isState = (name: string, state: string) => (event: GatewayEvent) =>
	event.type === 'server.state' && event.server === name && event.state === state;
const nothing = {added: [], removed: [], changed: [], unchanged: []};
const nothingElse = {routes: nothing, platforms: nothing, jobs: nothing, unusable: []};

describe('what cannot be used', () => {
	test('an entry that is refused shows as a failed server, and the others connect', async () => {
		const {eventWhere} = await runGateway(
			`mcp_servers:\n  login:\n    url: http://127.0.0.1:9/mcp\n    auth: other\n${server('garden')}`,
		);
		await eventWhere(isState('garden', 'connected'));
		expect(await eventWhere(isState('login', 'failed'))).toMatchObject({
			reason: expect.stringContaining('Allowed: oauth'),
		});
	});

	test('refused routes keep the listener down, all of them are reported, and tool servers go on', async () => {
		const {eventWhere, gateway} = await runGateway(
			`mcp_servers:\n${server('garden')}${webhook('      one: {}\n      two: {}\n')}`,
		);
		const failed = await eventWhere(event => event.type === 'webhook.state' && event.state === 'failed');
		expect(failed).toMatchObject({reason: expect.stringMatching(/route one: .*; route two: /)});
		expect(gateway.webhookUrl()).toBeNull();
		await eventWhere(isState('garden', 'connected'));
	});

	test('a broken file at a reload leaves everything as it was', async () => {
		const {gateway, eventWhere, writeConfig} = await runGateway(`mcp_servers:\n${server('garden')}`);
		await eventWhere(isState('garden', 'connected'));
		writeConfig('mcp_servers: [oh: no');
		expect(await gateway.reload()).toEqual({
			...nothingElse,
			added: [],
			removed: [],
			reconnected: [],
			unchanged: ['garden'],
			unusable: [expect.objectContaining({profile: 'default', code: 'config_syntax'})],
		});
		const state = await eventWhere(event => event.type === 'config.state' && event.state === 'unusable');
		expect(state).toMatchObject({reason: expect.stringMatching(/^config\.yaml:1:/)});
	});

	test('rules with a mistake at a reload leave those that held, and the rest of the file is taken over', async () => {
		const rules = (rule: string) => `approvals: {timeout: 7, rules: [${rule}]}\n`;
		const {gateway, eventWhere, writeConfig} = await runGateway(rules('{action: deny, tool: a}'));
		writeConfig(`${rules('{action: deny, tol: b}')}mcp_servers:\n${server('garden')}`);
		expect(await gateway.reload()).toMatchObject({
			added: ['garden'],
			unusable: [{code: 'config_unknown_key', message: expect.stringContaining('did you mean "tool"?')}],
		});
		expect(await eventWhere(event => event.type === 'config.state' && event.state === 'unusable')).toMatchObject({
			inForce: 'former-rules',
		});
	});

	test('what is wrong in the file stands in the log file too', async () => {
		const {gateway, paths} = await runGateway('mcp_server: {}\n');
		await gateway.stop('enough');
		expect(readFileSync(`${paths.logs}/sluice.log`, 'utf8')).toContain('mcp_servers');
	});

	test('a second gateway on the same directory is refused with the process that holds it', async () => {
		const {paths} = await runGateway('');
		await expect(runGateway('', paths.root)).rejects.toMatchObject({
			code: 'gateway_running',
			message: expect.stringContaining(String(process.pid)),
		});
	});
});

describe('a reload', () => {
	test('goes by difference', async () => {
		const {gateway, eventWhere, writeConfig} = await runGateway(
			`mcp_servers:\n${server('stays')}${server('changes')}${server('goes')}`,
		);
		await eventWhere(isState('stays', 'connected'));
		writeConfig(`mcp_servers:\n${server('stays')}${server('changes', '    timeout: 10\n')}${server('comes')}`);
		expect(await gateway.reload()).toEqual({
			...nothingElse,
			added: ['comes'],
			removed: ['goes'],
			reconnected: ['changes'],
			unchanged: ['stays'],
		});
	});

	test('happens by itself when the file is saved', async () => {
		const {eventWhere, writeConfig} = await runGateway('');
		writeConfig(`mcp_servers:\n${server('garden')}`);
		await eventWhere(isState('garden', 'connected'));
	});

	test('turns the listener on and off', async () => {
		const {gateway, writeConfig} = await runGateway('');
		writeConfig(webhook('      one: {secret: first-secret}\n'));
		await gateway.reload();
		const url = gateway.webhookUrl();
		expect(await (await fetch(`${url}/health`)).json()).toEqual({status: 'ok', platform: 'webhook'});
		writeConfig('');
		await gateway.reload();
		await expect(fetch(`${url}/health`)).rejects.toThrow();
		expect(gateway.webhookUrl()).toBeNull();
	});
});

describe('a command', () => {
	test('adds a server, untrusted, and keeps the comments of the file', async () => {
		const {gateway, paths, eventWhere} = await runGateway('# mine\n');
		gateway.send({
			method: 'mcp.add',
			params: {server: {kind: 'stdio', name: 'garden', command: process.execPath, args: program}},
		});
		expect(await eventWhere(isState('garden', 'connected'))).toMatchObject({trust: 'untrusted'});
		expect(readFileSync(paths.config, 'utf8')).toMatch(/^# mine\n/);
	});

	test('that fails is logged', async () => {
		const {gateway, eventWhere} = await runGateway('');
		gateway.send({method: 'mcp.enable', params: {server: 'nobody', enabled: false}});
		await eventWhere(event => event.type === 'log' && event.area === 'commands' && event.text.includes('nobody'));
	});
});

describe('the end', () => {
	test('is the last event, and stands in the log file', async () => {
		const {gateway, paths, events} = await runGateway('');
		await gateway.stop('enough');
		expect(events.at(-1)).toMatchObject({type: 'gateway.stopped', reason: 'enough'});
		const lines = readFileSync(`${paths.logs}/sluice.log`, 'utf8').trim().split('\n');
		expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({type: 'gateway.stopped', reason: 'enough'});
	});

	test('gives the directory back', async () => {
		const {gateway, paths} = await runGateway('');
		await gateway.stop('first');
		const second = await runGateway('', paths.root);
		expect(second.events).toContainEqual(expect.objectContaining({type: 'gateway.started'}));
	});
});

test('a secret of the configuration reaches neither event bus nor log file', async () => {
	const secret = 'whale-song-4711';
	const {gateway, paths, events, eventWhere} = await runGateway(
		`mcp_servers:\n  leaky:\n    command: ${JSON.stringify(process.execPath)}\n    args: ["-e", "process.exit(1)", "${secret}"]\n    env: {API_TOKEN: ${secret}}\n`,
	);
	await eventWhere(event => event.type === 'server.state' && event.server === 'leaky' && event.reason !== undefined);
	await gateway.stop('enough');
	expect(JSON.stringify(events)).not.toContain(secret);
	expect(readFileSync(`${paths.logs}/sluice.log`, 'utf8')).not.toContain(secret);
});

describe('the starter of a gateway', () => {
	test.each([
		['deciding', 'withdrawn'],
		['read-only', 'unattended'],
	] as const)('with a %s console counts before the start is over: what asks then is %s', async (mode, outcome) => {
		const home = temporaryDirectory();
		writeFileSync(`${home}/config.yaml`, `mcp_servers:\n${server('garden')}`);
		const runtime = createTestRuntime(home);
		const link = `sluice://mcp/install?name=docs&config=${Buffer.from('{"command":"/no/such"}').toString('base64url')}`;
		const install = async () => {
			const client = await connectControl({path: runtime.paths.controlSocket, clock: systemClock});
			return client?.call('mcp.install', {link}, {signal: neverAborted()});
		};
		const asked = Promise.withResolvers<ReturnType<typeof install>>();
		const proposed = Promise.withResolvers<string>();
		runtime.eventBus.listen(event => {
			if (event.type === 'server.state' && event.state === 'connecting') {
				asked.resolve(install());
			} else if (event.type === 'proposal.asked') {
				proposed.resolve(event.id);
			}
		});
		const gateway = await startGateway(runtime, {
			mode: 'normal',
			console: {mode},
			onStopAsked: () => undefined,
		});
		onTestFinished(() => gateway.stop('the test ended'));
		expect(gateway.console?.number).toBe(1);
		if (mode === 'deciding') {
			// Nobody answers: it waits until the gateway stops.
			await proposed.promise;
			void gateway.stop('enough');
		}

		expect(await asked.promise).toEqual({outcome});
	});
});

test('the name of a gateway is that of its host, or `journal.node`', async () => {
	const {gateway, paths, writeConfig} = await runGateway('');
	const client = await connectControl({path: paths.controlSocket, clock: systemClock});
	const node = async () => (await client?.call('status', {}, {signal: neverAborted()}))?.node;
	expect(await node()).toBe(hostname());
	writeConfig('journal: {node: web-1}\n');
	await gateway.reload();
	expect(await node()).toBe('web-1');
	client?.close();
});
