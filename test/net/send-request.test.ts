import {createServer, type RequestListener} from 'node:http';
import {createServer as createSocketServer, type Server as SocketServer} from 'node:net';
import {Agent} from 'undici';
import {expect, onTestFinished, test, vi} from 'vitest';
import {type PlainRequest, sendRequest} from '../../source/net/send-request.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

const listenAt = async (server: SocketServer) => new URL(await listen(server, '/path?query=1'));

async function send(answer: RequestListener, request: Partial<PlainRequest> = {}) {
	return sendTo(await listenAt(createServer(answer)), request);
}

function sendTo(url: URL, request: Partial<PlainRequest> = {}) {
	const agent = new Agent();
	onTestFinished(() => agent.destroy());
	return sendRequest(agent, url, {method: 'GET', headers: {}, ...request});
}

const textOf = (body: ReadableStream<Uint8Array> | null) => new Response(body).text();

test('method, path, headers and body arrive, and status, headers and body come back', async () => {
	const answer = await send(
		(request, response) => {
			request.on('data', (body: Buffer) => {
				const {method, url, headers} = request;
				response.writeHead(
					418,
					'Teapot',
					[
						['x-two', 'a'],
						['x-two', 'b'],
					].flat(),
				);
				response.end(`${method} ${url} ${String(headers['x-key'])} ${body.toString()}`);
			});
		},
		{method: 'POST', headers: {'x-key': 'abc'}, body: 'hello'},
	);
	expect(answer).toMatchObject({status: 418, statusText: 'Teapot'});
	expect(answer.headers.get('x-two')).toBe('a, b');
	expect(await textOf(answer.body)).toBe('POST /path?query=1 abc hello');
});

test.each([
	['HEAD', 200],
	['GET', 204],
	['GET', 304],
])('an answer to %s with %i has no body', async (method, status) => {
	const answer = await send((_, response) => void response.writeHead(status).end(), {method});
	expect(answer.body).toBeNull();
});

test('the pieces of an answer arrive as they come', async () => {
	const wasRead = Promise.withResolvers<void>();
	const answer = await send((_, response) => {
		response.write('first');
		void wasRead.promise.then(() => response.end('second'));
	});
	const reader = answer.body?.getReader();
	const first = await reader?.read();
	expect(Buffer.from(first?.value ?? []).toString()).toBe('first');
	wasRead.resolve();
});

test('a reader that stops reading stops the server', async () => {
	let sent = 0;
	const mebibyte = Buffer.alloc(1024 * 1024);
	const answer = await send((_, response) => {
		const write = () => {
			if (sent < 200) {
				sent++;
				response.write(mebibyte, write);
			}
		};

		write();
	});
	// The sockets take what they have room for, and then nothing until somebody reads.
	let before = -1;
	const isStill = () => {
		const still = sent === before;
		before = sent;
		return still;
	};
	await expect.poll(isStill, {interval: 100, timeout: 10_000}).toBe(true);
	expect(sent).toBeLessThan(100);
	await answer.body?.cancel();
});

test('what cannot be reached rejects as fetch does, with the cause inside', async () => {
	const server = createServer();
	const url = await listenAt(server);
	await new Promise(resolve => server.close(resolve));
	await expect(sendTo(url)).rejects.toMatchObject({
		name: 'TypeError',
		message: 'fetch failed',
		cause: {code: 'ECONNREFUSED'},
	});
});

test('an answer that breaks off fails in its body', async () => {
	const answer = await send((_, response) => {
		response.writeHead(200, {'content-length': 100});
		response.write('some', () => response.destroy());
	});
	await expect(textOf(answer.body)).rejects.toMatchObject({name: 'TypeError', message: 'terminated'});
});

test('an address with credentials in it is refused, without a word of them', async () => {
	const sent = sendTo(new URL('http://somebody:secret@127.0.0.1:9/'));
	await expect(sent).rejects.toMatchObject({name: 'TypeError', message: expect.not.stringContaining('secret')});
});

test('an aborted signal sends nothing', async () => {
	let asked = 0;
	const signal = AbortSignal.abort(new Error('enough'));
	await expect(send(() => void asked++, {signal})).rejects.toThrow('enough');
	expect(asked).toBe(0);
});

test('an abort while the server thinks rejects with its reason and ends the connection', async () => {
	const controller = new AbortController();
	const closed = Promise.withResolvers<void>();
	const sent = send(
		request => {
			request.on('close', () => closed.resolve());
			controller.abort(new Error('enough'));
		},
		{signal: controller.signal},
	);
	await expect(sent).rejects.toThrow('enough');
	await closed.promise;
});

test('an abort rejects at once while the connection is still being made', async () => {
	// A peer that answers TLS with silence is never connected.
	const controller = new AbortController();
	const url = await listenAt(createSocketServer(() => controller.abort(new Error('enough'))));
	const sent = sendTo(new URL(`https://${url.host}/`), {signal: controller.signal});
	await expect(sent).rejects.toThrow('enough');
});

test('an abort while the body is read fails the body with its reason', async () => {
	const controller = new AbortController();
	const answer = await send((_, response) => void response.write('first'), {signal: controller.signal});
	controller.abort(new Error('enough'));
	await expect(textOf(answer.body)).rejects.toThrow('enough');
});

test('a body that is given up ends the connection', async () => {
	const closed = Promise.withResolvers<void>();
	const answer = await send((request, response) => {
		response.write('first');
		request.on('close', () => closed.resolve());
	});
	await answer.body?.cancel();
	await closed.promise;
});

test('nothing of a request that is over listens to its signal', async () => {
	const signal = neverAborted();
	const add = vi.spyOn(signal, 'addEventListener');
	const remove = vi.spyOn(signal, 'removeEventListener');
	const answer = await send((_, response) => void response.end('done'), {signal});
	expect(await textOf(answer.body)).toBe('done');
	expect(add).toHaveBeenCalledOnce();
	expect(remove).toHaveBeenCalledWith('abort', add.mock.calls[0]?.[1]);
});
