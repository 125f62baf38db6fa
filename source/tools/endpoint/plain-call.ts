import {type IncomingHttpHeaders, type IncomingMessage} from 'node:http';
import {
	classifyInboundRequest,
	CLIENT_INFO_META_KEY,
	isJsonContentType,
	PROTOCOL_VERSION_META_KEY,
	RELATED_TASK_META_KEY,
	SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {statelessRevision} from '../../mcp/protocol/negotiate.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {endpointLimits} from './limits.ts';
import {flawOf} from './read-message.ts';

/** A call that the endpoint answers itself, without a server object of the SDK and its streams (docs/endpoint.md, How calls are answered). */
export type PlainCall = {
	readonly id: string | number;
	readonly name: string;
	readonly arguments: JsonObject | undefined;
	readonly progressToken: string | number | undefined;
	/** The reason that it must not be sent on; undefined if it may. */
	readonly flaw: string | undefined;
	/** The client's own name in the stateless era; in the older one its session knows it. */
	readonly client: string | undefined;
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
	return isValid ? {id, name, arguments: args, progressToken, flaw, client: client?.name, era} : undefined;
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
