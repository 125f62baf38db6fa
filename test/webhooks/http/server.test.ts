import {request as httpRequest} from 'node:http';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {legacySignature, secret} from '../open-handler.ts';
import {dial, openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const config = webhookConfig({routes: [{name: 'open'}, {name: 'closed', secrets: [secret]}], maxBodyBytes: 200_000});

describe('answers over a socket', () => {
	test('an accepted request', async () => {
		const {url} = await openAdapter({config});
		const response = await fetch(`${url}/webhooks/open`, {
			method: 'POST',
			body: '{}',
			headers: {'x-request-id': 'one'},
		});
		expect(response.status).toBe(202);
		expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(await response.json()).toEqual({status: 'accepted', route: 'open', event: 'unknown', delivery_id: 'one'});
	});

	test.each([
		{path: '/webhooks/%zz', status: 404, body: {error: 'Unknown route: %zz'}},
		{path: `/webhooks/${'x'.repeat(150)}`, status: 404, body: {error: `Unknown route: ${'x'.repeat(150)}`}},
		{path: '/webhooks/__proto__', status: 404, body: {error: 'Unknown route: __proto__'}},
		{path: '/webhooks/open/', status: 404, body: {error: 'Unknown route: /webhooks/open/'}},
		{path: '/', status: 404, body: {error: 'Unknown route: /'}},
	])('$path is $status', async ({path, status, body}) => {
		const {url} = await openAdapter({config});
		const response = await fetch(`${url}${path}`, {
			method: 'POST',
			body: '{}',
			headers: {'content-type': 'no type at all'},
		});
		expect({status: response.status, body: await response.json()}).toEqual({status, body});
	});

	test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND'])('%s on a route is 405', async method => {
		const {url} = await openAdapter({config});
		const response = await fetch(`${url}/webhooks/closed`, {method});
		expect({status: response.status, allow: response.headers.get('allow')}).toEqual({status: 405, allow: 'POST'});
	});

	test('HEAD /health has no body', async () => {
		const {url} = await openAdapter({config});
		const response = await fetch(`${url}/health`, {method: 'HEAD'});
		expect([response.status, await response.text()]).toEqual([200, '']);
	});

	test('a duplicate signature header is one that does not fit', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		const good = legacySignature(secret, '{}')['x-webhook-signature'];
		connection.socket.write(
			`POST /webhooks/closed HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nx-webhook-signature: ${good}\r\nx-webhook-signature: ${good}\r\n\r\n{}`,
		);
		await connection.sees('Invalid signature');
	});

	test('bytes beyond ASCII in a header are no exception', async () => {
		const {url, events} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(
			Buffer.from(
				'POST /webhooks/closed HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nx-gitlab-token: \u00FF\u00FE\r\n\r\n{}',
				'latin1',
			),
		);
		await connection.sees('HTTP/1.1 401');
		expect(events.some(event => event.type === 'log')).toBe(false);
	});

	test('a signature covers a gzip body as it was sent', async () => {
		const {url, journal} = await openAdapter({config});
		const body = gzipSync('{"a":"unpacked"}');
		const headers = {...legacySignature(secret, body), 'content-encoding': 'gzip'};
		expect((await fetch(`${url}/webhooks/closed`, {method: 'POST', body, headers})).status).toBe(202);
		expect(journal.runs[0]?.prompt).toContain('unpacked');
	});
});

