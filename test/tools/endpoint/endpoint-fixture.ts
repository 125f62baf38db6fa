import {PassThrough} from 'node:stream';
import {
	Client,
	ReadBuffer,
	serializeMessage,
	StreamableHTTPClientTransport,
	type Transport,
} from '@modelcontextprotocol/client';
import {Client as LegacyClient} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport as LegacyHttpTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {ResultSchema, ToolListChangedNotificationSchema} from '@modelcontextprotocol/sdk/types.js';
import {onTestFinished} from 'vitest';
import {z} from 'zod';
import {type EndpointRules} from '../../../source/tools/endpoint/authorize-request.ts';
import {type EndpointClient, openEndpointListener} from '../../../source/tools/endpoint/endpoint-listener.ts';
import {type EndpointTools} from '../../../source/tools/endpoint/endpoint-tools.ts';
import {serveStream} from '../../../source/tools/endpoint/serve-stream.ts';
import {type Clock, systemClock} from '../../../source/util/clock.ts';
import {openCallFixture, toolsOf} from '../call-fixture.ts';

export const token = 'the-token-of-the-first-profile';
export const otherToken = 'the-token-of-another-profile';

/** A call fixture behind a real listener on a free port; a second profile has the same tools behind another token. */
export async function openEndpoint(
	options: Parameters<typeof openCallFixture>[0] & {
		readonly metrics?: EndpointRules<EndpointClient>['metrics'];
		readonly listenerClock?: Clock;
		/** Clients of the first profile besides the one with `token`. */
		readonly clients?: (tools: EndpointTools) => readonly EndpointClient[];
		/** The clock of the calls; `fake`: that of the call fixture. */
		readonly callClock?: 'system' | 'fake';
	} = {},
) {
	const {
		metrics = {kind: 'off'},
		listenerClock: clock = systemClock,
		callClock,
		clients: others,
		...fixtureOptions
	} = options;
	const callOptions = openCallFixture(fixtureOptions);
	const tools = toolsOf(callOptions, callClock === 'fake' ? callOptions.clock : systemClock);
	const errors: Error[] = [];
	const clients = new Map<string | undefined, readonly EndpointClient[]>([
		[undefined, [{key: 'default', token, tools}, ...(others?.(tools) ?? [])]],
		['work', [{key: 'work', token: otherToken, tools}]],
	]);
	const listener = await openEndpointListener(
		{
			rules: () => ({host: '127.0.0.1', clientsOf: name => clients.get(name), metrics}),
			metrics: async () => 'up 1\n',
			report: error => void errors.push(error),
			clock,
		},
		{host: '127.0.0.1', port: 0},
	);
	onTestFinished(listener.close);
	const {url} = listener;
	return {...callOptions, tools, listener, errors, url, endpoint: new URL('/mcp', url)};
}

const authorized = {headers: {authorization: `Bearer ${token}`}};

/** The members of the answers that tests look at; each answer has some of them. */
type FeatureAnswer = Readonly<Record<string, unknown>> & {
	readonly resources: ReadonlyArray<{readonly uri: string}>;
	readonly resourceTemplates: readonly unknown[];
	readonly prompts: readonly unknown[];
	readonly tools: readonly unknown[];
	readonly contents: readonly unknown[];
	readonly messages: ReadonlyArray<{readonly content: {readonly text: string}}>;
	readonly completion: {readonly values: readonly string[]};
	readonly description?: string;
	readonly nextCursor?: string;
};

