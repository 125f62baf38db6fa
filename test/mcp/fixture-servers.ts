import {type ChildProcess, spawn} from 'node:child_process';
import {type IncomingMessage, type ServerResponse} from 'node:http';
import {createInterface} from 'node:readline';
import * as z from 'zod';
import {createJsonStore} from '../../source/config/values/json-store.ts';
import {type ServerConfig} from '../../source/config/servers/server-entry.ts';
import {type TransportConfig} from '../../source/config/servers/server-transport.ts';
import {type ServerCapabilities, type ServerRequest} from '../../source/mcp/connection.ts';
import {type ServerLogin} from '../../source/mcp/transport/authorized-fetch.ts';
import {createSchemaCache, type SchemaCache, schemaCacheFileSchema} from '../../source/mcp/protocol/schema-cache.ts';
import {type Connections, createConnections} from '../../source/mcp/connections.ts';
import {type ServerRequestTargets} from '../../source/mcp/server-requests/server-request-handlers.ts';
import {type ServerState} from '../../source/state/event.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {type RecordedEvents, recordEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A transport that runs a fixture as a child. */
export function stdioFixture(name: string, ...args: string[]): Extract<TransportConfig, {kind: 'stdio'}> {
	return {kind: 'stdio', command: process.execPath, args: fixtureArguments(name, ...args), env: {}};
}

/** A transport to an address, without headers or certificates. */
export function httpTransport(url: string, kind: 'http' | 'sse' = 'http'): Exclude<TransportConfig, {kind: 'stdio'}> {
	return {kind, url, headers: {}, tls: {verification: {kind: 'system'}}, preflight: 'probe'};
}

/** Starts a fixture that listens, and answers its address. It ends with the test. */
export async function startListening(
	name: string,
	...args: string[]
): Promise<{readonly url: string; readonly process: ChildProcess}> {
	const child = spawn(process.execPath, fixtureArguments(name, ...args), {stdio: ['ignore', 'pipe', 'inherit']});
	onTestFinished(() => void child.kill('SIGKILL'));
	for await (const line of createInterface({input: child.stdout})) {
		return {url: line, process: child};
	}

	throw new Error(`${name} said nothing`);
}

const messageSchema = z.object({id: z.number().optional(), method: z.string().optional()});

/** Plays a small server of the legacy era over Streamable HTTP, without sessions. */
export async function answerJson(
	request: IncomingMessage,
	response: ServerResponse,
	options: {
		/** Replaces or adds answers by method. */
		readonly results?: Readonly<Record<string, unknown>>;
		/** Told of each request; `ignore` leaves it without an answer. */
		readonly hear?: (method: string) => 'answer' | 'ignore';
	} = {},
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) {
		chunks.push(Buffer.from(chunk));
	}

	const {id, method = ''} = messageSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
	if (id === undefined) {
		response.writeHead(request.method === 'POST' ? 202 : 405).end();
		return;
	}

	if (options.hear?.(method) === 'ignore') {
		return;
	}

	const answers: Readonly<Record<string, unknown>> = {
		initialize: {
			protocolVersion: '2025-06-18',
			capabilities: {tools: {}},
			serverInfo: {name: 'small', version: '1'},
		},
		'tools/list': {tools: [{name: 'echo', inputSchema: {type: 'object'}}]},
		'tools/call': {content: [{type: 'text', text: 'done'}]},
		...options.results,
	};
	response.writeHead(200, {'content-type': 'application/json'});
	response.end(JSON.stringify({jsonrpc: '2.0', id, result: answers[method] ?? {}}));
}

/** An entry with every default. */
export function serverConfig(transport: TransportConfig, overrides: Partial<ServerConfig> = {}): ServerConfig {
	return {
		name: 'fixture',
		transport,
		enabled: true,
		timeoutSeconds: 10,
		connectTimeoutSeconds: 10,
		protocol: 'auto',
		start: 'eager',
		calls: 'serial',
		tools: {exclude: [], resources: true, prompts: true},
		trust: 'full',
		...overrides,
	};
}

/** A schema cache in a folder. */
export function schemaCache(directory = temporaryDirectory()): SchemaCache {
	return createSchemaCache(
		createJsonStore({directory, name: 'mcp-schemas', schema: schemaCacheFileSchema, fallback: {}}),
		createFakeClock(),
	);
}

export type OpenedConnections = {
	readonly connections: Connections;
	readonly recorded: RecordedEvents;
	readonly offers: Map<string, ServerCapabilities | undefined>;
	readonly logs: string;
	/** Resolves with the first state event, past or future, that fits. */
	readonly until: (fits: (state: ServerState) => boolean) => Promise<ServerState>;
};

/** Real connections whose events are recorded; they stop with the test. */
export function openConnections(
	servers: readonly ServerConfig[],
	options: {
		readonly clock?: Clock;
		readonly environment?: Record<string, string>;
		readonly expand?: (text: string) => string;
		readonly schemaCache?: SchemaCache;
		readonly asked?: ServerRequestTargets;
		readonly loginOf?: () => ServerLogin;
		readonly learn?: (secret: string) => void;
	} = {},
): OpenedConnections {
	const recorded = recordEvents();
	const offers = new Map<string, ServerCapabilities | undefined>();
	const logs = temporaryDirectory();
	const listeners = new Set<() => void>();
	const connections = createConnections({
		clock: options.clock ?? systemClock,
		publish(event) {
			recorded.publish(event);
			for (const listener of listeners) {
				listener();
			}
		},
		expand: options.expand ?? (text => text),
		environment: options.environment ?? {PATH: process.env['PATH'] ?? ''},
		onCapabilities(config, offer) {
			offers.set(config.name, offer);
		},
		count: server => ({tools: offers.get(server)?.tools.length ?? 0}),
		schemaCache: options.schemaCache ?? schemaCache(),
		redact: text => text,
		learn: options.learn ?? (() => undefined),
		asked: options.asked,
		...(options.loginOf && {loginOf: options.loginOf}),
		serverLogDirectory: logs,
		version: '0.0.0',
		random: () => 0.5,
	});
	onTestFinished(() => connections.stop());
	connections.apply(servers);
	return {
		connections,
		recorded,
		offers,
		logs,
		until: fits =>
			new Promise(resolve => {
				const look = () => {
					const found = recorded.ofType('server.state').find(fits);
					if (found) {
						listeners.delete(look);
						resolve(found);
					}
				};

				listeners.add(look);
				look();
			}),
	};
}

/** Calls a tool that may change something, and answers the text of its result. */
export function callForText(
	connections: Connections,
	tool: string,
	args: Readonly<Record<string, string | number>>,
): Promise<string> {
	return textOf(connections, {kind: 'tool', tool, arguments: args, readOnly: false});
}

/** Calls a tool that its server calls read-only, and answers the text of its result. */
export function readForText(
	connections: Connections,
	tool: string,
	args: Readonly<Record<string, string | number>>,
): Promise<string> {
	return textOf(connections, {kind: 'tool', tool, arguments: args, readOnly: true});
}

async function textOf(connections: Connections, request: ServerRequest): Promise<string> {
	const [connection] = connections.list();
	const answer = await connection?.request(request, {signal: neverAborted()});
	const text = answer?.content[0]?.['text'];
	return typeof text === 'string' ? text : '';
}
