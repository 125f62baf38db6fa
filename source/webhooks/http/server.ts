import {type IncomingMessage, type ServerResponse} from 'node:http';
import {type Socket} from 'node:net';
import {getBuiltinModule} from 'node:process';
import type {FastifyReply, FastifyRequest} from 'fastify';
import {type ResponseEnd} from '../../state/event-caller.ts';
import {type Clock} from '../../util/clock.ts';
import {answerUnread} from '../../util/discard-body.ts';
import {
	createHttpServer,
	type HttpServerOptions,
	inviteBody,
	listen,
	type ListenAddress,
} from '../../util/http-server.ts';
import {type DiscardSlot} from './body-slots.ts';
import {createConnectionTracker} from './connection-tracker.ts';
import {type IncomingRequest, readRequestPath, requestHeaders} from './incoming-request.ts';
import {type Reply, replyTo} from './outcome.ts';

/** The reason that a request could not be parsed. */
export type MalformedRequest = 'stalled' | 'headers-too-large' | 'bad-request';

/** A response, and the slot for the rest of a body that is not read; undefined when none is free. */
export type ReadyReply = Reply & {
	readonly takeDiscard: () => DiscardSlot | undefined;
	/** Called once, when the response has been written or cannot be. */
	readonly onResponseEnd?: (end: ResponseEnd) => void;
};

type ServerOptions = {
	readonly clock: Clock;
	/** Never rejects. */
	readonly answer: (request: IncomingRequest) => Promise<ReadyReply>;
	readonly answerMalformed: (kind: MalformedRequest) => Reply;
	readonly limits: ServerLimits;
};

/** Limits of the listener. */
export type ServerLimits = {
	readonly headersMilliseconds: number;
	/** Until the request is complete; the fallback behind the deadline for bodies. */
	readonly requestMilliseconds: number;
	readonly keepAliveMilliseconds: number;
	/** The interval in which waiting connections are checked. */
	readonly checkMilliseconds: number;
	readonly maxHeaderBytes: number;
	readonly maxConnections: number;
};

/** A listener. */
export type Server = {
	/** Starts to listen and returns the base URL. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: (address: ListenAddress) => Promise<string>;
	/** Accepts no more, ends idle connections at once and busy ones after `graceMilliseconds`. */
	readonly close: (graceMilliseconds: number) => Promise<void>;
};

/** The rest of a refused body up to this size leaves the connection open for further requests. */
const keptOpenBytes = 65_536;

/** Creates an HTTP server around one answering function. The request handler checks paths, methods, bodies and content types. */
export async function createServer(options: ServerOptions): Promise<Server> {
	const {clock, limits} = options;
	const connections = createConnectionTracker(limits.maxConnections);
	/** Connections whose last response is sent, and whose body is discarded. */
	const discarding = new WeakSet<Socket>();
	const answer = async (request: FastifyRequest, reply: FastifyReply) => {
		const {raw} = request;
		const leave = connections.enter(raw);
		const {
			headers: {expect},
		} = raw;
		let body: 'sent' | 'awaiting-invitation' = expect === undefined ? 'sent' : 'awaiting-invitation';
		const invite = () => {
			body = 'sent';
			inviteBody(request, reply);
		};

		const ready = await options.answer(incoming(raw, {invite, closed: () => closedSignal(reply.raw)}));
		// A response may be ready before Node.js has parsed the whole packet; what follows in it may end the connection.
		if (!raw.complete) {
			await nextTurn(clock);
		}

		// Closing waits for connections: this one accepts no further request.
		const isBroken = leave() === 'end';
		const isLast = isBroken || hasUnreadBody(raw) || !app.server.listening || ready.headers['connection'] === 'close';
		const isRestDiscarded = isLast && !isBroken && !raw.complete && body === 'sent';
		followResponse(reply.raw, ready);
		const slot = isRestDiscarded ? ready.takeDiscard() : undefined;
		if (slot) {
			discarding.add(raw.socket);
			reply.hijack();
			await answerUnread(raw, reply.raw, {...fullResponse(ready), clock, signal: slot.signal});
			slot.release();
		} else {
			send(reply, ready, isLast ? {connection: 'close'} : {});
		}
	};

	const answerFaulty = async ({raw}: FastifyRequest, reply: FastifyReply) => {
		connections.enter(raw)();
		send(reply, options.answerMalformed('bad-request'), {});
	};

	const onClientError = ({code}: NodeJS.ErrnoException, socket: Socket) => {
		const work = connections.breakOff(socket);
		// Complete requests before the error are still answered; the last response ends the connection.
		if (work === 'answering' && socket.writable) {
			return;
		}

		const kind = malformedKind(code ?? '');
		if (kind && socket.writable && !discarding.has(socket)) {
			// An incomplete request gets its row from the request handler.
			writeReply(socket, work === 'idle' ? options.answerMalformed(kind) : replyTo({kind}));
		}

		socket.destroy();
	};

	const app = await createHttpServer(
		{...serverOptions(limits), clientErrorHandler: onClientError, answerFaulty},
		answer,
	);
	// The limit of Node.js would refuse the newest, and idle connections could block all others.
	app.server.on('connection', connections.open);
	return {
		listen: address => listen(app, address),
		async close(graceMilliseconds) {
			const timer = clock.after(graceMilliseconds, () => app.server.closeAllConnections());
			await app.close();
			timer.cancel();
		},
	};
}

