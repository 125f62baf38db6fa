import {createServer, type ServerResponse} from 'node:http';
import {describe, expect, test} from 'vitest';
import {rawAnswerOf} from '../../fixtures/raw-responses.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {httpTransport, openConnections, serverConfig} from '../fixture-servers.ts';
import {answerWith, connectTo, messageSchema} from '../raw-server.ts';

test('an answer of more than 10 MiB leaves the outcome open, and the session as it is', async () => {
	const way = {era: 'legacy', over: 'json'} as const;
	const large = answerWith(way, {content: [{type: 'text', text: 'x'.repeat(10 * 1024 * 1024)}]});
	const {call, connects} = await connectTo(way, large);
	await expect(call(false)).rejects.toMatchObject({code: 'outcome_uncertain'});
	await expect(call(true)).rejects.toMatchObject({code: 'call_failed', message: expect.stringContaining('more than')});
	expect(connects()).toBe(1);
});

test.each([
	['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no luck"}}', {code: 'call_failed'}],
	['{"jsonrpc":"2.0","id":99,"result":{"content":[]}}', {code: 'outcome_uncertain'}],
	['[]', {code: 'outcome_uncertain'}],
])('the body %s is the only answer there will be, and is not waited for any longer', async (text, end) => {
	const {call} = await connectTo({era: 'legacy', over: 'json'}, text);
	await expect(call(false)).rejects.toMatchObject(end);
});

test('an event stream in pieces and with any line ends is read as a whole', async () => {
	const result = '"result":{"content":[{"type":"text","text":"kept"},5]}';
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const {id, method} = messageSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
			if (id === undefined || method === undefined) {
				response.writeHead(request.method === 'POST' ? 202 : 405).end();
				return;
			}

			const answer = rawAnswerOf({era: 'legacy', text: `{"id":%ID%,\r\ndata: ${result}}`, id, method});
			response.writeHead(200, {'content-type': 'text/event-stream'});
			const events = Buffer.from(`: é\r\n\r\nid: 1\r\ndata: ${answer}\r\n\r\n`);
			void writeInPieces(response, events);
		});
	});
	const {connections} = openConnections([serverConfig(httpTransport(await listen(server, '/mcp')))]);
	await connections.settled(neverAborted());
	const request = {kind: 'tool', tool: 'echo', arguments: {}, readOnly: false} as const;
	const answer = await connections.find('fixture')?.request(request, {signal: neverAborted()});
	expect(answer?.content).toHaveLength(2);
});

async function writeInPieces(response: ServerResponse, bytes: Buffer): Promise<void> {
	for (const byte of bytes) {
		await new Promise(resolve => response.write(Buffer.of(byte), resolve));
	}

	response.end();
}

describe.each([
	{era: 'legacy', over: 'json'},
	{era: 'stateless', over: 'json'},
] as const)('$era: beside calls', way => {
	const answer = (method: string, result: object) =>
		`${method} ${answerWith({era: way.era}, way.era === 'stateless' ? {ttlMs: 0, cacheScope: 'private', ...result} : {...result})}`;
	test('one tool that is none does not cost the others', async () => {
		const tools = [{name: 'good', inputSchema: {type: 'object'}}, {name: 'no schema'}, 'x', null];
		const {offers} = await connectTo(way, answer('tools/list', {tools, nextCursor: null}));
		expect(offers.get('fixture')?.tools.map(({name}) => name)).toEqual(['good']);
	});

	test.each([
		[{kind: 'list-resources'}, 'resources/list', {resources: [{uri: 'x:1', name: 'one'}, {uri: 1}]}],
		[{kind: 'list-prompts'}, 'prompts/list', {prompts: [{name: 'one', arguments: 'x'}]}],
		[{kind: 'get-prompt', name: 'p', arguments: {}}, 'prompts/get', {messages: [{role: 'x', content: 'one'}]}],
	] as const)('%j keeps what is not of the form', async (request, method, result) => {
		const {ask} = await connectTo(way, answer(method, result));
		expect(JSON.stringify((await ask(request))?.content)).toContain('one');
	});

	test('a resource of which one part is none keeps the other', async () => {
		const contents = [{uri: 'x:1', text: 'one', mimeType: 'text/plain', _meta: 1}, {uri: 'x:2'}];
		const {ask} = await connectTo(way, answer('resources/read', {contents}));
		const read = await ask({kind: 'read-resource', uri: 'x:1'});
		expect(read?.content).toEqual([
			{type: 'resource', resource: {uri: 'x:1', text: 'one', mimeType: 'text/plain'}},
			{type: 'text', text: expect.stringContaining('x:2')},
		]);
	});

	test.each([
		[{kind: 'list-resources'}, 'resources/list'],
		[{kind: 'read-resource', uri: 'x:1'}, 'resources/read'],
		[{kind: 'get-prompt', name: 'p', arguments: {}}, 'prompts/get'],
	] as const)('%j without its list cannot be read', async (request, method) => {
		const {ask} = await connectTo(way, answer(method, {}));
		await expect(ask(request)).rejects.toMatchObject({message: 'The answer of the server cannot be read'});
	});
});