/** The acts of a client, whichever library it is. */
export type TestClient = {
	readonly listTools: (params?: {
		readonly cursor?: string;
	}) => Promise<{readonly tools: ReadonlyArray<{readonly name: string}>; readonly nextCursor?: string | undefined}>;
	readonly callTool: (
		params: {readonly name: string; readonly arguments: Record<string, unknown>},
		options?: {
			readonly signal?: AbortSignal;
			readonly onprogress?: (progress: {readonly progress: number; readonly message?: string | undefined}) => void;
			readonly timeout?: number;
			readonly resetTimeoutOnProgress?: boolean;
		},
	) => Promise<Record<string, unknown>>;
	/** Any request of the protocol. */
	readonly request: (
		method: string,
		params?: Record<string, unknown>,
		options?: {readonly signal?: AbortSignal; readonly onprogress?: (progress: {readonly progress: number}) => void},
	) => Promise<FeatureAnswer>;
	/** Waits for changes of a resource and of the lists. */
	readonly watch: (uri: string) => Promise<void>;
	readonly unwatch: (uri: string) => Promise<void>;
	/** The notifications that the client itself does not handle. */
	readonly notified: ReadonlyArray<{readonly method: string; readonly params?: Record<string, unknown>}>;
	readonly instructions: () => string | undefined;
	readonly close: () => Promise<void>;
};

/** Called when the server says that its list has changed. */
type Changed = () => void;

/** A client that a test closes, or the end of the test. */
function closing<Closable extends {close: () => Promise<void>}>(client: Closable): Closable {
	onTestFinished(() => client.close().catch(() => undefined));
	return client;
}

/** A client of the first SDK over HTTP: it knows the older era alone. */
export async function connectFirstSdk(endpoint: URL, changed?: Changed, ownToken = token): Promise<TestClient> {
	const requestInit = {headers: {authorization: `Bearer ${ownToken}`}};
	return firstSdk(new LegacyHttpTransport(endpoint, {requestInit}), changed);
}

/** The same over a pair of streams. */
function connectFirstSdkStream(tools: EndpointTools, changed?: Changed): Promise<TestClient> {
	return firstSdk(servedStream(tools), changed);
}

async function firstSdk(
	transport: Parameters<LegacyClient['connect']>[0],
	changed: Changed = () => undefined,
): Promise<TestClient> {
	const client = closing(new LegacyClient({name: 'first-sdk', version: '1.0.0'}));
	client.setNotificationHandler(ToolListChangedNotificationSchema, changed);
	const notified: Notified[] = [];
	client.fallbackNotificationHandler = async notification => void notified.push(notification);
	await client.connect(transport);
	return {
		listTools: params => client.listTools(params),
		callTool: (params, options) => client.callTool(params, undefined, options),
		request: async (method, params = {}, options = {}) =>
			(await client.request({method, params}, ResultSchema, options)) as unknown as FeatureAnswer,
		watch: async uri => void (await client.subscribeResource({uri})),
		unwatch: async uri => void (await client.unsubscribeResource({uri})),
		notified,
		instructions: () => client.getInstructions(),
		close: () => client.close(),
	};
}

type Notified = TestClient['notified'][number];

/** A client of the second SDK over HTTP, held to one era. */
export async function connectSecondSdk(
	endpoint: URL,
	era: Era,
	changed: Changed = () => undefined,
): Promise<TestClient> {
	return secondSdk(new StreamableHTTPClientTransport(endpoint, {requestInit: authorized}), era, changed);
}

/** A client of the second SDK over a pair of streams. */
export async function connectStream(
	tools: EndpointTools,
	era: Era,
	changed: Changed = () => undefined,
): Promise<TestClient> {
	return secondSdk(servedStream(tools), era, changed);
}

/** The client's end of a pair of streams that are served until the test ends. */
function servedStream(tools: EndpointTools): Transport {
	const up = new PassThrough();
	const down = new PassThrough();
	const controller = new AbortController();
	const served = serveStream(tools, {input: up, output: down}, {signal: controller.signal, report: () => undefined});
	onTestFinished(async () => {
		controller.abort();
		await served;
	});
	return streamTransport(down, up);
}

type Era = 'legacy' | 'stateless';

