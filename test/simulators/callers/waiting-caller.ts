import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';
import {type Outgoing} from '../../../source/net/outgoing.ts';

/** The answer as a caller got it; `gave-up`: none came within its limit. */
export type GivenAnswer =
	| {readonly kind: 'answer'; readonly status: number; readonly type: string; readonly text: string}
	| {readonly kind: 'gave-up'};

/** Posts a request and waits no longer than the provider does. */
export async function postWithin(
	seconds: number,
	url: string,
	{
		headers,
		body,
		signal,
	}: {
		readonly headers: Readonly<Record<string, string>>;
		readonly body: string;
		readonly signal?: AbortSignal | undefined;
	},
): Promise<GivenAnswer> {
	const limit = AbortSignal.timeout(seconds * 1000);
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers,
			body,
			signal: signal ? AbortSignal.any([limit, signal]) : limit,
		});
		const type = response.headers.get('content-type') ?? '';
		return {kind: 'answer', status: response.status, type, text: await response.text()};
	} catch (error) {
		if (limit.aborted || signal?.aborted) {
			return {kind: 'gave-up'};
		}

		throw error;
	}
}

/** A request that came to the address of a later answer. */
export type LaterRequest = {
	readonly method: string;
	readonly path: string;
	readonly type: string;
	readonly body: string;
};

/** The place of later answers: `judge` says the provider's status and body for each request. */
export async function serveLater(
	host: string,
	judge: (request: LaterRequest) => {readonly status: number; readonly body: string; readonly location?: string},
) {
	const received: LaterRequest[] = [];
	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const {method = '', url: path = '', headers} = request;
		const later = {method, path, type: headers['content-type'] ?? '', body: await readAll(request)};
		received.push(later);
		const {status, body, location} = judge(later);
		response.writeHead(status, {'content-type': 'application/json', ...(location && {location})}).end(body);
	};

	const server = createServer((request, response) => void handle(request, response));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	const {port} = server.address() as AddressInfo;
	return {host, origin: `http://127.0.0.1:${port}`, received};
}

/** Connections on which the hosts of providers are simulators; every other host is unknown. */
export async function connectTo(
	places: ReadonlyArray<{readonly host: string; readonly origin: string}>,
	open: () => Promise<Outgoing>,
): Promise<Outgoing & {readonly asked: readonly string[]}> {
	const outgoing = await open();
	const asked: string[] = [];
	return {
		asked,
		async request({url, ...request}) {
			asked.push(url.href);
			const place = places.find(({host}) => url.origin === `https://${host}`);
			return place
				? outgoing.request({...request, url: new URL(url.pathname + url.search, place.origin)})
				: {kind: 'unreachable', detail: 'the host is unknown'};
		},
		close: outgoing.close,
	};
}

async function readAll(request: IncomingMessage): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of request) {
		chunks.push(chunk);
	}

	return Buffer.concat(chunks).toString('utf8');
}
