import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {expect, onTestFinished, test, vi} from 'vitest';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {type RunningGateway, runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const servers = {
	tells: {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'},
};

function configOf(clients: object): string {
	return JSON.stringify({mcp_servers: servers, gateway: {endpoint: {port: 0, clients}}});
}

async function open(clients: object, env: string) {
	const root = temporaryDirectory();
	writeFileSync(join(root, '.env'), env);
	const running = await runGateway(configOf(clients), root);
	const change = async (next: object, nextEnv: string) => {
		writeFileSync(join(root, '.env'), nextEnv);
		writeFileSync(join(root, 'config.yaml'), configOf(next));
		await running.gateway.reload();
	};

	return {running, change, url: () => addressOf(running)};
}

async function addressOf({eventWhere}: RunningGateway): Promise<string> {
	const event = await eventWhere(one => one.type === 'endpoint.state');
	return event.type === 'endpoint.state' ? (event.url ?? event.reason ?? '') : '';
}

async function connect(url: string, token: string): Promise<Client> {
	const client = new Client({name: 'an agent', version: '1.0.0'});
	onTestFinished(() => client.close().catch(() => undefined));
	const headers = {authorization: `Bearer ${token}`};
	await client.connect(new StreamableHTTPClientTransport(new URL(url), {requestInit: {headers}}));
	return client;
}

async function statusOf(url: string, token: string): Promise<number> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		},
		body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
	});
	await answer.body?.cancel();
	return answer.status;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({name}) => name);
const oneToken = 'token-of-the-laptop-1';
const otherToken = 'token-of-the-reviewer-1';
const env = `SLUICE_ENDPOINT_TOKEN=token-of-the-endpoint\nLAPTOP=${oneToken}\nREVIEWER=${otherToken}\n`;
const laptop = {token: '${LAPTOP}'};
const reviewer = {token: '${REVIEWER}', tools: {include: ['tells/pid']}};

test('each client has its own token, its own tools, and its name as the origin of its calls', async () => {
	const {running, url} = await open({laptop, reviewer}, env);
	const first = await connect(await url(), oneToken);
	const second = await connect(await url(), otherToken);
	await vi.waitFor(async () => expect(await namesOf(first)).toContain('mcp__tells__environment'));
	expect(await namesOf(second)).toEqual(['mcp__tells__pid']);
	expect(await namesOf(await connect(await url(), 'token-of-the-endpoint'))).toContain('mcp__tells__environment');

	expect((await second.callTool({name: 'mcp__tells__pid', arguments: {}})).isError).not.toBe(true);
	await expect(second.callTool({name: 'mcp__tells__environment', arguments: {}})).rejects.toMatchObject({
		code: -32_602,
	});
	const calls = running.events.filter(({type}) => type === 'tool.finished' || type === 'tool.started');
	expect(JSON.stringify(calls)).toContain('"name":"reviewer"');
	expect(JSON.stringify(calls)).not.toContain('environment');
});

test('a token that was changed, a client that was removed and `default: false` open nothing, and their sessions end', async () => {
	const {change, url} = await open({laptop, reviewer}, env);
	const address = await url();
	const staying = await connect(address, oneToken);
	await namesOf(staying);
	const rotated = await connect(address, otherToken);
	await namesOf(rotated);
	await change({laptop, reviewer, default: false}, env.replace(otherToken, 'token-of-the-reviewer-2'));
	await vi.waitFor(async () => expect(await statusOf(address, otherToken)).toBe(401));
	expect(await statusOf(address, 'token-of-the-endpoint')).toBe(401);
	await expect(rotated.listTools()).rejects.toThrow();
	expect(await namesOf(await connect(address, 'token-of-the-reviewer-2'))).toEqual(['mcp__tells__pid']);
	expect(await namesOf(staying)).toContain('mcp__tells__environment');

	await change({laptop, default: false}, env);
	await vi.waitFor(async () => expect(await statusOf(address, 'token-of-the-reviewer-2')).toBe(401));
});

test('two clients with one token open nothing, and the log names them', async () => {
	const {running, url} = await open({laptop, reviewer: {token: oneToken}}, env);
	const address = await url();
	expect(await statusOf(address, oneToken)).toBe(401);
	expect(await statusOf(address, 'token-of-the-endpoint')).not.toBe(401);
	const log = await running.eventWhere(event => event.type === 'log' && event.area === 'endpoint');
	expect(log).toMatchObject({level: 'error', text: expect.stringContaining('laptop and reviewer have the same token')});
});

test('a client whose variable is not set opens nothing, and others stay', async () => {
	const {running, url} = await open({laptop: {token: '${NOT_SET}'}, reviewer}, env);
	const address = await url();
	expect(await statusOf(address, otherToken)).not.toBe(401);
	expect(await statusOf(address, '${NOT_SET}')).toBe(401);
	const log = await running.eventWhere(event => event.type === 'log' && event.area === 'endpoint');
	expect(log).toMatchObject({text: expect.stringContaining('gateway.endpoint.clients.laptop.token')});
});

test('a mistake in the clients admits nobody', async () => {
	const {url} = await open({laptop: {...laptop, tool: {include: []}}}, env);
	expect(await url()).toContain('gateway.endpoint.clients admits nobody');
});
