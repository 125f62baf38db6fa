import {type Server} from 'node:http';
import type {FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {Problem, toProblem} from './problem.ts';

export type HttpServerOptions = FastifyHttpOptions<Server> & {
	/** Receives the error of a failed answer; the request's connection is closed then. */
	readonly onError?: (caught: unknown) => void;
};

/** Answers a request whose body is unread. */
export type AnswerRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Loads the library of the first server while something else is waited for. */
export async function loadHttpServer(): Promise<void> {
	await import('fastify');
}

/**
Creates a server that passes every request to `answer`, whatever its method, path and content type: `answer` decides what to refuse.
The library is loaded with the first server.
*/
export async function createHttpServer(
	{onError, ...options}: HttpServerOptions,
	answer: AnswerRequest,
): Promise<FastifyInstance> {
	const {fastify} = await import('fastify');
	const answerEach = (request: FastifyRequest, reply: FastifyReply): void => {
		answer(request, reply).catch((caught: unknown) => {
			onError?.(caught);
			reply.hijack();
			reply.raw.destroy();
		});
	};

	const app = fastify({
		...options,
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

/** Where to listen. Port 0 takes any free one. */
export type ListenAddress = {readonly host: string; readonly port: number};

/** Starts to listen and returns the base URL for this machine, `http://host:port`. Rejects with `port_in_use` or `listen_failed`, with the server closed. */
export async function listen(app: FastifyInstance, {host, port}: ListenAddress): Promise<string> {
	try {
		// One socket: `localhost` may be two addresses.
		await app.listen({port, host: host === 'localhost' ? '127.0.0.1' : host});
	} catch (error) {
		await app.close();
		throw listenProblem(error, {host, port});
	}

	const bound = app.server.address();
	return baseAddress(typeof bound === 'object' && bound ? {host: bound.address, port: bound.port} : {host, port});
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
		? new Problem('port_in_use', {message: `Port ${port} on ${host} is taken`, cause: error})
		: toProblem(error, 'listen_failed', {message: `Cannot listen on port ${port} of ${host}`});
}

/** Why a listener that is tried again does not listen. */
export function listenFailureText({code, message}: Problem): string {
	return `${message}; it is tried again${code === 'port_in_use' ? ' until it is free' : ''}`;
}
