import {createServer} from 'node:http';
import fastify from 'fastify';
import {connectFailure} from '../../source/mcp/session/connect-failure.ts';
import {messageLimitBytes} from '../../source/mcp/transport/remote-fetch.ts';
import {checkAddress} from '../../source/net/address-guard.ts';
import {openServerFetch} from '../../source/net/server-fetch.ts';
import {readTlsOptions} from '../../source/net/tls-options.ts';
import {listen} from '../../source/util/http-server.ts';
import {Problem, toProblem} from '../../source/util/problem.ts';
import {freePort, listenOnFreePort} from '../helpers/free-port.ts';
import {type BadInput} from './bad-input.ts';

async function listenTwice() {
	const server = createServer();
	const port = await listenOnFreePort(server);
	try {
		await listen(fastify(), {host: '127.0.0.1', port});
		return 'listens';
	} catch (error) {
		const {code, message} = toProblem(error);
		return new Problem(code, {message: message.replace(String(port), 'PORT')});
	} finally {
		server.close();
	}
}

async function connect(protocol: 'http' | 'https', port: number) {
	const url = new URL(`${protocol}://127.0.0.1:${port}/mcp`);
	const {fetch, close} = await openServerFetch({url, headers: {}, tls, home: '/', messageLimitBytes});
	try {
		return await fetch(url);
	} catch (error) {
		return connectFailure(error).problem;
	} finally {
		await close();
	}
}

async function httpsAtPlainServer() {
	const server = createServer();
	try {
		return await connect('https', await listenOnFreePort(server));
	} finally {
		server.close();
	}
}

const system = {kind: 'system'} as const;
const tls = {verification: system} as const;

/** Addresses, ports and certificates. */
export const addressRows: readonly BadInput[] = [
	{
		input: 'an address that is not of the web',
		give: () => checkAddress(new URL('file:///etc/passwd'), 'internet'),
		says: ['address_refused: The address was not requested: file: is not a web protocol; use http or https'],
	},
	{
		input: 'an address with credentials',
		give: () => checkAddress(new URL('https://me:pw@a.example'), 'internet'),
		says: ['address_refused: The address was not requested: it contains credentials for a.example'],
	},
	{
		input: 'an address of this machine',
		give: () => checkAddress(new URL('http://127.0.0.1/'), 'internet'),
		says: ['address_refused: The address was not requested: 127.0.0.1 is on a network that is not allowed'],
	},
	{input: 'a port that is in use', give: () => listenTwice(), says: ['port_in_use: Port PORT on 127.0.0.1 is in use']},
	{
		input: 'an address of another machine',
		give: () => listen(fastify(), {host: '203.0.113.1', port: 0}),
		says: ['listen_failed: Cannot listen on port 0 of 203.0.113.1: this machine does not have that address'],
	},
	{
		input: 'a file of authorities that does not exist',
		give: () => readTlsOptions({verification: {kind: 'bundle', path: '/nowhere/ca.pem'}}, '/'),
		says: ['file_missing: ssl_verify: the file /nowhere/ca.pem cannot be read'],
	},
	{
		input: 'a file of authorities without a certificate',
		give: () => readTlsOptions({verification: {kind: 'bundle', path: '/dev/null'}}, '/'),
		says: ['config_invalid: ssl_verify: the file /dev/null contains no certificate in PEM form'],
	},
	{
		input: 'a client certificate that does not exist',
		give: () => readTlsOptions({verification: system, clientCertificate: {certificatePath: '/nowhere/c.pem'}}, '/'),
		says: ['file_missing: client_cert: the file /nowhere/c.pem cannot be read'],
	},
	{
		input: 'https at a server that speaks http',
		give: () => httpsAtPlainServer(),
		says: [
			'connect_failed: The server cannot be reached: it speaks http, not https; change https:// to http://, or use its https port',
		],
	},
	{
		input: 'an address where nothing listens',
		give: async () => connect('http', await freePort()),
		says: ['connect_failed: The server cannot be reached: nothing is listening at that address'],
	},
];
