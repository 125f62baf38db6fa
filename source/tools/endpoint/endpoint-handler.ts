import {type IncomingMessage, type ServerResponse} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {toNodeHandler} from '@modelcontextprotocol/node';
import {
	CLIENT_CAPABILITIES_META_KEY,
	createMcpHandler,
	isLegacyRequest,
	type McpHttpHandler,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {answerUnread} from '../../util/discard-body.ts';
import {createAggregateServer} from './aggregate-server.ts';
import {askingModes} from './ask-client.ts';
import {type EndpointTools, type ListName, watchLists, watchResources} from './endpoint-tools.ts';
import {createLegacySessions} from './legacy-sessions.ts';
import {endpointLimits} from './limits.ts';
import {createPausedCalls} from './paused-calls.ts';
import {createCallServing, mayBringCall, readPlainCall} from './plain-call.ts';
import {parseMessage} from './read-message.ts';
import {isResourceListen, openResourceSubscriptions, subscribeListen} from './resource-subscriptions.ts';
import {rpcRefusalText, tooLarge} from './rpc-refusal.ts';
import {servedUri} from './served-uri.ts';
import {createServerFeatures, type ServerFeatures} from './server-features.ts';
import {refusedSubscription} from './task-methods.ts';

/** Streamable HTTP for the tools of one profile, in both eras of the protocol. */
export type EndpointHandler = {
	readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
	/** Ends sessions and streams, and cancels the running calls. */
	readonly close: () => Promise<void>;
};

/** A message that was read from a request, or the text of one. */
type ReadMessage = {readonly message: unknown};
type ReadText = {readonly text: string};

const refusedAsTooLarge = {
	status: tooLarge.status,
	headers: {'content-type': 'application/json'},
	text: rpcRefusalText(tooLarge.message),
};

const modernOptions = {
	legacy: 'reject',
	maxRequestBodySize: endpointLimits.bodyBytes,
	maxSubscriptions: endpointLimits.subscriptions,
} as const;

/**
Creates the handler for authorized requests. Plain calls are answered here, except those of clients that servers may ask; everything else, and whatever is wrong, is answered by the SDK
(docs/endpoint.md, How calls are answered). `report` gets internal errors and those of the library.
*/
export function openEndpointHandler(tools: EndpointTools, report: (error: Error) => void): EndpointHandler {
	const parts = {features: createServerFeatures(tools), paused: createPausedCalls(tools)};
	const {features, paused} = parts;
	const legacy = createLegacySessions(() => createAggregateServer(tools, parts, 'legacy'));
	const calls = createCallServing(tools, report);
	const modern = createMcpHandler(() => createAggregateServer(tools, parts, 'modern'), {
		...modernOptions,
		onerror: report,
	});
	const endWatch = watchLists(tools, list => {
		notifyStreams(modern.notify, list);
		legacy.listChanged(list);
	});
	const endResources = watchResources(tools, own => modern.notify.resourceUpdated(servedUri(own)));
	const fetchModern = async (request: Request, response: ServerResponse, message: unknown) =>
		modern.fetch(request, {parsedBody: await subscribed(message, {tools, features, response})});

	/** Answers with the SDK; a message that was read already is not read from the request again. */
	const answerWithSdk = async (request: IncomingMessage, response: ServerResponse, read?: ReadMessage | ReadText) => {
		const fetch = async (received: Request) => {
			const isMessage = read && 'message' in read;
			const {webRequest, message} = isMessage ? {webRequest: received, ...read} : await readOnce(received, read?.text);
			const limits = {maxRequestBodySize: endpointLimits.bodyBytes};
			const isLegacy = await isLegacyRequest(webRequest, message, limits);
			const fetchEra = isLegacy ? legacy.fetch : fetchModern;
			return refusedSubscription(message) ?? fetchEra(webRequest, response, message);
		};
		const handler = toNodeHandler({fetch}, {maxRequestBodySize: endpointLimits.bodyBytes, onerror: report});
		// The third argument says that the body was read; what it is, `fetch` knows.
		await handler(request, response, read && {});
	};

	const closing = new AbortController();
	const options = {clock: tools.clock, signal: closing.signal};
	/** The SDK would break off a message beyond the limit unanswered. */
	const answerChunked = async (request: IncomingMessage, response: ServerResponse) => {
		const read = await readLimited(request).catch(() => 'sender-gone' as const);
		if (read === 'sender-gone') {
			response.destroy();
			return;
		}

		await (read
			? answerWithSdk(request, response, read)
			: answerUnread(request, response, {...refusedAsTooLarge, ...options}));
	};

	return {
		async answer(request, response) {
			const session = legacy.find(request.headers['mcp-session-id']);
			const head = {headers: request.headers, session: session ? 'known' : 'none'} as const;
			if (!mayBringCall(request, head.session)) {
				const isChunked = request.headers['transfer-encoding'] !== undefined;
				return isChunked ? answerChunked(request, response) : answerWithSdk(request, response);
			}

			const read = await readMessage(request, response);
			const call = read && readPlainCall(read.message, head);
			if (call && isPlain(read.message, session, tools)) {
				return calls.serve(call, response, call.era === 'handshake' ? session : undefined);
			}

			if (read) {
				await answerWithSdk(request, response, read);
			}
		},
		async close() {
			endWatch();
			endResources();
			closing.abort();
			calls.close();
			paused.close();
			await Promise.all([modern.close(), legacy.close()]);
		},
	};
}

/** False for the call of a client that servers may ask: its questions need the server object of the SDK. */
function isPlain(
	message: unknown,
	session: ReturnType<ReturnType<typeof createLegacySessions>['find']>,
	tools: EndpointTools,
): boolean {
	if (tools.elicitation === 'at-a-console') {
		return true;
	}

	const declared = statelessSchema.safeParse(message).data?.params._meta[CLIENT_CAPABILITIES_META_KEY];
	return askingModes(tools, declared ?? session?.clientCapabilities()).size === 0;
}

/** The capabilities that a client of the stateless era declares with each request. */
const statelessSchema = z.object({params: z.object({_meta: z.object({[CLIENT_CAPABILITIES_META_KEY]: z.unknown()})})});

function notifyStreams(notify: McpHttpHandler['notify'], list: ListName): void {
	switch (list) {
		case 'tools':
			return notify.toolsChanged();
		case 'resources':
			return notify.resourcesChanged();
		case 'prompts':
			return notify.promptsChanged();
	}
}

/** A message of the stateless era. While its response is open, the servers announce changes of the resources that it listens for. */
async function subscribed(
	message: unknown,
	{
		tools,
		features,
		response,
	}: {readonly tools: EndpointTools; readonly features: ServerFeatures; readonly response: ServerResponse},
): Promise<unknown> {
	if (!isResourceListen(message)) {
		return message;
	}

	const gone = new AbortController();
	const subscriptions = openResourceSubscriptions({tools, features}, () => undefined);
	const close = () => {
		gone.abort();
		subscriptions.close();
	};
	response.once('close', close);
	const listen = await subscribeListen(message, subscriptions, gone.signal);
	if (response.destroyed) {
		close();
	}

	return listen;
}

const parseErrorCode = -32_700;
const decoder = new TextDecoder();

/** The message in a body of declared length. Undefined when there is none: then it is refused, or its sender is gone. */
async function readMessage(request: IncomingMessage, response: ServerResponse): Promise<ReadMessage | undefined> {
	try {
		const bytes = await readBytes(request);
		return {message: parseMessage(decoder.decode(bytes))};
	} catch (caught) {
		if (caught instanceof SyntaxError) {
			const text = rpcRefusalText('Parse error: Invalid JSON', parseErrorCode);
			response.writeHead(400, {'content-type': 'application/json'}).end(text);
		} else {
			response.destroy();
		}

		return undefined;
	}
}

/** A body that came in the same packet as its head is there at once, without listeners. */
async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
	await Promise.resolve();
	const isWhole = request.readableLength === Number(request.headers['content-length']);
	const bytes: unknown = isWhole ? request.read() : undefined;
	return bytes instanceof Uint8Array ? bytes : buffer(request);
}

/** The text of a body of unknown length; undefined beyond the limit, with the rest unread. Rejects when its sender is gone. */
async function readLimited(request: IncomingMessage): Promise<ReadText | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	const body: AsyncIterable<Uint8Array> = request.iterator({destroyOnReturn: false});
	for await (const chunk of body) {
		size += chunk.length;
		if (size > endpointLimits.bodyBytes) {
			return undefined;
		}

		chunks.push(chunk);
	}

	return {text: decoder.decode(Buffer.concat(chunks))};
}

/**
Reads and parses a message once, for whichever era it belongs to; the node handler has limited its size. A body that is not JSON is left to the
library to refuse.
*/
async function readOnce(
	request: Request,
	read?: string,
): Promise<{readonly webRequest: Request; readonly message?: unknown}> {
	if (request.method !== 'POST') {
		return {webRequest: request};
	}

	const text = read ?? (await request.text());
	try {
		return {webRequest: request, message: parseMessage(text)};
	} catch {
		return {webRequest: new Request(request, {method: 'POST', body: text})};
	}
}
