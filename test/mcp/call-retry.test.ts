import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {join} from 'node:path';
import {aroundEach, expect, test} from 'vitest';
import * as z from 'zod';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {freePort} from '../helpers/free-port.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {inOwnContext, onTestFinished, openForAll} from '../helpers/on-test-finished.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {
	answerJson,
	callForText,
	httpTransport,
	openConnections,
	readForText,
	serverConfig,
	startListening,
	stdioFixture,
} from './fixture-servers.ts';

aroundEach(inOwnContext);

const messageSchema = z.object({id: z.number().optional(), method: z.string().optional()});

/** Forgets each session after its first call. */
const expiring = openForAll(() => startListening('mcp-legacy.ts', 'http', '--expire-after', '1'));

test('an expired session is replaced and a read-only call repeated', async () => {
	const {url} = expiring();
	const {connections} = openConnections([serverConfig(httpTransport(url))]);
	await connections.settled(neverAborted());
	await readForText(connections, 'echo', {text: 'one'});
	expect(await readForText(connections, 'echo', {text: 'two'})).toBe('two');
});

test('an expired session makes any other call uncertain, and the next one works', async () => {
	const {url} = expiring();
	const file = join(temporaryDirectory(), 'marks');
	const {connections} = openConnections([serverConfig(httpTransport(url))]);
	await connections.settled(neverAborted());
	await callForText(connections, 'append', {file, text: 'a'});
	await expect(callForText(connections, 'append', {file, text: 'b'})).rejects.toMatchObject({
		code: 'outcome_uncertain',
	});
	await callForText(connections, 'append', {file, text: 'c'});
	expect(readFileSync(file, 'utf8')).toBe('ac');
});

test('a session that expires at every call is replayed once and no more', async () => {
	const {url} = await startListening('mcp-legacy.ts', 'http', '--expire-after', '0');
	const {connections} = openConnections([serverConfig(httpTransport(url))]);
	await connections.settled(neverAborted());
	await expect(readForText(connections, 'echo', {text: 'x'})).rejects.toMatchObject({
		code: 'server_unavailable',
	});
});

test('a cut connection reaches the server exactly once', async () => {
	const {url} = await startListening('mcp-legacy.ts', 'http');
	const file = join(temporaryDirectory(), 'marks');
	const {connections} = openConnections([serverConfig(httpTransport(url))]);
	await connections.settled(neverAborted());
	await expect(callForText(connections, 'cut', {file})).rejects.toMatchObject({code: 'outcome_uncertain'});
	expect(readFileSync(file, 'utf8')).toBe('x');
});

test('an answer that breaks off after it has begun leaves the outcome open, at once', async () => {
	const server = createServer((request, response) => void answerHalf(request, response));
	const url = await listen(server, '/mcp');
	const {connections} = openConnections([serverConfig(httpTransport(url), {timeoutSeconds: 5})]);
	await connections.settled(neverAborted());
	await expect(callForText(connections, 'half', {})).rejects.toMatchObject({code: 'outcome_uncertain'});
});

/** Answers everything but calls, whose event stream it begins and then cuts. */
async function answerHalf(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) {
		chunks.push(Buffer.from(chunk));
	}

	const message: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
	const {id, method} = messageSchema.parse(message);
	if (method === 'tools/call') {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.write(': it begins\n\n', () => response.destroy());
		return;
	}

	if (id === undefined) {
		response.writeHead(request.method === 'GET' ? 405 : 202).end();
		return;
	}

	const serverInfo = {name: 'half', version: '1'};
	const result =
		method === 'initialize'
			? {protocolVersion: '2025-06-18', capabilities: {tools: {}}, serverInfo}
			: {tools: [{name: 'half', inputSchema: {type: 'object'}}]};
	response.writeHead(200, {'content-type': 'application/json'});
	response.end(JSON.stringify({jsonrpc: '2.0', id, result}));
}

