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
	{head: 'POST http://elsewhere/webhooks/open HTTP/1.1', status: 404},
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
