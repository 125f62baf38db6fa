import {writeFileSync} from 'node:fs';
import {createServer, type RequestListener} from 'node:http';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type TransportConfig} from '../../source/config/servers/server-transport.ts';
import {freePort} from '../helpers/free-port.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {
	callForText,
	httpTransport,
	openConnections,
	serverConfig,
	startListening,
	stdioFixture,
} from './fixture-servers.ts';

function answering(status: number, type = 'text/plain'): RequestListener {
	return (_, response) => {
		response.writeHead(status, {'content-type': type});
		response.end('<p>hello</p>');
	};
}

async function firstEnd(transport: TransportConfig) {
	const {until} = openConnections([serverConfig(transport, {connectTimeoutSeconds: 1})]);
	return until(state => state.state !== 'connecting' || state.retryAt !== undefined);
}

test('a missing executable fails at once and is named', async () => {
	const transport = {kind: 'stdio', command: 'no-such-program', args: [], env: {}} as const;
	expect(await firstEnd(transport)).toMatchObject({
		state: 'failed',
		reason: 'The command no-such-program was not found',
		nextActions: [{text: expect.stringContaining('set `command` to its full path')}, {kind: 'reconnect'}],
	});
});

test('a command that is a whole command line fails at once, and its program is named', async () => {
	const transport = {kind: 'stdio', command: 'npx -y some-server', args: [], env: {}} as const;
	expect(await firstEnd(transport)).toMatchObject({
		state: 'failed',
		reason: 'The command npx -y some-server was not found: it contains spaces, but must be the program alone',
		nextActions: [{text: 'Set `command: npx`, and put the rest into `args`'}, {kind: 'reconnect'}],
	});
});

test('a file without the right to be run fails at once, with the command that gives it', async () => {
	const command = join(temporaryDirectory(), 'server');
	writeFileSync(command, '#!/bin/sh\n', {mode: 0o644});
	expect(await firstEnd({kind: 'stdio', command, args: [], env: {}})).toMatchObject({
		state: 'failed',
		reason: `The command ${command} is not executable`,
		nextActions: [{text: `Run \`chmod +x ${command}\``}, {kind: 'reconnect'}],
	});
});

test('a bad address fails at once and is not quoted', async () => {
	const state = await firstEnd(httpTransport('ftp://secret.example'));
	expect(state).toMatchObject({state: 'failed', reason: '`url` must be an http:// or https:// address'});
});

test('a web page fails at once', async () => {
	const url = await listen(createServer(answering(200, 'text/html')), '/mcp');
	expect(await firstEnd({...httpTransport(url), preflight: 'skip'})).toMatchObject({
		state: 'failed',
		reason: 'The server does not speak MCP',
	});
});

test.each([401, 403])('HTTP %i fails at once with the status and a hint', async status => {
	const url = await listen(createServer(answering(status)), '/mcp');
	expect(await firstEnd(httpTransport(url))).toMatchObject({
		state: 'failed',
		reason: expect.stringContaining(String(status)),
		nextActions: expect.arrayContaining([{kind: 'text', text: expect.stringContaining('headers')}]),
	});
});

test.each([401, 403])('HTTP %i to the probe of the stateless era fails at once', async status => {
	const url = await listen(createServer(answering(status)), '/mcp');
	const {until} = openConnections([serverConfig(httpTransport(url), {protocol: 'stateless'})]);
	expect(await until(({state}) => state !== 'connecting')).toMatchObject({state: 'failed'});
});

test('a server that ends at its start shows how its stderr ended, where all of it is, and what it did not get', async () => {
	const exit = {kind: 'stdio', command: 'sh', args: ['-c', 'echo no GARDEN_KEY >&2; exit 4'], env: {}} as const;
	const {until, logs} = openConnections([serverConfig(exit)], {
		expand: text => text.replace('${env:NODE_EXTRA_CA_CERTS}', '/ca.pem').replace('${env:GARDEN_KEY}', 'key'),
	});
	const state = await until(({retryAt}) => retryAt !== undefined);
	expect(state).toMatchObject({
		reason: expect.stringContaining('The server ended with code 4'),
		stderr: ['no GARDEN_KEY'],
		log: join(logs, 'fixture.log'),
		nextActions: [{kind: 'pass-env', names: ['GARDEN_KEY']}, {kind: 'try-now'}],
	});
});

