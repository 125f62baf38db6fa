import {expect, test} from 'vitest';
import {dial, openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const config = webhookConfig({routes: [{name: 'open'}]});

// Fastify has answers of its own to most of these.
test.each([
	{head: 'POST /webhooks/open HTTP/1.1\r\ncontent-type: no type at all', status: 415},
	{head: 'POST /webhooks/open HTTP/1.1\r\naccept-version: 2', status: 202},
	{head: 'POST /webhooks/op%65n HTTP/1.1', status: 202},
	{head: 'POST /Webhooks/open HTTP/1.1', status: 404},
	{head: 'POST //webhooks/open HTTP/1.1', status: 404},
	{head: 'POST http://elsewhere/webhooks/open HTTP/1.1', status: 202},
	{head: 'POST HTTP://elsewhere:81/webhooks/open?a=b HTTP/1.1', status: 202},
	{head: 'POST https://elsewhere/p/default/webhooks/open HTTP/1.1', status: 202},
	{head: 'POST http://elsewhere//webhooks/open HTTP/1.1', status: 404},
	{head: 'POST http://elsewhere HTTP/1.1', status: 404},
	{head: 'POST http://me:mine@elsewhere/webhooks/open HTTP/1.1', status: 404},
	{head: 'POST ftp://elsewhere/webhooks/open HTTP/1.1', status: 404},
	{head: 'OPTIONS * HTTP/1.1', status: 404},
	{head: 'HEAD /webhooks/open HTTP/1.1', status: 405},
	{head: 'QUERY /webhooks/open HTTP/1.1', status: 405},
	{head: 'POST /health?x=%zz HTTP/1.1', status: 405},
])('$head is $status, answered and published like any other', async ({head, status}) => {
	const {url, ofType} = await openAdapter({config});
	const connection = dial(url);
	connection.socket.write(`${head}\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`);
	await connection.closed;
	expect(connection.statuses()).toEqual([status]);
	expect(connection.received()).toContain('content-type: application/json; charset=utf-8');
	expect(ofType('webhook.settled')).toMatchObject([{status}]);
});

test.each(['POST', 'GET'])(
	'a %s over HTTP/1.0 with a transfer encoding is 400, and nothing after it is answered',
	async method => {
		const {url, ofType, journal} = await openAdapter({config});
		const connection = dial(url);
		const next = 'POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}';
		connection.socket.write(
			`${method} /webhooks/open HTTP/1.0\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${next}`,
		);
		await connection.closed;
		expect(connection.statuses()).toEqual([400]);
		expect(connection.received()).toContain('{"error":"Bad request"}');
		expect(ofType('webhook.settled')).toMatchObject([{status: 400}]);
		expect(journal.runs).toEqual([]);
		const good = dial(url);
		good.socket.write('POST /webhooks/open HTTP/1.0\r\ncontent-length: 2\r\n\r\n{}');
		await good.closed;
		expect(good.statuses()).toEqual([202]);
	},
);
