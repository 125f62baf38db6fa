import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {expect, onTestFinished, test} from 'vitest';
import {eventLine} from '../../../source/state/line.ts';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {freePort} from '../../helpers/free-port.ts';
import {listen} from '../../helpers/loopback.ts';
import {type RunningGateway, runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

function tells(trust: string): string {
	const entry = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust};
	return `mcp_servers: ${JSON.stringify({tells: entry})}\n`;
}

function tokenIn(env: string): string {
	return /^SLUICE_ENDPOINT_TOKEN=(.+)$/mu.exec(readFileSync(env, 'utf8'))?.[1] ?? '';
}

/** The address at which the endpoint listens; another one than before, when that is given. */
async function addressOf({eventWhere}: RunningGateway, before?: string): Promise<string> {
	const event = await eventWhere(
		one => one.type === 'endpoint.state' && one.state === 'listening' && one.url !== before,
	);
	return event.type === 'endpoint.state' ? (event.url ?? '') : '';
}

async function connect(url: string | URL, token: string): Promise<Client> {
	const client = new Client({name: 'an agent', version: '1.0.0'});
	onTestFinished(() => client.close());
	const headers = {authorization: `Bearer ${token}`};
	await client.connect(new StreamableHTTPClientTransport(new URL(url), {requestInit: {headers}}));
	return client;
}

test('the endpoint listens with a token that was made at the first start and stays', async () => {
	const root = temporaryDirectory();
	const first = await runGateway('gateway: {endpoint: {port: 0}}\n', root);
	await addressOf(first);
	const env = join(root, '.env');
	const token = tokenIn(env);
	expect(token).toMatch(/^[\w-]{43}$/);
	expect(statSync(env).mode & 0o777).toBe(0o600);
	await first.gateway.stop('for a moment');
	const second = await runGateway('gateway: {endpoint: {port: 0}}\n', root);
	const url = await addressOf(second);
	expect(tokenIn(env)).toBe(token);
	expect((await fetch(url, {method: 'POST', headers: {authorization: `Bearer ${token}x`}})).status).toBe(401);
});

test('a call through the endpoint asks for approval at the gateway and is counted', async () => {
	const running = await runGateway(`${tells('untrusted')}gateway: {endpoint: {port: 0}}\nmetrics: {enabled: true}\n`);
	onTestFinished(running.gateway.openDecidingConsole());
	const url = await addressOf(running);
	const client = await connect(url, tokenIn(running.paths.env));
	const result = client.callTool({name: 'mcp__tells__pid', arguments: {}});
	expect(await result).toMatchObject({content: [{type: 'text', text: expect.stringMatching(/^\d+$/)}]});
	const asked = client.callTool({name: 'mcp__tells__environment', arguments: {}});
	const card = await running.eventWhere(event => event.type === 'approval.requested');
	expect(card).toMatchObject({tool: 'environment', origin: {kind: 'endpoint', client: 'an agent'}});
	if (card.type === 'approval.requested') {
		const {id, argumentsHash} = card;
		running.gateway.send({method: 'approvals.allow', params: {id, arguments_hash: argumentsHash, scope: 'once'}});
	}

	expect((await asked).isError).not.toBe(true);
	const metrics = await (await fetch(new URL('/metrics', url))).text();
	expect(metrics).toContain('sluice_tool_calls_total{profile="default",server="tells",outcome="ok"} 2\n');
	expect(metrics).toContain('sluice_approvals_total{profile="default",outcome="approved"} 1\n');
	expect(metrics).toContain('sluice_servers{profile="default",state="connected"} 1\n');
	expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/mu);
});

