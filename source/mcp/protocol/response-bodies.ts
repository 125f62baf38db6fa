import {isJsonObject, type JsonValue, parseJson} from '../../util/json-text.ts';
import {isLogMessage} from './log-message.ts';
import {type RawResponses} from './raw-responses.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
Extracts responses from the bodies of a fetch before the SDK sees them: it silently drops malformed messages, and
the call would wait for its time limit.
*/
export function readBodies(fetch: Fetch, answers: RawResponses): Fetch {
	return async (url, init) => {
		const answer = await fetch(url, init);
		const {ok, status, statusText, headers, body} = answer;
		if (!ok || !body) {
			return answer;
		}

		const exchange = {answers, request: init?.body};
		const type = headers.get('content-type')?.toLowerCase() ?? '';
		return type.startsWith('text/event-stream')
			? new Response(readEvents(body, exchange), {status, statusText, headers})
			: Object.defineProperty(answer, 'json', {value: () => readJson(body, exchange)});
	};
}

type Exchange = {
	readonly answers: RawResponses;
	/** The body of the request; text when it is a message. */
	readonly request: unknown;
};

/** Rejects with SyntaxError for invalid JSON. */
async function readJson(body: ReadableStream<Uint8Array>, {answers, request}: Exchange): Promise<unknown> {
	const value: unknown = await new Response(body).json();
	const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
	const read = messages.map(message => answers.received(addressed(message, request)));
	if (read.some((message, at) => message !== messages[at])) {
		return read;
	}

	// Nothing more will come: take this as the response.
	const unreadable = answers.unreadable(requestId(request));
	return unreadable ? [...messages.filter(message => isJsonObject(message) && 'method' in message), unreadable] : value;
}

/** A response without an id, returned to one request, belongs to it: a server that cannot read a request does not know its id. */
function addressed(message: unknown, request: unknown): unknown {
	const isLost = isJsonObject(message) && !Object.hasOwn(message, 'method') && (message['id'] ?? null) === null;
	const id = isLost ? requestId(request) : Number.NaN;
	return isLost && !Number.isNaN(id) ? {...message, id} : message;
}

/** NaN when absent. */
function requestId(request: unknown): number {
	const message = typeof request === 'string' ? parseJson(request) : undefined;
	const id = isJsonObject(message) ? message['id'] : undefined;
	return typeof id === 'number' ? id : Number.NaN;
}

/** The end of an event: an empty line, with any line ends. */
const eventEnd = /(?:\r\n|(?<!\r)\n|\r(?!\n)){2}/gu;
const longestEnd = 4;

/** Splits a text stream into whole events. */
function createEventBuffer(): {readonly push: (text: string) => readonly string[]; readonly rest: () => string} {
	let pieces: string[] = [];
	let tail = '';
	return {
		push(text) {
			const joint = tail + text;
			tail = joint.slice(-longestEnd);
			pieces.push(text);
			if (!/[\r\n]{2}/u.test(joint)) {
				return [];
			}

			const whole = pieces.join('');
			const events: string[] = [];
			let start = 0;
			for (const {index, 0: end} of whole.matchAll(eventEnd)) {
				events.push(whole.slice(start, index + end.length));
				start = index + end.length;
			}

			pieces = [whole.slice(start)];
			return events;
		},
		rest: () => pieces.join(''),
	};
}

/**
The same events; malformed responses are normalised, and a stream that ends after invalid data and without a response
gets an unreadable one as its last event.
*/
function readEvents(body: ReadableStream<Uint8Array>, exchange: Exchange): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	const buffer = createEventBuffer();
	const readEvent = createEventReader(exchange);
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				for (;;) {
					const {done, value} = await reader.read();
					const text = done
						? readEvent.end(buffer.rest())
						: buffer
								.push(decoder.decode(value, {stream: true}))
								.map(event => readEvent.event(event))
								.join('');
					if (text !== '') {
						controller.enqueue(encoder.encode(text));
					}

					if (done) {
						controller.close();
					}

					if (done || text !== '') {
						return;
					}
				}
			},
			cancel: reason => reader.cancel(reason),
		},
		{highWaterMark: 0},
	);
}

function createEventReader({answers, request}: Exchange): {
	readonly event: (event: string) => string;
	/** The replacement for an unfinished event at the end of the stream. */
	readonly end: (rest: string) => string;
} {
	let seen: 'nothing' | 'nonsense' | 'answer' = 'nothing';
	return {
		event(event) {
			const {data, others} = fieldsOf(event);
			// Events of another type are no messages, whatever they carry (WHATWG HTML, 9.2.6).
			if (others.some(line => /^event:(?! ?(?:message)?$)/u.test(line))) {
				return event;
			}

			const parsed = data === '' ? undefined : parseJson(data);
			const value = isResponse(parsed) ? addressed(parsed, request) : parsed;
			// The id of an event counts even when what it carries does not.
			if (isLogMessage(value) && !others.some(line => line.startsWith('id'))) {
				return '';
			}

			if (data === '' || (isJsonObject(value) && Object.hasOwn(value, 'method'))) {
				return event;
			}

			if (!isJsonObject(value) || !isResponse(value)) {
				seen = seen === 'answer' ? seen : 'nonsense';
				return event;
			}

			seen = 'answer';
			return isPlainResponse(value) ? event : eventOf(answers.received(value), others);
		},
		end(rest) {
			const unreadable = seen === 'nonsense' ? answers.unreadable(requestId(request)) : undefined;
			return unreadable ? eventOf(unreadable, []) : rest;
		},
	};
}

/** True for a message on a stream that says that it is an answer: others may follow it, so that one that says nothing is none. */
function isResponse(value: JsonValue | undefined): boolean {
	return isJsonObject(value) && ['id', 'result', 'error'].some(name => Object.hasOwn(value, name));
}

function fieldsOf(event: string): {readonly data: string; readonly others: readonly string[]} {
	const lines = event.split(/\r\n|\n|\r/u).filter(line => line !== '');
	const isData = (line: string) => line.startsWith('data:');
	const data = lines.filter(line => isData(line)).map(line => line.slice('data:'.length));
	return {data: data.join('\n').trim(), others: lines.filter(line => !isData(line))};
}

function eventOf(value: unknown, others: readonly string[]): string {
	return [...others, `data: ${JSON.stringify(value)}`, '', ''].join('\n');
}

/** Valid for the SDK: passed on unchanged. */
function isPlainResponse(value: Readonly<Record<string, unknown>>): boolean {
	const {jsonrpc, id, result, ...others} = value;
	const isEnvelope = jsonrpc === '2.0' && typeof id === 'number' && Object.keys(others).length === 0;
	return isEnvelope && isJsonObject(result) && !Object.hasOwn(result, '_meta');
}
