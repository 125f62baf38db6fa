import {type IncomingMessage, STATUS_CODES, type ServerResponse, createServer as createHttpServer} from 'node:http';
import {type Socket} from 'node:net';
import {listen, type ListenAddress} from '../../util/listen.ts';
import {type Clock} from '../../util/clock.ts';
import {createConnectionTracker} from './connection-tracker.ts';
import {type IncomingRequest, readRequestPath, requestHeaders} from './incoming-request.ts';
import {type Reply, replyTo} from './outcome.ts';

/** What went wrong before there was a request. */
export type MalformedRequest = 'stalled' | 'headers-too-large' | 'bad-request';

type ServerOptions = {
	readonly clock: Clock;
	/** Never rejects. */
	readonly answer: (request: IncomingRequest) => Promise<Reply>;
	readonly answerMalformed: (kind: MalformedRequest) => Reply;
	readonly limits: ServerLimits;
};

/** Bounds of the listener. */
export type ServerLimits = {
	readonly headersMilliseconds: number;
	/** Until the whole request is there; the backstop behind the deadline for bodies. */
	readonly requestMilliseconds: number;
	readonly keepAliveMilliseconds: number;
	/** How often waiting connections are checked. */
	readonly checkMilliseconds: number;
	readonly maxHeaderBytes: number;
	readonly maxConnections: number;
};

/** A listener. */
export type Server = {
	/** Answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: (address: ListenAddress) => Promise<string>;
	/** Accepts no more, ends idle connections at once and busy ones after `graceMilliseconds`. */
	readonly close: (graceMilliseconds: number) => Promise<void>;
};

/** A refused body up to this size is discarded so that its sender can read the answer; a larger one ends the connection. */
const discardedBytes = 65_536;

/** Creates an HTTP server around one answering function. Paths, methods, bodies and content types are the matter of the request handler. */
export function createServer(options: ServerOptions): Server {
	const {clock, limits} = options;
	const connections = createConnectionTracker(limits.maxConnections);
	const server = createHttpServer({
		headersTimeout: limits.headersMilliseconds,
		requestTimeout: limits.requestMilliseconds,
		keepAliveTimeout: limits.keepAliveMilliseconds,
		connectionsCheckingInterval: limits.checkMilliseconds,
		maxHeaderSize: limits.maxHeaderBytes,
	});
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const leave = connections.enter(request);
		const reply = await options.answer(incoming(request, response));
		// An answer may be ready before Node.js has parsed the whole packet; what follows in it may end the connection.
		if (!request.complete) {
			await nextTurn(clock);
		}

		// A listener that closes waits for its connections: this one takes no further request.
		const isLast = leave() === 'end' || hasUnreadBody(request) || !server.listening;
		send(response, reply, isLast ? {connection: 'close'} : {});
	};

	const serve = (request: IncomingMessage, response: ServerResponse) => {
		// Nothing is expected to fail here; if it does, it costs this connection and never the gateway.
		answer(request, response).catch(() => response.destroy());
	};

	server.on('request', serve);
	// Without this Node.js sends 100 Continue before the declared size was checked.
	server.on('checkContinue', serve);
	// The limit of Node.js would refuse the newest, and idle connections could shut out all others.
	server.on('connection', connections.open);
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
		const work = connections.breakOff(socket);
		// Whole requests before the error are still answered; the last answer ends the connection.
		if (work === 'answering' && socket.writable) {
			return;
		}

		const kind = malformedKind(error.code ?? '');
		if (kind && socket.writable) {
			// A request that was still coming in gets its row from the request handler.
			writeReply(socket, work === 'idle' ? options.answerMalformed(kind) : replyTo({kind}));
		}

		socket.destroy();
	});
	return {
		listen: address => listen(server, address),
		async close(graceMilliseconds) {
			const timer = clock.after(graceMilliseconds, () => server.closeAllConnections());
			await new Promise(resolve => void server.close(resolve));
			timer.cancel();
		},
	};
}

function incoming(request: IncomingMessage, response: ServerResponse): IncomingRequest {
	const {method = '', url = ''} = request;
	return {
		method,
		path: readRequestPath(url),
		target: url,
		headers: requestHeaders(request.headers),
		body: request,
		invite() {
			if (request.headers.expect !== undefined) {
				response.writeContinue();
			}
		},
	};
}

function nextTurn(clock: Clock): Promise<void> {
	return new Promise(resolve => clock.soon(resolve));
}

function send(response: ServerResponse, {status, headers, body}: Reply, more: Readonly<Record<string, string>>): void {
	const text = JSON.stringify(body);
	response.writeHead(status, {...bodyHeaders(text), ...headers, ...more}).end(text);
}

function bodyHeaders(text: string): Readonly<Record<string, string>> {
	return {'content-type': 'application/json; charset=utf-8', 'content-length': String(Buffer.byteLength(text))};
}

/** True when there is more of a body than is worth discarding: its sender would go on sending into a connection that is not read. */
function hasUnreadBody(request: IncomingMessage): boolean {
	const isBounded = request.headers['transfer-encoding'] === undefined;
	return !request.complete && !(isBounded && Number(request.headers['content-length'] ?? 0) <= discardedBytes);
}

/** Undefined when no sender waits for an answer any more. */
function malformedKind(code: string): MalformedRequest | undefined {
	switch (code) {
		case 'ECONNRESET':
		case 'HPE_INVALID_EOF_STATE':
			return undefined;
		case 'ERR_HTTP_REQUEST_TIMEOUT':
			return 'stalled';
		case 'HPE_HEADER_OVERFLOW':
			return 'headers-too-large';
		default:
			return 'bad-request';
	}
}

/** There is no request to answer through, only a socket. */
function writeReply(socket: Socket, {status, headers, body}: Reply): void {
	const text = JSON.stringify(body);
	const lines = Object.entries({...bodyHeaders(text), ...headers}).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
}