function serverOptions(limits: ServerLimits): HttpServerOptions {
	return {
		requestTimeout: limits.requestMilliseconds,
		keepAliveTimeout: limits.keepAliveMilliseconds,
		http: {
			headersTimeout: limits.headersMilliseconds,
			connectionsCheckingInterval: limits.checkMilliseconds,
			maxHeaderSize: limits.maxHeaderBytes,
		},
		// The request handler answers requests during a stop and writes their rows.
		return503OnClosing: false,
	};
}

function incoming(request: IncomingMessage, connection: Pick<IncomingRequest, 'invite' | 'closed'>): IncomingRequest {
	const {method = '', url = '', headers} = request;
	return {
		method,
		path: readRequestPath(url),
		target: url,
		headers: requestHeaders(headers),
		body: request,
		...connection,
	};
}

/** Aborts when the response is over, which a closed connection ends before it begins. */
function closedSignal(response: ServerResponse): AbortSignal {
	const closing = new AbortController();
	if (response.req.socket.destroyed) {
		closing.abort();
	}

	response.once('close', () => closing.abort());
	return closing.signal;
}

/** Node.js says `finish` when the last byte was handed to the operating system, and `close` in any case. */
function followResponse(response: ServerResponse, {onResponseEnd}: ReadyReply): void {
	if (!onResponseEnd) {
		return;
	}

	if (response.req.socket.destroyed) {
		onResponseEnd('gone');
		return;
	}

	let end: ResponseEnd = 'cut';
	response.once('finish', () => {
		end = 'flushed';
	});
	response.once('close', () => onResponseEnd(end));
}

function nextTurn(clock: Clock): Promise<void> {
	return new Promise(resolve => clock.soon(resolve));
}

function send(reply: FastifyReply, ready: Reply, more: Readonly<Record<string, string>>): void {
	const {status, headers, text} = fullResponse(ready);
	void reply
		.code(status)
		.headers({...headers, ...more})
		.send(text);
}

function fullResponse({status, headers, body, text = JSON.stringify(body)}: Reply) {
	return {status, headers: text === '' ? headers : {'content-type': jsonType, ...headers}, text};
}

const jsonType = 'application/json; charset=utf-8';

/** True when too much of a body is left to discard: its sender would continue to send into a connection that is not read. */
function hasUnreadBody(request: IncomingMessage): boolean {
	const isBounded = request.headers['transfer-encoding'] === undefined;
	return !request.complete && !(isBounded && Number(request.headers['content-length'] ?? 0) <= keptOpenBytes);
}

/** Undefined when the sender no longer waits for a response. */
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
function writeReply(socket: Socket, reply: Reply): void {
	const {status, headers, text} = fullResponse(reply);
	const all = {'content-length': Buffer.byteLength(text), ...headers};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	const {STATUS_CODES} = getBuiltinModule('node:http');
	socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
}
