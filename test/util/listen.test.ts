import {createServer} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {baseAddress, listen} from '../../source/util/listen.ts';

function openServer() {
	const server = createServer((_, response) => response.end('here'));
	onTestFinished(() => void server.close());
	return server;
}

test('the answered address leads to the server, also when it was to be `localhost` and any port', async () => {
	const url = await listen(openServer(), {host: 'localhost', port: 0});
	expect(await (await fetch(url)).text()).toBe('here');
});

test('a connection that cannot be taken ends nothing', async () => {
	const server = openServer();
	const url = await listen(server, {host: '127.0.0.1', port: 0});
	server.emit('error', Object.assign(new Error('accept EMFILE'), {code: 'EMFILE'}));
	expect(await (await fetch(url)).text()).toBe('here');
});

test('a port that is taken is named', async () => {
	const url = await listen(openServer(), {host: '127.0.0.1', port: 0});
	const port = Number(new URL(url).port);
	await expect(listen(openServer(), {host: '127.0.0.1', port})).rejects.toMatchObject({
		code: 'port_in_use',
		message: `Port ${port} on 127.0.0.1 is taken`,
	});
});

test('an address that is not of this machine is no taken port', async () => {
	await expect(listen(openServer(), {host: '192.0.2.1', port: 0})).rejects.toMatchObject({code: 'listen_failed'});
});

test.each([
	['127.0.0.1', 'http://127.0.0.1:80'],
	['::1', 'http://[::1]:80'],
	['0.0.0.0', 'http://127.0.0.1:80'],
	['::', 'http://[::1]:80'],
])('a server bound to %s is reached at %s', (host, address) => {
	expect(baseAddress({host, port: 80})).toBe(address);
});
