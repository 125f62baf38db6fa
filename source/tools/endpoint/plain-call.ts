import {type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import {
	classifyInboundRequest,
	CLIENT_INFO_META_KEY,
	isJsonContentType,
	type JSONRPCResponse,
	PROTOCOL_VERSION_META_KEY,
	ProtocolError,
	ProtocolErrorCode,
	RELATED_TASK_META_KEY,
	SERVER_INFO_META_KEY,
	SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {statelessRevision} from '../../mcp/protocol/negotiate.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {Problem, type RpcError} from '../../util/problem.ts';
import {serverIdentity} from './aggregate-server.ts';
import {answerCall, type CallAnswer} from './answer-call.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {type LegacySession} from './legacy-sessions.ts';
import {endpointLimits} from './limits.ts';
import {flawOf} from './read-message.ts';
import {declaresTasks} from './task-methods.ts';

/** A call that the endpoint answers itself, without a server object of the SDK and its streams (docs/endpoint.md, How calls are answered). */
type PlainCall = {
	readonly id: string | number;
	readonly name: string;
	readonly arguments: JsonObject | undefined;
	readonly progressToken: string | number | undefined;
	/** The reason that it must not be sent on; undefined if it may. */
	readonly flaw: string | undefined;
	/** The client's own name in the stateless era; in the older one its session knows it. */
	readonly client: string | undefined;
	readonly asTask: 'taken' | 'refused';
	readonly era: 'handshake' | 'stateless';
};

/** The session that a request names. */
type NamedSession = 'known' | 'none';

/**
True if a request can have a plain call, by its head: a JSON body of declared length, and a client that accepts a single answer as well as a stream.
In the older era its session must be known; in the stateless era the head names the method.
*/
export function mayBringCall(
	{method, headers}: Pick<IncomingMessage, 'method' | 'headers'>,
	session: NamedSession,
): boolean {
	const {accept = ''} = headers;
	return (
		method === 'POST' &&
		(session === 'known' || headers['mcp-method'] === 'tools/call') &&
		Number(headers['content-length']) <= endpointLimits.bodyBytes &&
		accept.includes('application/json') &&
		accept.includes('text/event-stream') &&
		isJsonContentType(headers['content-type'])
	);
}

/**
The plain call that a message is. Undefined for every other message, and for a call that is not completely valid or has members that are not named
here: the SDK answers or refuses those. So whatever this leaves out costs time and nothing else.
*/
export function readPlainCall(
	message: unknown,
	head: {readonly headers: IncomingHttpHeaders; readonly session: NamedSession},
): PlainCall | undefined {
	const parsed =
		isJsonObject(message) && message['method'] === 'tools/call' ? callSchema.safeParse(message) : undefined;
	if (!parsed?.success) {
		return undefined;
	}

	const {id, params} = parsed.data;
	const {name, arguments: args, _meta: meta = {}} = params;
	const era = PROTOCOL_VERSION_META_KEY in meta ? 'stateless' : 'handshake';
	const isValid = era === 'stateless' ? isStatelessCall(message, name, head.headers) : isSessionCall(head);
	const {progressToken, [CLIENT_INFO_META_KEY]: client} = meta;
	const flaw = flawOf(meta);
	const asTask = era === 'stateless' && declaresTasks(meta) ? 'taken' : 'refused';
	return isValid ? {id, name, arguments: args, progressToken, flaw, client: client?.name, asTask, era} : undefined;
}

const callSchema = z.strictObject({
	jsonrpc: z.literal('2.0'),
	id: z.union([z.string(), z.int()]),
	method: z.literal('tools/call'),
	params: z.strictObject({
		name: z.string(),
		arguments: z.custom<JsonObject>(isJsonObject).optional(),
		_meta: z
			.looseObject({
				progressToken: z.union([z.string(), z.int()]).optional(),
				[RELATED_TASK_META_KEY]: z.undefined().optional(),
				[CLIENT_INFO_META_KEY]: z.looseObject({name: z.string()}).optional(),
			})
			.optional(),
	}),
});

/** The version in the head is that of the handshake, or absent. */
function isSessionCall({headers, session}: {readonly headers: IncomingHttpHeaders; readonly session: NamedSession}) {
	const version = headers['mcp-protocol-version'];
	const isSupported = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
	return session === 'known' && isSupported;
}

/** The SDK finds its envelope valid, and the head names the same version, method and tool as the body. */
function isStatelessCall(message: unknown, name: string, headers: IncomingHttpHeaders): boolean {
	if (headers['mcp-protocol-version'] !== statelessRevision || headers['mcp-name'] !== name) {
		return false;
	}

	const route = classifyInboundRequest({
		httpMethod: 'POST',
		protocolVersionHeader: statelessRevision,
		mcpMethodHeader: String(headers['mcp-method']),
		mcpNameHeader: name,
		body: message,
	});
	return route.kind === 'modern' && route.messageKind === 'request';
}

/** The way of plain calls. */
type CallServing = {
	/** Answers a call; in the older era with its session. */
	readonly serve: (call: PlainCall, response: ServerResponse, session: LegacySession | undefined) => Promise<void>;
	/** Cancels the running calls. */
	readonly close: () => void;
};

/** Creates it for the tools of one profile. `report` gets internal errors. */
export function createCallServing(tools: EndpointTools, report: (error: Error) => void): CallServing {
	const running = new Set<CallExchange>();
	const identity = serverIdentity(tools);

	const respond = async (
		call: PlainCall,
		exchange: CallExchange,
		client: string | undefined,
	): Promise<JSONRPCResponse> => {
		const {id} = call;
		try {
			const result = await answerCall(
				tools,
				{...call, client},
				{
					signal: exchange.signal,
					notifyProgress: params => exchange.notify({jsonrpc: '2.0', method: 'notifications/progress', params}),
				},
			);
			return {jsonrpc: '2.0', id, result: call.era === 'stateless' ? stateless(result) : result};
		} catch (caught) {
			return {jsonrpc: '2.0', id, error: rpcError(caught, report)};
		}
	};

	/** The members that each result of the stateless era carries. */
	const stateless = (result: CallAnswer) => ({
		resultType: 'complete' as const,
		...result,
		_meta: {[SERVER_INFO_META_KEY]: identity},
	});

	return {
		async serve(call, response, session) {
			const headers: Record<string, string> = session ? {'mcp-session-id': session.id} : {};
			const exchange = openCallExchange(response, {clock: tools.clock, headers});
			running.add(exchange);
			const leave = session?.enter(call.id, exchange.cancel);
			try {
				exchange.answer(await respond(call, exchange, session ? session.clientName() : call.client));
			} finally {
				leave?.();
				running.delete(exchange);
			}
		},
		close: () => running.forEach(exchange => exchange.cancel('The endpoint was closed')),
	};
}

function rpcError(caught: unknown, report: (error: Error) => void): RpcError {
	if (caught instanceof ProtocolError) {
		const {code, message, data} = caught;
		return {code, message, ...(data !== undefined && {data})};
	}

	report(caught instanceof Error ? caught : new Error(String(caught)));
	return {code: ProtocolErrorCode.InternalError, message: 'Internal error'};
}

/**
The HTTP response to one call: a single JSON answer, which becomes an event stream at the first message before the answer or when the answer is
long in coming, so that nothing on the way gives up waiting (docs/endpoint.md, How calls are answered).
*/
type CallExchange = {
	/** Aborts when the client hangs up, and at `cancel`. */
	readonly signal: AbortSignal;
	/** Sends a message before the answer. */
	readonly notify: (message: object) => void;
	/** Sends the answer; a cancelled call gets none. */
	readonly answer: (message: object) => void;
	/** Cancels the call for that reason; its response ends without an answer, as the protocol has it. */
	readonly cancel: (message: string) => void;
};

/** Opens the exchange; `headers` are sent with whatever response there will be. */
export function openCallExchange(
	response: ServerResponse,
	{clock, headers}: {readonly clock: Clock; readonly headers: Readonly<Record<string, string>>},
): CallExchange {
	const controller = new AbortController();
	let phase: 'waiting' | 'streaming' | 'over' = 'waiting';
	let timer: Timer = clock.after(endpointLimits.answerMilliseconds, () => stream());

	const keepAlive = () => {
		timer = clock.after(endpointLimits.keepStreamMilliseconds, keepAlive);
		response.write(': keep-alive\n\n');
	};

	/** Makes the response a stream, if it is not one yet. */
	const stream = () => {
		if (phase === 'waiting') {
			phase = 'streaming';
			timer.cancel();
			timer = clock.after(endpointLimits.keepStreamMilliseconds, keepAlive);
			response.writeHead(200, {...headers, ...streamHeaders}).flushHeaders();
		}
	};

	const end = (message: object | undefined) => {
		const isStream = phase === 'streaming';
		phase = 'over';
		timer.cancel();
		if (response.destroyed) {
			return;
		}

		if (isStream) {
			response.end(message && eventText(message));
		} else if (message) {
			const text = JSON.stringify(message);
			const length = {'content-length': Buffer.byteLength(text)};
			response.writeHead(200, {...headers, 'content-type': 'application/json', ...length}).end(text);
		} else {
			response.writeHead(200, {...headers, ...streamHeaders}).end();
		}
	};

	const cancel = (message: string) => {
		if (phase !== 'over') {
			end(undefined);
			controller.abort(new Problem('cancelled', {message}));
		}
	};

	const hangUp = () => cancel('The client hung up');
	if (response.destroyed) {
		hangUp();
	}

	response.once('close', hangUp);
	return {
		signal: controller.signal,
		notify(message) {
			if (phase !== 'over') {
				stream();
				response.write(eventText(message));
			}
		},
		answer(message) {
			if (phase !== 'over') {
				end(message);
			}
		},
		cancel,
	};
}

const streamHeaders = {
	'content-type': 'text/event-stream',
	'cache-control': 'no-cache, no-transform',
	'x-accel-buffering': 'no',
} as const;

function eventText(message: object): string {
	return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