async function secondSdk(transport: Transport, era: Era, changed: Changed): Promise<TestClient> {
	const mode = era === 'legacy' ? 'legacy' : ({pin: '2026-07-28'} as const);
	const listChanged = {tools: {autoRefresh: false, debounceMs: 0, onChanged: changed}};
	const info = {name: `second-sdk-${era}`, version: '1.0.0'};
	const client = closing(new Client(info, {versionNegotiation: {mode}, listChanged}));
	const notified: Notified[] = [];
	client.fallbackNotificationHandler = async notification => void notified.push(notification);
	await client.connect(transport);
	const streams = new Map<string, Awaited<ReturnType<Client['listen']>>>();
	return {
		listTools: params => client.listTools(params),
		callTool: (params, options) => client.callTool(params, options),
		request: async (method, params = {}, options = {}) =>
			(await client.request({method, params}, z.looseObject({}), options)) as unknown as FeatureAnswer,
		async watch(uri) {
			if (era === 'legacy') {
				await client.subscribeResource({uri});
				return;
			}

			const lists = {resourcesListChanged: true, promptsListChanged: true};
			const stream = await client.listen({resourceSubscriptions: [uri], ...lists});
			if (!stream.honoredFilter.resourceSubscriptions?.includes(uri)) {
				throw new Error('The resource is not in the acknowledgement');
			}

			streams.set(uri, stream);
		},
		unwatch: async uri =>
			void (await (era === 'legacy' ? client.unsubscribeResource({uri}) : streams.get(uri)?.close())),
		notified,
		instructions: () => client.getInstructions(),
		close: () => client.close(),
	};
}

function streamTransport(input: PassThrough, output: PassThrough): Transport {
	const buffer = new ReadBuffer();
	const transport: Transport = {
		async start() {
			input.on('data', (chunk: Buffer) => {
				buffer.append(chunk);
				for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
					transport.onmessage?.(message);
				}
			});
			input.on('end', () => transport.onclose?.());
		},
		async send(message) {
			output.write(serializeMessage(message));
		},
		async close() {
			output.end();
			transport.onclose?.();
		},
	};
	return transport;
}

/** A bare request, for what no client would send. */
export function post(
	endpoint: URL,
	options: {readonly headers?: Record<string, string>; readonly body?: unknown; readonly text?: string} = {},
) {
	return fetch(endpoint, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${token}`,
			accept: 'application/json, text/event-stream',
			'content-type': 'application/json',
			...options.headers,
		},
		body: options.text ?? JSON.stringify(options.body ?? {jsonrpc: '2.0', id: 1, method: 'tools/list'}),
	});
}

/** The handshake of the older era. */
export const handshake = {
	jsonrpc: '2.0',
	id: 0,
	method: 'initialize',
	params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'bare', version: '1.0.0'}},
};

type Endpoint = Awaited<ReturnType<typeof openEndpoint>>;

/** Every way in; a test holds for each of them. */
export const ways: ReadonlyArray<{
	readonly way: string;
	readonly connect: (endpoint: Endpoint, changed?: () => void) => Promise<TestClient>;
}> = [
	{way: 'the first SDK over HTTP', connect: ({endpoint}, changed) => connectFirstSdk(endpoint, changed)},
	{way: 'the older era over HTTP', connect: ({endpoint}, changed) => connectSecondSdk(endpoint, 'legacy', changed)},
	{way: 'the newer era over HTTP', connect: ({endpoint}, changed) => connectSecondSdk(endpoint, 'stateless', changed)},
	{way: 'the first SDK over streams', connect: ({tools}, changed) => connectFirstSdkStream(tools, changed)},
	{way: 'the older era over streams', connect: ({tools}, changed) => connectStream(tools, 'legacy', changed)},
	{way: 'the newer era over streams', connect: ({tools}, changed) => connectStream(tools, 'stateless', changed)},
];

/** A call of a tool that is read-only, and of one that is not. */
export const reading = {name: 'mcp__files__read', arguments: {path: 'notes.txt'}};
export const writing = {name: 'mcp__files__write', arguments: {path: 'notes.txt'}};