test('a server that runs shows none of its stderr', async () => {
	const {until} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'chatter'))]);
	const state = await until(({state}) => state === 'connected');
	expect([state.stderr, state.log]).toEqual([undefined, undefined]);
});

test('a server gets the variables that its entry passes on', async () => {
	const expand = (text: string) =>
		text.replace('${env:NODE_EXTRA_CA_CERTS}', '/ca.pem').replace('${env:OTHER}', 'other');
	const transport = {...stdioFixture('mcp-plain.ts'), passEnv: ['NODE_EXTRA_CA_CERTS']};
	const {connections} = openConnections([serverConfig(transport)], {expand});
	await connections.settled(neverAborted());
	const environment: unknown = JSON.parse(await callForText(connections, 'environment', {}));
	expect(environment).toMatchObject({NODE_EXTRA_CA_CERTS: '/ca.pem'});
	expect(environment).not.toHaveProperty('OTHER');
});

test('an address where nothing listens is tried again', async () => {
	const url = `http://127.0.0.1:${await freePort()}/mcp`;
	expect(await firstEnd(httpTransport(url))).toMatchObject({
		state: 'connecting',
		reason: expect.stringContaining('nothing is listening at that address'),
		retryAt: expect.any(Number),
	});
});

test('a server that hangs is given up after the connect timeout and tried again', async () => {
	expect(await firstEnd(stdioFixture('mcp-misbehaving.ts', 'hang'))).toMatchObject({
		state: 'connecting',
		reason: expect.stringContaining('did not answer within 1 s'),
	});
});

test('a process that ends during the handshake is named as the reason', async () => {
	const {until} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'exit'))]);
	expect(await until(state => state.retryAt !== undefined)).toMatchObject({
		state: 'connecting',
		reason: expect.stringContaining('ended with code 4'),
	});
});

test('a slow server delays no other', async () => {
	const {until} = openConnections([
		serverConfig(stdioFixture('mcp-misbehaving.ts', 'hang'), {name: 'slow'}),
		serverConfig(stdioFixture('mcp-plain.ts'), {name: 'fast'}),
	]);
	expect(await until(state => state.server === 'fast' && state.state === 'connected')).toBeDefined();
});

test('an older server is reached with SSE, which is remembered', async () => {
	const {url} = await startListening('mcp-legacy.ts', 'sse');
	const {connections, until, recorded} = openConnections([serverConfig(httpTransport(url))]);
	await connections.settled(neverAborted());
	expect(await until(({state}) => state === 'connected')).toMatchObject({transport: 'sse'});
	recorded.events.length = 0;
	connections.find('fixture')?.reconnect();
	expect(recorded.ofType('server.state')[0]).toMatchObject({state: 'connecting', transport: 'sse'});
	expect(await callForText(connections, 'echo', {text: 'hello'})).toBe('hello');
});

test('SSE is not tried after a time-out', async () => {
	const methods: string[] = [];
	const url = await listen(
		createServer(request => void methods.push(request.method ?? '')),
		'/mcp',
	);
	await firstEnd(httpTransport(url));
	expect(methods).toEqual(['HEAD', 'POST']);
});

test('a disabled server is shown and not connected', async () => {
	const {recorded} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'), {enabled: false})]);
	expect(recorded.ofType('server.state')).toMatchObject([{state: 'disabled', tools: 0}]);
});

test('a server that answers the probe of the stateless era with a page is not one', async () => {
	const url = await listen(createServer(answering(200, 'text/html')), '/mcp');
	const transport = {...httpTransport(url), preflight: 'skip'} as const;
	const {until} = openConnections([serverConfig(transport, {protocol: 'stateless'})]);
	expect(await until(({state}) => state !== 'connecting')).toMatchObject({
		state: 'failed',
		reason: 'The server does not speak MCP',
	});
});
