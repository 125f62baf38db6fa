import {readFileSync} from 'node:fs';
import {createServer, type RequestListener} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {describe, expect, onTestFinished, test} from 'vitest';
import {unexpectedType, preflight} from '../../../source/mcp/transport/preflight.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {fixture} from '../../helpers/fixture-program.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {answerJson, httpTransport, openConnections, serverConfig} from '../fixture-servers.ts';

const url = new URL('http://127.0.0.1/mcp');

describe('the answer to the probe', () => {
	test.each([
		[200, 'text/html', 'text/html'],
		[200, 'Text/HTML; charset=utf-8', 'text/html'],
		[206, 'image/png', 'image/png'],
		[299, 'text/plain', 'text/plain'],
		[200, 'application/json; charset=utf-8', undefined],
		[200, 'TEXT/EVENT-STREAM', undefined],
		[200, null, undefined],
		[204, '', undefined],
		[199, 'text/html', undefined],
		[301, 'text/html', undefined],
		[401, 'text/html', undefined],
		[404, 'text/html', undefined],
		[500, 'text/html', undefined],
	])('%i of type %j is foreign: %j', (status, contentType, expected) => {
		expect(unexpectedType({status, contentType})).toBe(expected);
	});
});

describe('the probe', () => {
	test.each([
		[405, ['HEAD', 'GET']],
		[501, ['HEAD', 'GET']],
		[404, ['HEAD']],
		[200, ['HEAD']],
	])('after HEAD was answered %i asks %j', async (status, expected) => {
		const methods: string[] = [];
		const fetch = (_: unknown, init: RequestInit = {}) => {
			methods.push(init.method ?? '');
			return Promise.resolve(new Response(null, {status}));
		};
		await preflight({url, fetch}, {clock: createFakeClock(), timeoutSeconds: 60, signal: neverAborted()});
		expect(methods).toEqual(expected);
	});

	test.each([
		{timeoutSeconds: 60, milliseconds: 5000},
		{timeoutSeconds: 4, milliseconds: 2000},
	])('gives up after $milliseconds ms of $timeoutSeconds s', async ({timeoutSeconds, milliseconds}) => {
		const clock = createFakeClock();
		let over = false;
		const fetch = () => new Promise<Response>(() => {});
		void preflight({url, fetch}, {clock, timeoutSeconds, signal: neverAborted()}).finally(() => {
			over = true;
		});
		await clock.advance(milliseconds - 1);
		expect(over).toBe(false);
		await clock.advance(1);
		expect(over).toBe(true);
	});

	test('leaves a network error to the handshake', async () => {
		const fetch = () => Promise.reject(new Error('ECONNREFUSED'));
		const options = {clock: createFakeClock(), timeoutSeconds: 60, signal: neverAborted()};
		await expect(preflight({url, fetch}, options)).resolves.toBeUndefined();
	});

	test('shows a hostile content type in safe form', async () => {
		const fetch = () => Promise.resolve(new Response('x', {headers: {'content-type': `text/${'x'.repeat(5000)}`}}));
		const failed = preflight({url, fetch}, {clock: createFakeClock(), timeoutSeconds: 60, signal: neverAborted()});
		const message = await failed.catch((error: unknown) => (error instanceof Error ? error.message : ''));
		expect(String(message).length).toBeLessThan(250);
	});
});

/** Answers HEAD (and GET) like a web page and everything else like a tool server. */
function pageInFront(requests: string[]): RequestListener {
	return (request, response) => {
		requests.push(`${request.method} ${String(request.headers['x-key'] ?? '')}`);
		if (request.method === 'HEAD') {
			response.writeHead(200, {'content-type': 'text/html'}).end();
		} else {
			void answerJson(request, response);
		}
	};
}

describe('connecting', () => {
	test('to a web page fails at once, before any message, with a hint', async () => {
		const requests: string[] = [];
		const transport = {
			...httpTransport(await listen(createServer(pageInFront(requests)), '/mcp')),
			headers: {'x-key': '1'},
		};
		const {until} = openConnections([serverConfig(transport)]);
		expect(await until(({state}) => state !== 'connecting')).toMatchObject({
			state: 'failed',
			reason: expect.stringMatching(/content type is text\/html\. .*`skip_preflight: true`/u),
		});
		expect(requests).toEqual(['HEAD 1']);
	});

	test('to the same address works with skip_preflight', async () => {
		const requests: string[] = [];
		const transport = httpTransport(await listen(createServer(pageInFront(requests)), '/mcp'));
		const {until} = openConnections([serverConfig({...transport, preflight: 'skip'})]);
		expect(await until(({state}) => state !== 'connecting')).toMatchObject({state: 'connected'});
		expect(requests).not.toContain('HEAD ');
	});

	test('over SSE asks for no content type', async () => {
		const methods: string[] = [];
		const address = await listen(
			createServer((request, response) => {
				methods.push(request.method ?? '');
				response.writeHead(404).end();
			}),
			'/mcp',
		);
		const {until} = openConnections([serverConfig(httpTransport(address, 'sse'))]);
		await until(({retryAt}) => retryAt !== undefined);
		expect(methods).toEqual(['GET']);
	});

	test('again after a success does not probe again', async () => {
		const methods: string[] = [];
		const address = await listen(
			createServer((request, response) => {
				methods.push(request.method ?? '');
				void answerJson(request, response);
			}),
			'/mcp',
		);
		const {connections, recorded, until} = openConnections([serverConfig(httpTransport(address))]);
		await connections.settled(neverAborted());
		recorded.events.length = 0;
		connections.find('fixture')?.reconnect();
		await until(({state}) => state === 'connected');
		expect(methods.filter(method => method === 'HEAD')).toHaveLength(1);
	});

	test('probes with the certificates of the entry', async () => {
		const pem = (name: string) => fixture(`tls/${name}`);
		const server = createTlsServer(
			{
				key: readFileSync(pem('server.key')),
				cert: readFileSync(pem('server.pem')),
				ca: readFileSync(pem('ca.pem')),
				requestCert: true,
				rejectUnauthorized: true,
			},
			pageInFront([]),
		);
		const tls = {
			verification: {kind: 'bundle', path: pem('ca.pem')},
			clientCertificate: {certificatePath: pem('client.pem'), keyPath: pem('client.key')},
		} as const;
		const {until} = openConnections([serverConfig({...httpTransport(await listen(server, '/mcp')), tls})]);
		expect(await until(({state}) => state !== 'connecting')).toMatchObject({
			reason: expect.stringContaining('content type is text/html'),
		});
	});
});

test('a probe that is cut short by a stop leaves nothing open', async () => {
	const address = await listen(
		createServer(() => {}),
		'/mcp',
	);
	const {connections} = openConnections([serverConfig(httpTransport(address))]);
	onTestFinished(() => connections.stop());
	await connections.stop();
	expect(connections.find('fixture')?.state().kind).toBe('stopped');
});
