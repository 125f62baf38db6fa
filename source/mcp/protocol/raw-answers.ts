import {isJSONRPCRequest, type JSONRPCMessage, type Transport} from '@modelcontextprotocol/client';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';

/** The member of `_meta` in which an answer passes the SDK as its server sent it. */
const rawMember = 'sluice/answer';

/**
The methods whose answers we read ourselves, each with the least that the SDK takes for an answer: the SDK throws a whole
answer away for one member that it does not know.
*/
const leastAnswers: Readonly<Record<string, JsonObject>> = {
	'tools/call': {content: []},
	'tools/list': {tools: []},
	'resources/list': {resources: []},
	'resources/read': {contents: []},
	'prompts/list': {prompts: []},
	'prompts/get': {messages: []},
};

/** What the SDK asks of answers of the stateless era beside that. */
const leastMembers = {resultType: 'complete', ttlMs: 0, cacheScope: 'private'} as const;

const internalErrorCode = -32_603;
/** Requests that were given up are never answered. */
const mostOpen = 1000;

/** Takes answers past the SDK, over one transport. */
export type RawAnswers = {
	/** A message that is being sent; answers to it are taken past the SDK when it is one of those requests. */
	readonly sent: (message: JSONRPCMessage) => void;
	/** A message of the server as the SDK can take it; the same value when there is nothing to do. Call it before the SDK checks its form. */
	readonly received: (value: unknown) => unknown;
	/** An answer that cannot be read, for the SDK; undefined when no such request is open. */
	readonly unreadable: (id: number) => JsonObject | undefined;
};

/** Begins without open requests. */
export function createRawAnswers(): RawAnswers {
	const open = new Map<number, JsonObject>();
	return {
		sent(message) {
			const least = isJSONRPCRequest(message) ? leastAnswers[message.method] : undefined;
			if (least && isJSONRPCRequest(message)) {
				open.set(Number(message.id), least);
				const [oldest] = open.keys();
				if (open.size > mostOpen && oldest !== undefined) {
					open.delete(oldest);
				}
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

/** A transport whose answers are taken past the SDK. */
export function passRaw(inner: Transport, answers: RawAnswers): Transport {
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

/** What the server answered, taken out of what the SDK passed on; undefined when nothing was. */
export function rawAnswer(result: Readonly<Record<string, unknown>>): JsonValue | undefined {
	const meta = result['_meta'];
	return isJsonObject(meta) ? ownMember(meta, rawMember) : undefined;
}

/** A response of whatever form as one of the protocol. */
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

/** In the stateless era a result may say that it is none yet: the SDK then asks for what is missing, or knows no such kind. */
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
