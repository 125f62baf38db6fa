import {readFileSync} from 'node:fs';
import {request as forward} from 'node:http';
import {createServer} from 'node:https';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {type TransportConfig} from '../../source/config/servers/server-transport.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {
	callForText,
	httpTransport,
	openConnections,
	serverConfig,
	startListening,
	stdioFixture,
} from './fixture-servers.ts';

const pem = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** A fixture server that accepts known client certificates only. */
async function listenBehindTls(fixture: string, kind: 'http' | 'sse'): Promise<string> {
	const inner = new URL((await startListening(fixture, kind)).url);
	const admission = createServer(
		{
			key: readFileSync(pem('server.key')),
			cert: readFileSync(pem('server.pem')),
			ca: readFileSync(pem('ca.pem')),
			requestCert: true,
			rejectUnauthorized: true,
		},
		(request, response) => {
			const {method, headers, url} = request;
			const inside = forward(new URL(url ?? '/', inner), {method, headers: {...headers, host: inner.host}}, answer => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			});
			response.on('close', () => inside.destroy());
			inside.on('error', () => response.destroy());
			request.pipe(inside);
		},
	);
	return listen(admission, '/mcp');
}

type Certificate = NonNullable<Exclude<TransportConfig, {kind: 'stdio'}>['tls']['clientCertificate']>;

async function openTls(kind: 'http' | 'sse', clientCertificate: Certificate | undefined) {
	const url = await listenBehindTls(kind === 'http' ? 'mcp-both-eras.ts' : 'mcp-legacy.ts', kind);
	const tls = {verification: {kind: 'bundle', path: pem('ca.pem')}, clientCertificate} as const;
	return openConnections([serverConfig({...httpTransport(url, kind), tls})]);
}

const encrypted: Certificate = {
	certificatePath: pem('client.pem'),
	keyPath: pem('client-encrypted.key'),
	keyPassword: 'open sesame',
};

test.each(['http', 'sse'] as const)('a server over %s is called with a client certificate', async kind => {
	const {connections} = await openTls(kind, encrypted);
	await connections.settled(neverAborted());
	expect(await callForText(connections, 'echo', {text: 'hello'})).toBe('hello');
});

test('a server is not reached without one', async () => {
	const {until} = await openTls('http', undefined);
	expect(await until(({reason}) => reason !== undefined)).toMatchObject({state: 'connecting'});
});

test.each(['http', 'sse'] as const)(
	'a certificate file that is missing fails this server over %s at once, by key and path, and no other',
	async kind => {
		const tls = {verification: {kind: 'system'}, clientCertificate: {certificatePath: '/none.pem'}} as const;
		const {until} = openConnections([
			serverConfig({...httpTransport('https://127.0.0.1:9/mcp', kind), tls}),
			serverConfig(stdioFixture('mcp-legacy.ts', 'stdio'), {name: 'other'}),
		]);
		expect(await until(({state}) => state === 'failed')).toMatchObject({
			server: 'fixture',
			reason: expect.stringMatching(/client_cert.*\/none\.pem/u),
		});
		expect(await until(({state}) => state === 'connected')).toMatchObject({server: 'other'});
	},
);