describe('bodies over a socket', () => {
	test('a refused one is not waited for', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write('POST /webhooks/closed HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n');
		await connection.sees('Invalid signature');
	});

	test('a large refused one ends the connection, a small one does not', async () => {
		const {url} = await openAdapter({config});
		const large = dial(url);
		large.socket.write('POST /webhooks/closed HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n');
		await large.sees('Invalid signature');
		large.socket.write('x'.repeat(100_000));
		await large.closed;
		expect(large.statuses()).toEqual([401]);
		const small = dial(url);
		small.socket.write(
			'POST /webhooks/closed HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}GET /health HTTP/1.1\r\nhost: x\r\n\r\n',
		);
		await small.sees('"platform"');
		expect(small.statuses()).toEqual([401, 200]);
	});

	test('a declared size over the limit is refused before the body, and 100 Continue is not sent', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(
			'POST /webhooks/open HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 200001\r\n\r\n',
		);
		await connection.closed;
		expect(connection.statuses()).toEqual([413]);
	});

	test('an accepted body is invited', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(
			'POST /webhooks/open HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
		);
		await connection.sees('HTTP/1.1 100');
		connection.socket.write('{}');
		await connection.sees('accepted');
		expect(connection.statuses()).toEqual([100, 202]);
	});

	test('a chunked body is cut off at the limit', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
		const chunk = `8000\r\n${'x'.repeat(0x80_00)}\r\n`;
		// The sender goes on while it is read: one write would end before the answer.
		const flood = setInterval(() => connection.socket.write(chunk), 1);
		await connection.closed;
		clearInterval(flood);
		expect(connection.statuses()).toEqual([413]);
	});

	test('a body that stalls is ended with 408', async () => {
		const {url, ofType} = await openAdapter({config, limits: {bodyMilliseconds: 100}});
		const connection = dial(url);
		connection.socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{');
		await connection.closed;
		expect(connection.statuses()).toEqual([408]);
		expect(ofType('webhook.settled')).toMatchObject([{route: 'open', status: 408, outcome: 'rejected'}]);
	});

	test('a sender that goes away leaves a row and no error', async () => {
		const {url, ofType, events} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(
			'POST /webhooks/open HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n',
		);
		await connection.sees('HTTP/1.1 100');
		connection.socket.write('{', () => connection.socket.destroy());
		await expect.poll(() => ofType('webhook.settled').length).toBe(1);
		expect(events.some(event => event.type === 'log')).toBe(false);
	});

	test('a broken chunk is one answer and one row', async () => {
		const {url, ofType} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(
			'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n',
		);
		await connection.closed;
		expect(connection.statuses()).toEqual([400]);
		await expect.poll(() => ofType('webhook.settled')).toMatchObject([{route: 'open', status: 400}]);
	});

	test('a length that is too small does not smuggle a request, and the accepted one is answered', async () => {
		const {url, journal} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}{"more":1}');
		await connection.closed;
		expect(connection.statuses()).toEqual([202]);
		expect(journal.runs).toHaveLength(1);
	});

	test('a refusal is the last answer when its body is followed by what is no request', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(
			'POST /webhooks/closed HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nx-gitlab-token: wrong\r\n\r\n{}{"more":1}',
		);
		await connection.closed;
		expect(connection.statuses()).toEqual([401]);
	});
});

describe('connections', () => {
	test('pipelined requests are checked one by one', async () => {
		const {url} = await openAdapter({config});
		const connection = dial(url);
		const one = 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}';
		connection.socket.write(`${one}${one.replace('open', 'closed')}${one.replace('open', 'nobody')}${one}`);
		await expect.poll(() => connection.statuses()).toEqual([202, 401, 404, 202]);
	});

	test.each([
		{
			fault: 'both lengths',
			text: 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n',
			status: 400,
		},
		{
			fault: 'two lengths',
			text: 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n',
			status: 400,
		},
		{fault: 'no HTTP', text: '\u0016\u0003\u0001\r\n\r\n', status: 400},
		{
			fault: 'a large header block',
			text: `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
			status: 431,
		},
		{
			fault: 'many headers',
			text: `GET /health HTTP/1.1\r\nhost: x\r\n${'x-header: y\r\n'.repeat(3000)}\r\n`,
			status: 431,
		},
	])('$fault is $status, published, and ends the connection', async ({text, status}) => {
		const {url, ofType} = await openAdapter({config});
		const connection = dial(url);
		connection.socket.write(text);
		await connection.closed;
		expect(connection.statuses()).toEqual([status]);
		expect(connection.received()).toContain('{"error":');
		expect(ofType('webhook.settled')).toMatchObject([{status, route: ''}]);
	});

	test('headers that stall are ended with 408', async () => {
		const {url} = await openAdapter({config, limits: {headersMilliseconds: 100, requestMilliseconds: 5000}});
		const connection = dial(url);
		connection.socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\n');
		await connection.closed;
		expect(connection.statuses()).toEqual([408]);
	});

	test('a slow sender holds nobody else up', async () => {
		const {url} = await openAdapter({config});
		for (let index = 0; index < 60; index++) {
			dial(url).socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{');
		}

		expect((await fetch(`${url}/webhooks/open`, {method: 'POST', body: '{}'})).status).toBe(202);
	});

	test('one too many ends the one that has been idle longest', async () => {
		const {url} = await openAdapter({config, limits: {maxConnections: 2}});
		const [first, second] = [dial(url), dial(url)];
		for (const connection of [first, second, first]) {
			const before = connection.received().length;
			connection.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
			await expect.poll(() => connection.received().length).toBeGreaterThan(before);
		}

		const third = dial(url);
		third.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
		await Promise.all([third.sees('platform'), second.closed]);
		expect(first.socket.closed).toBe(false);
	});

	test('one too many is ended itself while all others are at work', async () => {
		const {url} = await openAdapter({config, limits: {maxConnections: 1}});
		const first = dial(url);
		first.socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n');
		await first.sees('HTTP/1.1 100');
		const second = dial(url);
		await second.closed;
		expect(second.received()).toBe('');
		first.socket.write('{}');
		await first.sees('accepted');
	});

	test('an answer reaches a sender whose large body was refused', async () => {
		const {url} = await openAdapter({config});
		const status = await new Promise<number | undefined>((resolve, reject) => {
			const request = httpRequest(`${url}/webhooks/closed`, {method: 'POST', headers: {'content-length': 150_000}});
			request.on('response', response => resolve(response.statusCode));
			request.on('error', reject);
			request.end(Buffer.alloc(150_000));
		});
		expect(status).toBe(401);
	});
});
