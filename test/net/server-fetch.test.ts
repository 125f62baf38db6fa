import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type RequestListener, type Server} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {deflateSync, gzipSync} from 'node:zlib';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openServerFetch} from '../../source/net/server-fetch.ts';
import {type TlsChoice} from '../../source/net/tls-options.ts';
import {listen} from '../helpers/loopback.ts';

const tlsDirectory = fileURLToPath(new URL('../fixtures/tls', import.meta.url));
const pem = (name: string) => join(tlsDirectory, name);
const bundle = {verification: {kind: 'bundle', path: pem('ca.pem')}} as const satisfies TlsChoice;

const listenAt = async (server: Server) => new URL(await listen(server, '/mcp'));

function listenTls(clients: 'any' | 'known'): Promise<URL> {
	const server = createTlsServer(
		{
			key: readFileSync(pem('server.key')),
			cert: readFileSync(pem('server.pem')),
			ca: readFileSync(pem('ca.pem')),
			requestCert: clients === 'known',
			rejectUnauthorized: clients === 'known',
		},
		(_, response) => response.end('hello'),
	);
	return listenAt(server);
}

async function open(url: URL, tls: TlsChoice = {verification: {kind: 'system'}}, headers: Record<string, string> = {}) {
	const opened = await openServerFetch({url, headers, tls, home: dirname(tlsDirectory), messageLimitBytes: 1000});
	onTestFinished(opened.close);
	return opened.fetch;
}

async function textOf(url: URL, tls: TlsChoice): Promise<string> {
	const fetch = await open(url, tls);
	return (await fetch(url)).text();
}

describe('the server proves itself', () => {
	test('an unknown authority is refused', async () => {
		await expect(textOf(await listenTls('any'), {verification: {kind: 'system'}})).rejects.toThrow();
	});

	test('an authority of the own bundle is trusted', async () => {
		expect(await textOf(await listenTls('any'), bundle)).toBe('hello');
	});

	test('a bundle replaces the authorities: another one is refused', async () => {
		const tls: TlsChoice = {verification: {kind: 'bundle', path: pem('other-ca.pem')}};
		await expect(textOf(await listenTls('any'), tls)).rejects.toThrow();
	});

	test('the check can be switched off', async () => {
		expect(await textOf(await listenTls('any'), {verification: {kind: 'unsafe-none'}})).toBe('hello');
	});

	test('`~` in a path is the home directory', async () => {
		expect(await textOf(await listenTls('any'), {verification: {kind: 'bundle', path: '~/tls/ca.pem'}})).toBe('hello');
	});
});

describe('Sluice proves itself', () => {
	test('without a certificate it is refused', async () => {
		await expect(textOf(await listenTls('known'), bundle)).rejects.toThrow();
	});

	test.each([
		['one file with both', {certificatePath: pem('client-both.pem')}],
		['certificate and key', {certificatePath: pem('client.pem'), keyPath: pem('client.key')}],
		[
			'certificate, key and password',
			{certificatePath: pem('client.pem'), keyPath: pem('client-encrypted.key'), keyPassword: 'open sesame'},
		],
	])('with %s', async (_, clientCertificate) => {
		expect(await textOf(await listenTls('known'), {...bundle, clientCertificate})).toBe('hello');
	});
});

describe('a TLS choice that cannot be used', () => {
	const url = new URL('https://127.0.0.1/');
	test.each([
		['ssl_verify', {verification: {kind: 'bundle', path: '/none.pem'}}],
		['client_cert', {...bundle, clientCertificate: {certificatePath: '/none.pem'}}],
		['client_key', {...bundle, clientCertificate: {certificatePath: pem('client.pem'), keyPath: '/none.pem'}}],
	] as const)('names %s and the path of a missing file', async (key, tls) => {
		await expect(open(url, tls)).rejects.toMatchObject({
			code: 'file_missing',
			message: `${key}: the file /none.pem cannot be read`,
		});
	});

	test('is config_invalid with a bundle that has no certificate', async () => {
		const tls = {verification: {kind: 'bundle', path: pem('client.key')}} as const;
		await expect(open(url, tls)).rejects.toMatchObject({
			code: 'config_invalid',
			message: expect.stringMatching(/^ssl_verify: the file \S+client\.key contains no certificate in PEM form$/u),
		});
	});

	test.each([
		['a wrong password', {certificatePath: pem('client.pem'), keyPath: pem('client-encrypted.key'), keyPassword: 'no'}],
		['a key of another certificate', {certificatePath: pem('client.pem'), keyPath: pem('server.key')}],
	])('is config_invalid with %s', async (_, clientCertificate) => {
		await expect(open(url, {...bundle, clientCertificate})).rejects.toMatchObject({code: 'config_invalid'});
	});
});

