import {type IncomingMessage, STATUS_CODES} from 'node:http';
import {type Socket} from 'node:net';
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {type Clock} from '../util/clock.ts';
import {errorText, Problem} from '../util/problem.ts';
import {type ConnectionBook, createConnectionBook} from './connection-book.ts';
import {type IncomingRequest} from './incoming-request.ts';
import {type Reply, replyTo} from './outcome.ts';
import {requestHeaders} from './request-headers.ts';
import {readRequestPath} from './request-path.ts';

/** What went wrong before there was a request. */
export type MalformedRequest = 'stalled' | 'headers-too-large' | 'bad-request';

export type ServerOptions = {
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
	/** How often waiting connections are looked at. */
	readonly checkMilliseconds: number;
	readonly maxHeaderBytes: number;
	readonly maxConnections: number;
};

/** A listener. */
export type Server = {
	/** Answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: (address: {readonly host: string; readonly port: number}) => Promise<string>;
	/** Accepts no more, ends idle connections at once and busy ones after `graceMilliseconds`. */
	readonly close: (graceMilliseconds: number) => Promise<void>;
};

/** Stands for what nobody asks for. */
const noCompiler = () => () => {
	throw new TypeError('There are no schemas');
};

/** A refused body up to this size is discarded so that its sender can read the answer; a larger one ends the connection. */
const discardedBytes = 65_536;

/** Opens fastify around one answering function. Paths, methods, bodies and content types are judged by the walk, never by fastify. */
export function createServer(options: ServerOptions): Server {
	const {clock} = options;
	const book = createConnectionBook(options.limits.maxConnections);
	const server = openFastify(options, book);
	// In the first hook, because fastify would read the body and judge its type before the walk has seen the request.
	server.addHook('onRequest', async (request, reply) => {
		const leave = book.enter(request.raw);
		const answered = await options.answer(incoming(request, reply));
		if (leave() === 'end' || hasUnreadBody(request.raw)) {
			reply.header('connection', 'close');
		}

		return reply.code(answered.status).headers(answered.headers).send(answered.body);
	});
	// Every request ends here as far as fastify's router is concerned; hooks run for it only when it is set.
	server.setNotFoundHandler(() => undefined);
	// Without this node invites the body of `Expect: 100-continue` before anyone looked at its size.
	server.server.on('checkContinue', (request, response) => server.routing(request, response));
	// Node would turn the newest away, and idle connections could shut everybody out.
	server.server.on('connection', book.open);

	return {
		async listen({host, port}) {
			try {
				// One socket: fastify would open a second server for `localhost`, which none of the bounds here would reach.
				return await server.listen({host: host === 'localhost' ? '127.0.0.1' : host, port});
			} catch (error) {
				throw listenProblem(error, {host, port});
			}
		},
		async close(graceMilliseconds) {
			const timer = clock.after(graceMilliseconds, () => server.server.closeAllConnections());
			await server.close();
			timer.cancel();
		},
	};
}

function openFastify({limits, answerMalformed}: ServerOptions, book: ConnectionBook): FastifyInstance {
	return fastify({
		// Nothing is validated or serialized by a schema: the compilers of both need not be loaded.
		schemaController: {compilersFactory: {buildValidator: noCompiler, buildSerializer: noCompiler}},
		// The router sees one path; the walk reads the real one.
		rewriteUrl: () => '/',
		return503OnClosing: false,
		requestTimeout: limits.requestMilliseconds,
		keepAliveTimeout: limits.keepAliveMilliseconds,
		http: {
			headersTimeout: limits.headersMilliseconds,
			requestTimeout: limits.requestMilliseconds,
			connectionsCheckingInterval: limits.checkMilliseconds,
			maxHeaderSize: limits.maxHeaderBytes,
		},
		clientErrorHandler(error, socket) {
			const work = book.breakOff(socket);
			// Whole requests before the error keep their answers; the last of them ends the connection.
			if (work === 'answering' && socket.writable) {
				return;
			}

			const kind = malformedKind(error.code);
			if (kind && socket.writable) {
				// A request that was still coming in gets its row from the walk.
				writeReply(socket, work === 'idle' ? answerMalformed(kind) : replyTo({kind}));
			}

			socket.destroy();
		},
	});
}

function incoming(request: FastifyRequest, reply: FastifyReply): IncomingRequest {
	return {
		method: request.method,
		path: readRequestPath(request.originalUrl),
		target: request.originalUrl,
		headers: requestHeaders(request.raw.headers),
		body: request.raw,
		invite() {
			if (request.raw.headers.expect !== undefined) {
				reply.raw.writeContinue();
			}
		},
	};
}

/** True when there is more of a body than is worth discarding: its sender would go on sending into a connection nobody reads. */
function hasUnreadBody(request: IncomingMessage): boolean {
	const isBounded = request.headers['transfer-encoding'] === undefined;
	return !request.complete && !(isBounded && Number(request.headers['content-length'] ?? 0) <= discardedBytes);
}

/** Undefined when nobody is left who waits for an answer. */
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
	const lines = Object.entries({
		'content-type': 'application/json; charset=utf-8',
		'content-length': String(Buffer.byteLength(text)),
		...headers,
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
}

function listenProblem(error: unknown, {host, port}: {readonly host: string; readonly port: number}): Problem {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return code === 'EADDRINUSE'
		? new Problem('port_in_use', {message: `Port ${port} on ${host} is taken`, cause: error})
		: new Problem('listen_failed', {
				message: `Cannot listen on port ${port} of ${host}`,
				detail: errorText(error),
				cause: error,
			});
}