test('each profile has its own tools behind its own token', async () => {
	const root = temporaryDirectory();
	const work = join(root, 'profiles', 'work');
	mkdirSync(work, {recursive: true});
	writeFileSync(join(work, 'config.yaml'), tells('full'));
	const running = await runGateway('gateway: {multiplex_profiles: true, endpoint: {port: 0}}\n', root);
	const url = await addressOf(running);
	const own = tokenIn(join(root, '.env'));
	const other = tokenIn(join(work, '.env'));
	expect(other).not.toBe(own);
	const workUrl = new URL('/p/work/mcp', url);
	expect((await fetch(workUrl, {method: 'POST', headers: {authorization: `Bearer ${own}`}})).status).toBe(401);
	expect((await (await connect(workUrl, other)).listTools()).tools.map(({name}) => name)).toContain('mcp__tells__pid');
	expect((await (await connect(new URL('/p/default/mcp', url), own)).listTools()).tools).toEqual([]);
});

test('a token in the environment of the process opens the first profile alone', async () => {
	const root = temporaryDirectory();
	const work = join(root, 'profiles', 'work');
	mkdirSync(work, {recursive: true});
	const token = 'a-token-of-the-process-itself';
	const yaml = 'gateway: {multiplex_profiles: true, endpoint: {port: 0}}\n';
	const url = await addressOf(await runGateway(yaml, root, {variables: {SLUICE_ENDPOINT_TOKEN: token}}));
	expect((await (await connect(url, token)).listTools()).tools).toEqual([]);
	const workUrl = new URL('/p/work/mcp', url);
	expect((await fetch(workUrl, {method: 'POST', headers: {authorization: `Bearer ${token}`}})).status).toBe(401);
	expect((await (await connect(workUrl, tokenIn(join(work, '.env')))).listTools()).tools).toEqual([]);
});

test('a port in use shows as failed and stops nothing else', async () => {
	const port = Number(new URL(await listen(createServer())).port);
	const running = await runGateway(`${tells('full')}gateway: {endpoint: {port: ${port}}}\n`);
	const event = await running.eventWhere(({type}) => type === 'endpoint.state');
	expect(event).toMatchObject({
		state: 'failed',
		reason: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use; Sluice tries again`),
		nextActions: [expect.objectContaining({kind: 'text'}), {kind: 'or-set', key: 'gateway.endpoint.port'}],
	});
	await running.eventWhere(one => one.type === 'server.state' && one.state === 'connected');
	const lines = running.events.map(one => eventLine(one)).filter(line => line.includes('is in use'));
	expect(lines).toEqual([expect.stringContaining('failed')]);
});

test('a port that the webhooks of the gateway have is called theirs', async () => {
	const port = await freePort();
	const webhook = `{enabled: true, host: 127.0.0.1, port: ${port}}`;
	const running = await runGateway(`platforms: {webhook: ${webhook}}\ngateway: {endpoint: {port: ${port}}}\n`);
	const event = await running.eventWhere(({type}) => type === 'endpoint.state');
	expect(event).toMatchObject({
		state: 'failed',
		reason: `Webhooks and the endpoint are both set to port ${port}; only one of them can listen`,
		nextActions: [{kind: 'edit', key: 'gateway.endpoint.port'}],
	});
});

test('a reload follows the address, and ends it', async () => {
	const running = await runGateway('gateway: {endpoint: {port: 0}}\n');
	const before = await addressOf(running);
	running.writeConfig('gateway: {endpoint: {port: 0, host: localhost}}\n');
	await running.gateway.reload();
	const after = await addressOf(running, before);
	await expect(fetch(after)).resolves.toMatchObject({status: 401});
	await expect(fetch(before)).rejects.toThrow();
	running.writeConfig('gateway: {endpoint: {enabled: false}}\n');
	await running.gateway.reload();
	expect(running.events.findLast(({type}) => type === 'endpoint.state')).toMatchObject({state: 'off'});
	await expect(fetch(after)).rejects.toThrow();
});

test('a token that refers to nothing is no token', async () => {
	const running = await runGateway('gateway: {endpoint: {port: 0, token: "${NOWHERE_SET}"}}\n');
	const event = await running.eventWhere(({type}) => type === 'endpoint.state');
	expect(event).toMatchObject({state: 'failed', reason: expect.stringContaining('gateway.endpoint.token')});
});
