import {Agent} from 'undici';
import {Problem} from '../util/problem.ts';
import {capBody} from './capped-body.ts';
import {redirectStep} from './redirects.ts';
import {type PlainRequest, type PlainResponse, sendRequest} from './send-request.ts';
import {readTlsOptions, type TlsChoice} from './tls-options.ts';

/** The fetch of one server, with only that server's headers and certificates. */
export type ServerFetch = {
	readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
	/** Ends every connection, also those in use. */
	readonly close: () => Promise<void>;
};

export type ServerFetchOptions = {
	/** Every request must stay at this address's origin. */
	readonly url: URL;
	/** Sent with every request; headers of the request win. */
	readonly headers: Readonly<Record<string, string>>;
	readonly tls: TlsChoice;
	/** The folder that `~` in paths refers to. */
	readonly home: string;
	/** The largest message in bytes: a body, or one event of an event stream. */
	readonly messageLimitBytes: number;
};

const maximumRedirects = 5;

/** The compressions accepted from servers. */
const acceptedEncodings = 'gzip, deflate';

/** The default headers, below those of entry and request. */
const defaultHeaders = {accept: '*/*', 'accept-encoding': acceptedEncodings, 'user-agent': 'undici'};

/**
Opens the fetch of one server. Rejects with `file_missing` or `config_invalid` when certificates or headers are unusable;
its `fetch` rejects with Problem `connect_failed` when a redirect is refused.
*/
export async function openServerFetch(options: ServerFetchOptions): Promise<ServerFetch> {
	// Lower-case names, like those of a request: requests are the hot path, and merging records is fast.
	const headers = Object.fromEntries(checkHeaders(options.headers));
	const tls = options.url.protocol === 'https:' ? await readTlsOptions(options.tls, options.home) : undefined;
	// Calls and event streams may be silent for long; the caller's signal has their deadlines.
	const agent = new Agent({connect: {...tls}, headersTimeout: 0, bodyTimeout: 0, allowH2: false});

	const requestOnce: RequestOnce = async (url, request) => {
		if (url.origin !== options.url.origin) {
			throw new Problem('connect_failed', {
				message: `A request to ${url.origin} was refused: it is not the server's own address`,
			});
		}

		return sendRequest(agent, url, request);
	};

	return {
		async fetch(url, init = {}) {
			const own = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
			const {method = 'GET', signal, body} = init;
			const request = {
				method: method.toUpperCase(),
				headers: {...headers, ...Object.fromEntries(own)},
				body: textBody(body),
				signal: signal ?? undefined,
			};
			return withCap(await followRedirects(new URL(url), request, requestOnce), options.messageLimitBytes);
		},
		close: () => agent.destroy(),
	};
}

type RequestOnce = (url: URL, request: PlainRequest) => Promise<PlainResponse>;

/** Tool servers are sent JSON. */
function textBody(body: RequestInit['body']): string | undefined {
	if (typeof body === 'string' || body === undefined || body === null) {
		return body ?? undefined;
	}

	throw new Problem('internal', {message: 'Only text is sent to tool servers'});
}

async function followRedirects(start: URL, init: PlainRequest, requestOnce: RequestOnce): Promise<PlainResponse> {
	let url = start;
	let request = init;
	for (let followed = 0; followed <= maximumRedirects; followed++) {
		const answer = await requestOnce(url, request);
		const {method} = request;
		const step = redirectStep({from: url, method, status: answer.status, location: answer.headers.get('location')});
		if (step.kind === 'take') {
			return answer;
		}

		await answer.body?.cancel();
		if (step.kind === 'refuse') {
			throw new Problem('connect_failed', {message: step.reason});
		}

		url = step.url;
		request = step.keepsBody ? request : {...request, method: 'GET', body: undefined};
	}

	throw new Problem('connect_failed', {message: `The server redirected more than ${maximumRedirects} times`});
}

function checkHeaders(headers: Readonly<Record<string, string>>): Headers {
	const checked = new Headers(defaultHeaders);
	for (const [name, value] of Object.entries(headers)) {
		try {
			checked.set(name, value);
		} catch (error) {
			// The platform's error quotes the value, which may be a secret.
			throw new Problem('config_invalid', {
				message: `headers.${name} cannot be sent: its name or value contains a character that is not allowed in a header`,
				cause: error instanceof Error ? error.name : undefined,
			});
		}
	}

	return checked;
}

function withCap({status, statusText, headers, body}: PlainResponse, limitBytes: number): Response {
	const eventStream = (headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream');
	const decoded = body && decodedBody(body, headers.get('content-encoding'));
	return new Response(decoded && capBody(decoded, {limitBytes, eventStream}), {status, statusText, headers});
}

/** The body of a response, decompressed by its `content-encoding`; an encoding that was not accepted is left as it is. */
function decodedBody(body: ReadableStream<Uint8Array>, contentEncoding: string | null): ReadableStream<Uint8Array> {
	const format = formatOf(contentEncoding ?? '');
	return format === undefined ? body : body.pipeThrough(new DecompressionStream(format));
}

function formatOf(contentEncoding: string): 'gzip' | 'deflate' | undefined {
	switch (contentEncoding.trim().toLowerCase()) {
		case 'gzip':
		case 'x-gzip':
			return 'gzip';
		case 'deflate':
			return 'deflate';
		default:
			return undefined;
	}
}
