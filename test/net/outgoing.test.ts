import {createServer, type RequestListener} from 'node:http';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openOutgoing} from '../../source/net/outgoing.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

/** A server that answers as the test says, and the way to it. */
async function open(listener: RequestListener) {
	const server = createServer(listener);
	const url = new URL(await listen(server, '/x'));
	const outgoing = await openOutgoing();
	onTestFinished(outgoing.close);
	const request = (more: {signal?: AbortSignal; headers?: Record<string, string>; url?: URL} = {}) =>
		outgoing.request({url, method: 'POST', headers: {}, body: 'hello', signal: neverAborted(), ...more});
	return {request, server, url};
}

test('an answer is status, headers and text', async () => {
	const {request} = await open((_, response) => response.writeHead(201, {'x-one': 'two'}).end('done'));
	const answer = await request();
	expect(answer).toMatchObject({kind: 'answer', status: 201, body: 'done'});
	expect(answer.kind === 'answer' && answer.headers.get('x-one')).toBe('two');
});

test('a redirect is an answer and is not followed', async () => {
	let requests = 0;
	const {request} = await open((_, response) => {
		requests++;
		response.writeHead(307, {location: 'http://169.254.169.254/'}).end();
	});
	expect(await request()).toMatchObject({kind: 'answer', status: 307});
	expect(requests).toBe(1);
});

test('a body without end is cut', async () => {
	const {request} = await open((_, response) => {
		const more = () => void (response.write('x'.repeat(65_536)), setImmediate(more));
		more();
	});
	const answer = await request();
	expect(answer.kind === 'answer' && answer.body.length).toBe(262_144);
});

describe('what was never sent is distinguished from what was lost', () => {
	test('nobody listens', async () => {
		const {request, server} = await open(() => undefined);
		await new Promise(resolve => server.close(resolve));
		expect(await request()).toEqual({kind: 'unreachable', detail: 'the request failed (ECONNREFUSED)'});
	});

	test.each([
		['a header that cannot be sent', {headers: {Authorization: 'Bearer secret\nvalue'}}],
		['an address with a password', {url: new URL('http://me:secret@127.0.0.1:1/')}],
	])('%s, which is not repeated', async (_what, more) => {
		const {request} = await open(() => undefined);
		const answer = await request(more);
		expect(answer.kind).toBe('never-sent');
		expect(JSON.stringify(answer)).not.toContain('secret');
	});

	test('it was called off before', async () => {
		const {request} = await open(() => undefined);
		const signal = AbortSignal.abort(new Error('over'));
		expect(await request({signal})).toEqual({kind: 'never-sent', detail: 'over'});
	});

	test('the server hangs up', async () => {
		const {request} = await open(incoming => incoming.socket.destroy());
		expect((await request()).kind).toBe('lost');
	});

	test('the server hangs up within its answer', async () => {
		const {request} = await open((_, response) => {
			response.writeHead(200, {'content-length': '100'}).write('half', () => response.destroy());
		});
		expect((await request()).kind).toBe('lost');
	});

	test('it is called off while the server is silent', async () => {
		const controller = new AbortController();
		const {request} = await open(() => controller.abort(new Error('over')));
		expect((await request({signal: controller.signal})).kind).toBe('lost');
	});

	test('the server speaks no TLS', async () => {
		const {request, url} = await open(() => undefined);
		const answer = await request({url: new URL(url.href.replace('http:', 'https:'))});
		expect(answer.kind).toBe('unreachable');
	});
});
