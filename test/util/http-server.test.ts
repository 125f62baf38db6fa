import {connect} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {
	type HandleRequest,
	baseAddress,
	createHttpServer,
	type HttpServerOptions,
	listen,
	portState,
} from '../../source/util/http-server.ts';

async function open(answer: HandleRequest, options: HttpServerOptions = {}): Promise<number> {
	const app = await createHttpServer({forceCloseConnections: true, ...options}, answer);
	onTestFinished(() => app.close());
	return Number(new URL(await app.listen({host: '127.0.0.1', port: 0})).port);
}

/** The answer to the lines of one request, until the connection ends. */
function send(port: number, ...lines: readonly string[]): Promise<string> {
	return new Promise(resolve => {
		let text = '';
		const socket = connect(port, '127.0.0.1').setEncoding('utf8');
		socket.on('data', data => (text += String(data))).on('close', () => resolve(text));
		socket.write([...lines, 'host: x', 'connection: close', '', ''].join('\r\n'));
	});
}

const echo: HandleRequest = async ({raw}, reply) => void reply.code(202).send(`${raw.method} ${raw.url} unread`);

test.each([
	{line: 'GET /any/path'},
	{line: 'GET /%zz'},
	{line: 'GET //twice//'},
	{line: `GET /${'long/'.repeat(500)}`},
	{line: 'OPTIONS *'},
	{line: 'PROPFIND /path'},
	{line: 'QUERY /path'},
	{line: 'GET /path', header: 'accept-version: 1'},
	{line: 'POST /path', header: 'content-type: no type at all\r\ncontent-length: 0'},
	{line: 'PUT /path', header: 'content-type: application/json\r\ncontent-length: 99999999'},
	{line: 'DELETE /path', header: 'transfer-encoding: chunked'},
])('$line, $header reaches the answering function with its body unread', async ({line, header}) => {
	const answer = await send(await open(echo), `${line} HTTP/1.1`, ...(header === undefined ? [] : [header]));
	expect(answer).toMatch(/^HTTP\/1\.1 202 /u);
	expect(answer.endsWith(`${line} unread`)).toBe(true);
});

test.each([
	{target: 'http://elsewhere:81/path?query', url: '/path?query', host: 'elsewhere:81'},
	{target: 'HTTPS://[::1]//path/../', url: '//path/../', host: '[::1]'},
	{target: 'http://elsewhere?query', url: '/?query', host: 'elsewhere'},
	{target: 'http://me:mine@elsewhere/path', url: 'http://me:mine@elsewhere/path', host: 'x'},
	{target: 'ftp://elsewhere/path', url: 'ftp://elsewhere/path', host: 'x'},
	{target: '/path?http://elsewhere/', url: '/path?http://elsewhere/', host: 'x'},
])('the target $target is $url at $host', async ({target, url, host}) => {
	const port = await open(async ({raw}, reply) => void reply.send(`${raw.url} at ${raw.headers.host}.`));
	expect(await send(port, `GET ${target} HTTP/1.1`)).toContain(`\r\n${url} at ${host}.`);
});

test('a request over HTTP/1.0 with a transfer encoding is 400, and what follows is not answered', async () => {
	const asked: unknown[] = [];
	const port = await open(async ({raw}, reply) => {
		asked.push(raw.url);
		void reply.send();
	});
	const answer = await send(
		port,
		'POST /first HTTP/1.0\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /second HTTP/1.1',
	);
	expect(answer).toMatch(/^HTTP\/1\.1 400 /u);
	expect(await send(port, 'GET /third HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /u);
	expect(asked).toEqual(['/third']);
});

test('a body is not invited by the server itself', async () => {
	const port = await open(echo);
	expect(await send(port, 'POST / HTTP/1.1', 'expect: 100-continue', 'content-length: 1')).toMatch(/^HTTP\/1\.1 202 /u);
});

test.each(['/', '/%zz'])('an answer that fails costs its connection, and %s says nothing of it', async path => {
	const caught: unknown[] = [];
	const error = new Error('a secret');
	const port = await open(() => Promise.reject(error), {onError: one => caught.push(one)});
	expect(await send(port, `GET ${path} HTTP/1.1`)).toBe('');
	expect(caught).toEqual([error]);
});

async function createServer() {
	const app = await createHttpServer({}, async (_, reply) => void reply.send('here'));
	onTestFinished(() => app.close());
	return app;
}

test('the answered address leads to the server, also when it was to be `localhost` and any port', async () => {
	const url = await listen(await createServer(), {host: 'localhost', port: 0});
	expect(await (await fetch(url)).text()).toBe('here');
});

test('a connection that cannot be taken ends nothing', async () => {
	const app = await createServer();
	const url = await listen(app, {host: '127.0.0.1', port: 0});
	app.server.emit('error', Object.assign(new Error('accept EMFILE'), {code: 'EMFILE'}));
	expect(await (await fetch(url)).text()).toBe('here');
});

test('a port that is taken is named', async () => {
	const url = await listen(await createServer(), {host: '127.0.0.1', port: 0});
	const port = Number(new URL(url).port);
	await expect(listen(await createServer(), {host: '127.0.0.1', port})).rejects.toMatchObject({
		code: 'port_in_use',
		message: `Port ${port} on 127.0.0.1 is in use`,
	});
});

test.each(['127.0.0.1', 'localhost'])(
	'a port of %s is looked at as a server would take it, and not kept',
	async host => {
		const app = await createServer();
		const port = Number(new URL(await listen(app, {host: 'localhost', port: 0})).port);
		expect(await portState({host, port})).toEqual({kind: 'taken'});
		await app.close();
		expect(await portState({host, port})).toEqual({kind: 'free'});
		expect(await listen(await createServer(), {host, port})).toBe(`http://127.0.0.1:${port}`);
	},
);

test('an address that is not of this machine is no taken port', async () => {
	await expect(listen(await createServer(), {host: '192.0.2.1', port: 0})).rejects.toMatchObject({
		code: 'listen_failed',
	});
});

test.each([
	['127.0.0.1', 'http://127.0.0.1:80'],
	['::1', 'http://[::1]:80'],
	['0.0.0.0', 'http://127.0.0.1:80'],
	['::', 'http://[::1]:80'],
])('a server bound to %s is reached at %s', (host, address) => {
	expect(baseAddress({host, port: 80})).toBe(address);
});
