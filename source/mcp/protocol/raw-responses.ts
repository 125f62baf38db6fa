import {type JSONRPCMessage, type Transport} from '@modelcontextprotocol/client';
import {createBoundedMap} from '../../util/limits/bounded-map.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';

/** The member of `_meta` that carries the server's original response through the SDK. */
const rawMember = 'sluice/answer';

/**
Methods whose responses we parse ourselves, each with the smallest response that the SDK accepts: it rejects a whole
response for one unknown member.
*/
const leastAnswers: Readonly<Record<string, JsonObject>> = {
	'tools/call': {content: []},
	'tools/list': {tools: []},
	'resources/list': {resources: []},
	'resources/templates/list': {resourceTemplates: []},
	'resources/read': {contents: []},
	'prompts/list': {prompts: []},
	'prompts/get': {messages: []},
	'completion/complete': {completion: {values: []}},
};

/** Members that the SDK also requires in the stateless era. */
const leastMembers = {resultType: 'complete', ttlMs: 0, cacheScope: 'private'} as const;

const internalErrorCode = -32_603;
/** Abandoned requests never get a response. */
const maxOpen = 1000;

/** Carries original responses through the SDK, for one transport. */
export type RawResponses = {
	/** Records an outgoing message; responses to requests with these methods are carried through. */
	readonly sent: (message: JSONRPCMessage) => void;
	/** Converts a message of the server to one the SDK accepts; returns the same value when no change is needed. Call it before the SDK validates it. */
	readonly received: (value: unknown) => unknown;
	/** An unreadable response for the SDK; undefined when no such request is open. */
	readonly unreadable: (id: number) => JsonObject | undefined;
};

/** Starts without open requests. */
export function createRawResponses(): RawResponses {
	const open = createBoundedMap<number, JsonObject>({max: maxOpen});
	return {
		sent(message) {
			const isRequest = 'method' in message && 'id' in message;
			const least = isRequest ? leastAnswers[message.method] : undefined;
			if (least && isRequest) {
				open.set(Number(message.id), least);
			}
		},
		received(value) {
			if (!isJsonObject(value) || Object.hasOwn(value, 'method')) {
				return value;
			}

			const id = Number(ownMember(value, 'id') ?? undefined);
			const least = open.get(id);
			open.delete(id);
			return least ? readableMessage(value, id, least) : value;
		},
		unreadable(id) {
			const least = open.get(id);
			open.delete(id);
			return least && readableMessage({}, id, least);
		},
	};
}

/** Wraps a transport so that its original responses are carried through the SDK. */
export function passRaw(inner: Transport, answers: RawResponses): Transport {
	const passing: Transport = {
		...(inner.hasPerRequestStream !== undefined && {hasPerRequestStream: inner.hasPerRequestStream}),
		get sessionId() {
			return inner.sessionId;
		},
		setProtocolVersion: version => inner.setProtocolVersion?.(version),
		start: () => inner.start(),
		close: () => inner.close(),
		send(message, options) {
			answers.sent(message);
			return inner.send(message, options);
		},
	};
	Object.assign(inner, {
		onclose: () => passing.onclose?.(),
		onerror: (error: Error) => passing.onerror?.(error),
		onmessage: (message: JSONRPCMessage) => passing.onmessage?.(answers.received(message) as JSONRPCMessage),
	});
	return passing;
}

/** The server's original response, extracted from the SDK's result; undefined when there is none. */
export function rawResult(result: Readonly<Record<string, unknown>>): JsonValue | undefined {
	const meta = result['_meta'];
	return isJsonObject(meta) ? ownMember(meta, rawMember) : undefined;
}

/** A valid response made from a malformed one. */
function readableMessage(value: JsonObject, id: number, least: JsonObject): JsonObject {
	const error = ownMember(value, 'error') ?? null;
	const result = ownMember(value, 'result') ?? null;
	if (error !== null && result === null) {
		return isError(error) ? value : {jsonrpc: '2.0', id, error: readableError(error)};
	}

	const answer = error === null ? result : null;
	return {
		jsonrpc: '2.0',
		id,
		result: isUnfinished(answer) ? withoutMeta(answer) : {...least, ...leastMembers, _meta: {[rawMember]: answer}},
	};
}

function isError(error: JsonValue): boolean {
	return isJsonObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

function readableError(error: JsonValue): JsonObject {
	const {code, message, data} = isJsonObject(error) ? error : {message: error};
	return {
		code: typeof code === 'number' && Number.isSafeInteger(code) ? code : internalErrorCode,
		message: typeof message === 'string' ? message : JSON.stringify(message ?? error),
		...(data !== undefined && {data}),
	};
}

/** In the stateless era a result may be incomplete: the SDK then asks for what is missing, or does not know the kind. */
function isUnfinished(answer: JsonValue): answer is JsonObject {
	if (!isJsonObject(answer)) {
		return false;
	}

	const {resultType, content} = answer;
	const isOther = typeof resultType === 'string' && resultType !== 'complete' && !Array.isArray(content);
	return isOther || resultType === 'input_required';
}

function withoutMeta(answer: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== '_meta'));
}
