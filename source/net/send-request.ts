import {type Dispatcher} from 'undici';

/** One request with a text body or none. */
export type PlainRequest = {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | undefined;
	readonly signal?: AbortSignal | undefined;
};

/** The raw response: not decoded, and no redirect followed. `body` is null when it cannot have one. */
export type PlainResponse = {
	readonly status: number;
	readonly statusText: string;
	readonly headers: Headers;
	readonly body: ReadableStream<Uint8Array> | null;
};

const bodiless = new Set([204, 205, 304]);

/** The number of bytes of a body that are buffered for its reader. Short bodies are buffered in full: pausing and resuming costs more than reading them. */
const maxWaiting = new ByteLengthQueuingStrategy({highWaterMark: 64 * 1024});

/**
Sends one request over an undici dispatcher. Its `fetch` also implements browser rules, which doubles the cost of a call
and leaves objects that only a full garbage collection removes. Errors are those of `fetch`: `TypeError` with a cause,
or the reason of the signal.
*/
export function sendRequest(dispatcher: Dispatcher, url: URL, request: PlainRequest): Promise<PlainResponse> {
	const {method, headers, body, signal} = request;
	return new Promise((resolve, reject) => {
		if (signal?.aborted) {
			reject(signal.reason);
			return;
		}

		if (url.username !== '' || url.password !== '') {
			reject(new TypeError('The address contains credentials. Remove them'));
			return;
		}

		const exchange = createExchange({resolve, reject}, {method, signal});
		const path = url.pathname + url.search;
		dispatcher.dispatch({origin: url.origin, path, method, headers, body: body ?? null}, exchange);
	});
}

type Waiter = {readonly resolve: (answer: PlainResponse) => void; readonly reject: (reason: unknown) => void};

/** The handler of one request: resolves the waiter with the response and feeds its body. */
function createExchange(
	{resolve, reject}: Waiter,
	{method, signal}: {readonly method: string; readonly signal: AbortSignal | undefined},
): Dispatcher.DispatchHandler {
	let sending: Dispatcher.DispatchController | undefined;
	let body: ReadableStreamDefaultController<Uint8Array> | undefined;
	/** Set with the response: later failures belong to the body. */
	let answered = false;

	const onAbort = () => {
		end(signal?.reason);
		sending?.abort(asError(signal?.reason));
	};

	const end = (reason: unknown) => {
		signal?.removeEventListener('abort', onAbort);
		reject(reason);
		body?.error(reason);
		body = undefined;
	};

	const openBody = (controller: Dispatcher.DispatchController) =>
		new ReadableStream<Uint8Array>(
			{
				start(opened) {
					body = opened;
				},
				pull: () => controller.resume(),
				cancel(reason: unknown) {
					body = undefined;
					signal?.removeEventListener('abort', onAbort);
					controller.abort(asError(reason));
				},
			},
			maxWaiting,
		);

	signal?.addEventListener('abort', onAbort, {once: true});
	return {
		onRequestStart(controller) {
			sending = controller;
			if (signal?.aborted) {
				controller.abort(asError(signal.reason));
			}
		},
		onResponseStart(controller, status, ...[headers, statusText = '']) {
			// An informational response (RFC 9110, 15.2), not yet the answer.
			if (status < 200) {
				return;
			}

			answered = true;
			const hasBody = method !== 'HEAD' && !bodiless.has(status);
			resolve({status, statusText, headers: toHeaders(headers), body: hasBody ? openBody(controller) : null});
		},
		onResponseData(controller, chunk) {
			// An empty chunk follows a pause, and would cause the next one.
			if (!body || chunk.length === 0) {
				return;
			}

			body.enqueue(chunk);
			if ((body.desiredSize ?? 0) <= 0) {
				controller.pause();
			}
		},
		onResponseEnd() {
			signal?.removeEventListener('abort', onAbort);
			body?.close();
			body = undefined;
		},
		onResponseError(_controller, cause) {
			end(new TypeError(answered ? 'terminated' : 'fetch failed', {cause}));
		},
	};
}

function toHeaders(members: Readonly<Record<string, string | string[] | undefined>>): Headers {
	const headers = new Headers();
	for (const [name, value] of Object.entries(members)) {
		for (const one of Array.isArray(value) ? value : [value ?? '']) {
			headers.append(name, one);
		}
	}

	return headers;
}

function asError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error('The response is no longer needed', {cause: reason});
}
