/*
`endpoint-server.ts stdio|sdk|floor`: the server with `echo`. `stdio` is the one behind every gateway, without a library, so that its own time
is small; it takes whichever version it is asked for. `sdk` and `floor` are HTTP on loopback, to compare gateways with: on the SDKs, with sessions
on the first one at /first and the stateless era on the second one at /second, and the least a program can do for a call, in both eras. Over HTTP
the first line is the port.
*/
import {randomUUID} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {toNodeHandler} from '@modelcontextprotocol/node';
import {Server as FirstServer} from '@modelcontextprotocol/sdk/server/index.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {CallToolRequestSchema, ListToolsRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {createMcpHandler, Server} from '@modelcontextprotocol/server';
import {listenOnFreePort} from '../test/helpers/free-port.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Message = {
	readonly id?: number | string;
	readonly method: string;
	readonly params?: {readonly protocolVersion?: string; readonly arguments?: Readonly<Record<string, unknown>>};
};

const serverInfo = {name: 'echo', version: '1.0.0'};
const capabilities = {tools: {}};
const tools = [
	{
		name: 'echo',
		inputSchema: {type: 'object' as const, properties: {text: {type: 'string'}}, required: ['text']},
		annotations: {readOnlyHint: true},
	},
];

function echo(args: Readonly<Record<string, unknown>> = {}) {
	return {content: [{type: 'text' as const, text: String(args['text'])}]};
}

function openSdk(): Answer {
	const sessions = new Map<string, StreamableHTTPServerTransport>();
	const first = async (request: IncomingMessage): Promise<StreamableHTTPServerTransport> => {
		const known = sessions.get(String(request.headers['mcp-session-id']));
		if (known) {
			return known;
		}

		const server = new FirstServer(serverInfo, {capabilities});
		server.setRequestHandler(ListToolsRequestSchema, () => ({tools}));
		server.setRequestHandler(CallToolRequestSchema, ({params}) => echo(params.arguments));
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: id => void sessions.set(id, transport),
		});
		await server.connect(transport);
		return transport;
	};

	const second = toNodeHandler(
		createMcpHandler(() => {
			const server = new Server(serverInfo, {capabilities});
			server.setRequestHandler('tools/list', () => ({tools}));
			server.setRequestHandler('tools/call', ({params}) => echo(params.arguments));
			return server;
		}),
	);
	return async (request, response) =>
		request.url === '/first' ? (await first(request)).handleRequest(request, response) : second(request, response);
}

function plainResult({method, params}: Message): object {
	switch (method) {
		case 'initialize':
			return {protocolVersion: params?.protocolVersion, capabilities, serverInfo};
		case 'server/discover':
			return {supportedVersions: ['2026-07-28'], capabilities, serverInfo};
		case 'tools/list':
			return {tools};
		default:
			return echo(params?.arguments);
	}
}

const stateless = {resultType: 'complete', ttlMs: 0, cacheScope: 'private'};

const answerFloor: Answer = async (request, response) => {
	const message = request.method === 'POST' ? (JSON.parse(await text(request)) as Message) : undefined;
	if (message?.id === undefined) {
		response.writeHead(message ? 202 : 405).end();
		return;
	}

	const result = {...(request.url === '/second' && stateless), ...plainResult(message)};
	response
		.writeHead(200, {'content-type': 'application/json'})
		.end(JSON.stringify({jsonrpc: '2.0', id: message.id, result}));
};

function serveStdio(): void {
	createInterface({input: process.stdin}).on('line', line => {
		const message = JSON.parse(line) as Message;
		if (message.id !== undefined) {
			process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', id: message.id, result: plainResult(message)})}\n`);
		}
	});
}

async function serveHttp(answer: Answer): Promise<void> {
	const listener = createServer((request, response) => void answer(request, response));
	// A caller waits for its turn longer than the usual five seconds.
	listener.keepAliveTimeout = 600_000;
	process.stdout.write(`${await listenOnFreePort(listener)}\n`);
}

const [kind] = process.argv.slice(2);
if (kind === 'stdio') {
	serveStdio();
} else {
	await serveHttp(kind === 'sdk' ? openSdk() : answerFloor);
}