describe('headers', () => {
	test('are sent, and those of the request win', async () => {
		let seen: IncomingMessage['headers'] = {};
		const url = await listenAt(
			createServer((request, response) => {
				seen = request.headers;
				response.end();
			}),
		);
		const fetch = await open(url, undefined, {authorization: 'Bearer abc', accept: 'text/plain'});
		await fetch(url, {headers: {accept: 'application/json'}});
		expect(seen).toMatchObject({authorization: 'Bearer abc', accept: 'application/json'});
	});

	test('that cannot be sent are named without their value', async () => {
		await expect(open(new URL('http://127.0.0.1/'), undefined, {'x-key': 'secret\nvalue'})).rejects.toMatchObject({
			code: 'config_invalid',
			message: expect.not.stringContaining('secret'),
		});
	});
});

describe('redirects', () => {
	test.each([301, 302, 303, 307, 308])('HTTP %i to another origin carries nothing there', async status => {
		const visitors: string[] = [];
		const other = await listenAt(
			createServer((request, response) => {
				visitors.push(request.url ?? '');
				response.end();
			}),
		);
		const url = await listenAt(createServer(redirectTo(status, other.href)));
		const fetch = await open(url, undefined, {'x-key': 'abc'});
		await expect(fetch(url, {method: 'POST', body: 'secret'})).rejects.toMatchObject({code: 'connect_failed'});
		expect(visitors).toEqual([]);
	});

	test('within the origin carry headers and body', async () => {
		const bodies: string[] = [];
		const url = await listenAt(
			createServer((request, response) => {
				if (request.url === '/mcp') {
					request.resume();
					response.writeHead(307, {location: '/moved'}).end();
					return;
				}

				request.on('data', chunk => bodies.push(`${String(request.headers['x-key'])} ${chunk}`));
				request.on('end', () => response.end());
			}),
		);
		const fetch = await open(url, undefined, {'x-key': 'abc'});
		await fetch(url, {method: 'POST', body: 'hello'});
		expect(bodies).toEqual(['abc hello']);
	});

	test('without end are an error', async () => {
		const url = await listenAt(createServer(redirectTo(302, '/mcp')));
		const fetch = await open(url);
		await expect(fetch(url)).rejects.toMatchObject({code: 'connect_failed'});
	});
});

test('a request to another origin is refused', async () => {
	const fetch = await open(new URL('http://127.0.0.1:1/'));
	await expect(fetch('http://localhost:1/')).rejects.toMatchObject({code: 'connect_failed'});
});

test('an answer past the limit is an error', async () => {
	const url = await listenAt(createServer((_, response) => response.end('x'.repeat(1001))));
	const fetch = await open(url);
	await expect(fetch(url).then(answer => answer.text())).rejects.toMatchObject({code: 'call_failed'});
});

test.each([
	['gzip', gzipSync],
	['deflate', deflateSync],
])('an answer compressed with %s is read, and its limit is that of what it holds', async (encoding, compress) => {
	const url = await listenAt(
		createServer((request, response) => {
			response.setHeader('content-encoding', encoding);
			response.end(compress('x'.repeat(request.method === 'POST' ? 1001 : 1000)));
		}),
	);
	const fetch = await open(url);
	expect(await (await fetch(url)).text()).toHaveLength(1000);
	await expect(fetch(url, {method: 'POST'}).then(answer => answer.text())).rejects.toMatchObject({code: 'call_failed'});
});

function redirectTo(status: number, location: string): RequestListener {
	return (request, response) => {
		request.resume();
		response.writeHead(status, {location}).end();
	};
}
