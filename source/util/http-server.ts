import {type IncomingMessage, type Server} from 'node:http';
import {createServer as createSocketServer, type Socket} from 'node:net';
import type {FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {Problem, systemErrorCode, toProblem} from './problem.ts';

export type HttpServerOptions = FastifyHttpOptions<Server> & {
	/** Receives the error of a failed answer; the request's connection is closed then. */
	readonly onError?: (caught: unknown) => void;
	/** Answers a request whose end cannot be known. Default: 400 without a body. Its connection is closed, and nothing after it is answered. */
	readonly answerFaulty?: HandleRequest;
};

/** Answers a request whose body is unread. */
export type HandleRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Loads the library of the first server while something else is waited for. */
export async function loadHttpServer(): Promise<void> {
	await import('fastify');
}

/**
Creates a server that passes every request to `answer`, whatever its method, path and content type: `answer` decides what to refuse.
The library is loaded with the first server.
*/
export async function createHttpServer(
	{onError, answerFaulty = refuseFaulty, ...options}: HttpServerOptions,
	answer: HandleRequest,
): Promise<FastifyInstance> {
	const {fastify} = await import('fastify');
	const faulty = new WeakSet<Socket>();
	const answerEach = (request: FastifyRequest, reply: FastifyReply): void => {
		const {socket} = request.raw;
		if (faulty.has(socket)) {
			reply.hijack();
			return;
		}

		const isFaulty = hasFaultyFraming(request.raw);
		if (isFaulty) {
			faulty.add(socket);
			void reply.header('connection', 'close');
		}

		(isFaulty ? answerFaulty : answer)(request, reply).catch((caught: unknown) => {
			onError?.(caught);
			reply.hijack();
			reply.raw.destroy();
		});
	};

	const app = fastify({
		...options,
		rewriteUrl: originForm,
		schemaController: {compilersFactory: {buildValidator: withoutSchemas, buildSerializer: withoutSchemas}},
		// Handles paths with invalid escapes.
		frameworkErrors: (_, request, reply) => answerEach(request, reply),
	});
	// Fastify parses no body for a method declared without one.
	app.supportedMethods.forEach(method => app.addHttpMethod(method, {hasBody: false, overrideExisting: true}));
	app.all('*', answerEach);
	// Handles methods that fastify does not know, such as PROPFIND.
	app.setNotFoundHandler(answerEach);
	// Without this, Node.js sends 100 Continue before the headers are checked.
	app.server.on('checkContinue', (request, response) => app.routing(request, response));
	// A connection that cannot be accepted later, without a free descriptor, must not end the process.
	app.server.on('error', () => undefined);
	return app;
}

/** HTTP/1.0 has no transfer encodings: a proxy may have taken the message to end elsewhere (RFC 9112, section 6.1). */
function hasFaultyFraming({httpVersion, headers}: IncomingMessage): boolean {
	return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

const refuseFaulty: HandleRequest = async (_, reply) => void reply.code(400).send();

/**
The target without scheme and authority. The authority of an absolute target takes the place of `Host` (RFC 9112, section 3.2.2).
A target with credentials stays as it is and is found nowhere.
*/
function originForm(request: IncomingMessage): string {
	const {url = '', headers} = request;
	const absolute = /^https?:\/\/([^/?#@]+)(\/[^?#]*)?(\?[^#]*)?$/iu.exec(url);
	if (!absolute) {
		return url;
	}

	const [, authority = '', path = '/', query = ''] = absolute;
	headers.host = authority;
	return path + query;
}

/** No route has a schema, so the schema compilers need not be loaded. */
function withoutSchemas(): never {
	throw new Error('no route has a schema');
}

/** Sends 100 Continue to a sender that waits for it before the body. */
export function inviteBody({raw}: FastifyRequest, reply: FastifyReply): void {
	if (raw.headers.expect !== undefined) {
		reply.raw.writeContinue();
	}
}

/** The address to listen on. Port 0 takes any free one. */
export type ListenAddress = {readonly host: string; readonly port: number};

/** Starts to listen and returns the base URL for this machine, `http://host:port`. Rejects with `port_in_use` or `listen_failed`, with the server closed. */
export async function listen(app: FastifyInstance, {host, port}: ListenAddress): Promise<string> {
	try {
		await app.listen({port, host: boundHost(host)});
	} catch (error) {
		await app.close();
		throw listenProblem(error, {host, port});
	}

	const bound = app.server.address();
	return baseAddress(typeof bound === 'object' && bound ? {host: bound.address, port: bound.port} : {host, port});
}

/** The address of the one socket that listens: `localhost` may be two addresses. */
export function boundHost(host: string): string {
	return host === 'localhost' ? '127.0.0.1' : host;
}

/** The state of an address before a server listens there. */
type PortState =
	| {readonly kind: 'free'}
	| {readonly kind: 'taken'}
	/** The address is not of this machine, or the port is reserved for others; `code` is the system's word. */
	| {readonly kind: 'refused'; readonly code: string};

/** Listens for a moment as `listen` would, and keeps no port. Port 0 is always free. */
export function portState({host, port}: ListenAddress): Promise<PortState> {
	return new Promise(resolve => {
		const server = createSocketServer();
		server.once('error', error => {
			const code = 'code' in error ? String(error.code) : error.message;
			resolve(code === 'EADDRINUSE' ? {kind: 'taken'} : {kind: 'refused', code});
		});
		server.listen({host: boundHost(host), port, exclusive: true}, () => server.close(() => resolve({kind: 'free'})));
	});
}

/** A server on all addresses is reached at the loopback address. */
const ownAddresses: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};

/** The base URL of a listening server. */
export function baseAddress({host, port}: ListenAddress): string {
	const own = ownAddresses[host] ?? host;
	return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

function listenProblem(error: unknown, {host, port}: ListenAddress): Problem {
	return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
		? new Problem('port_in_use', {message: `Port ${port} on ${host} is in use`, cause: error})
		: toProblem(error, 'listen_failed', {message: `Cannot listen on port ${port} of ${host}${refusalText(error)}`});
}

const refusals: Readonly<Record<string, string>> = {
	EACCES: 'the system reserves the port for other users',
	EADDRNOTAVAIL: 'this machine does not have that address',
	ENOTFOUND: 'the host name is unknown',
};

function refusalText(error: unknown): string {
	const reason = refusals[systemErrorCode(error) ?? ''];
	return reason === undefined ? '' : `: ${reason}`;
}

/** The reason that a listener, which is tried again, does not listen. */
export function listenFailureText({code, message}: Problem): string {
	return `${message}; Sluice tries again${code === 'port_in_use' ? ' until it is free' : ''}`;
}