test('a process that dies during a call leaves the outcome open', async () => {
	const {connections} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'))]);
	await connections.settled(neverAborted());
	await expect(callForText(connections, 'die', {})).rejects.toMatchObject({code: 'outcome_uncertain'});
});

test('a process that dies leaves its last line of stderr in the log', async () => {
	const {connections, recorded} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'))]);
	await connections.settled(neverAborted());
	await callForText(connections, 'die', {}).catch(() => {});
	expect(recorded.ofType('log').map(({text}) => text)).toEqual([
		'server fixture: The server ended with code 3; its last line: out of luck',
	]);
});

test('a process that died comes back at once', async () => {
	const {connections, until} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'))]);
	await connections.settled(neverAborted());
	await callForText(connections, 'die', {}).catch(() => {});
	expect(await callForText(connections, 'echo', {text: 'back'})).toBe('back');
	expect(await until(state => state.state === 'connected')).toBeDefined();
});

test('a read-only call that kills its server is repeated once, not for ever', async () => {
	const {connections, recorded} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'))]);
	await connections.settled(neverAborted());
	await expect(readForText(connections, 'die', {})).rejects.toMatchObject({
		code: 'server_unavailable',
	});
	await connections.settled(neverAborted());
	expect(recorded.ofType('server.state').filter(({state}) => state === 'connected')).toHaveLength(3);
});

test('three lost calls in a row open the breaker', async () => {
	const {connections} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'))]);
	await connections.settled(neverAborted());
	for (let call = 0; call < 3; call++) {
		await expect(callForText(connections, 'die', {})).rejects.toMatchObject({code: 'outcome_uncertain'});
	}

	await expect(callForText(connections, 'echo', {text: 'x'})).rejects.toMatchObject({
		code: 'circuit_open',
		message: expect.stringMatching(/the next call is allowed in (?:60|59|58|57) s$/u),
	});
	connections.find('fixture')?.reconnect();
	expect(await callForText(connections, 'echo', {text: 'x'})).toBe('x');
});

test('a call starts the next attempt of a server that waits for it', async () => {
	const clock = createFakeClock();
	const port = await freePort();
	const {connections, until} = openConnections([serverConfig(httpTransport(`http://127.0.0.1:${port}/mcp`))], {clock});
	for (let attempt = 2; attempt <= 4; attempt++) {
		await until(({reason}) => reason?.includes(`attempt ${attempt} follows`) === true);
		await clock.advance(10_000);
	}

	await until(({state}) => state === 'waiting');
	await expect(callForText(connections, 'echo', {})).rejects.toMatchObject({code: 'server_unavailable'});
	const server = createServer((request, response) => void answerJson(request, response)).listen(port, '127.0.0.1');
	onTestFinished(() => void server.close());
	await clock.advance(1000);
	expect(await callForText(connections, 'echo', {})).toBe('done');
	await until(({state}) => state === 'connected');
});

test('a tool that answers isError does not count for the breaker', async () => {
	const {connections} = openConnections([serverConfig(stdioFixture('mcp-plain.ts'))]);
	await connections.settled(neverAborted());
	for (let call = 0; call < 5; call++) {
		expect(await callForText(connections, 'fail', {})).toBe('no luck');
	}
});

test.concurrent.each(['http', 'sse'] as const)(
	'a server that went away is noticed without a call, and is back when it is (%s)',
	async kind => {
		const first = await startListening('mcp-legacy.ts', kind);
		const {port} = new URL(first.url);
		const {connections, until, recorded} = openConnections([serverConfig(httpTransport(first.url, kind))]);
		await connections.settled(neverAborted());
		first.process.kill('SIGKILL');
		await until(state => state.state === 'connecting' && state.reason !== undefined);
		recorded.events.length = 0;
		await startListening('mcp-legacy.ts', kind, '--port', port);
		await until(state => state.state === 'connected');
		expect(await callForText(connections, 'echo', {text: 'back'})).toBe('back');
	},
);
