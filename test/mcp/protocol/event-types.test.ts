import {createServer} from 'node:http';
import {describe, expect, test} from 'vitest';
import {rawAnswerOf} from '../../fixtures/raw-responses.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {httpTransport, openConnections, serverConfig} from '../fixture-servers.ts';
import {messageSchema} from '../raw-server.ts';

/** Calls a server whose every answer is an event stream: `before` it, and `after` it. %ID% becomes the id. */
async function call(era: 'legacy' | 'stateless', {before = '', after = ''}) {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const {id, method} = messageSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
			if (id === undefined || method === undefined) {
				response.writeHead(request.method === 'POST' ? 202 : 405).end();
				return;
			}

			const around = (events: string) => events.replaceAll('%ID%', String(id));
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write(around(before));
			const text = rawAnswerOf({era, text: 'no/method x', id, method});
			response.write(`event: message\ndata: ${text}\n\n`);
			response.end(around(after));
		});
	});
	const {connections} = openConnections([
		serverConfig(httpTransport(await listen(server, '/mcp')), {
			protocol: era === 'stateless' ? 'stateless' : 'auto',
			timeoutSeconds: 5,
		}),
	]);
	await connections.settled(neverAborted());
	const request = {kind: 'tool', tool: 'echo', arguments: {}, readOnly: false} as const;
	return connections.find('fixture')?.request(request, {signal: neverAborted()});
}

const events = [
	'event: ping\ndata: {"time":1}\n\n',
	'event: ping\ndata: {"id":%ID%}\n\n',
	'event:ping\r\ndata:{}\r\n\r\n',
	'data: {"status":"working"}\nevent: status\n\n',
	'event: error\ndata: {"jsonrpc":"2.0","id":%ID%,"error":{"code":1,"message":"not the answer"}}\n\n',
	'event: progress\ndata: {"jsonrpc":"2.0","id":%ID%,"result":{"content":[{"type":"text","text":"half"}]}}\n\n',
	'event: ping\ndata: 2026-11-24\n\n',
	'event: messages\nid: 7\ndata: null\n\n',
	'data: {"type":"heartbeat"}\n\n',
	'data: {}\n\n',
	'data: ping\n\n',
	'event: ping\n\n',
	': ping\n\n',
];

describe.each(['legacy', 'stateless'] as const)('%s: an answer in an event stream is taken', era => {
	test.each(events)('after %j', async before => {
		expect(await call(era, {before})).toMatchObject({content: [{type: 'text', text: 'done'}]});
	});

	test('after all of them, and before all of them', async () => {
		const all = events.join('');
		expect(await call(era, {before: all, after: all})).toMatchObject({content: [{type: 'text', text: 'done'}]});
	});
});
