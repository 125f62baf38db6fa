import {type Server} from 'node:http';
import type {FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {Problem, toProblem} from './problem.ts';

export type HttpServerOptions = FastifyHttpOptions<Server> & {
	/** Receives what an answer failed with; the request's connection has ended then. */
	readonly onError?: (caught: unknown) => void;
};

/** Answers a request whose body is unread. */
export type AnswerRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
Creates a server that hands every request to `answer`, whatever its method, path and content type: what is refused, and how, is for `answer` to say.
The library is only loaded with the first server.
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
		// Paths whose escapes are broken come here.
		frameworkErrors: (_, request, reply) => answerEach(request, reply),
	});
	// Fastify parses no body of a method that is said to have none.
	app.supportedMethods.forEach(method => app.addHttpMethod(method, {hasBody: false, overrideExisting: true}));
	app.all('*', answerEach);
	// Methods that fastify does not know, such as PROPFIND, come here.
	app.setNotFoundHandler(answerEach);
	// Without this Node.js sends 100 Continue before the headers were checked.
	app.server.on('checkContinue', (request, response) => app.routing(request, response));
	// A connection that cannot be taken later, for want of descriptors, is no reason to end the process.
	app.server.on('error', () => undefined);
	return app;
}

/** No route has a schema, so the compilers of schemas need not be loaded. */
function withoutSchemas(): never {
	throw new Error('no route has a schema');
}

/** Sends 100 Continue to a sender that waits for it before it sends the body. */
export function inviteBody({raw}: FastifyRequest, reply: FastifyReply): void {
	if (raw.headers.expect !== undefined) {
		reply.raw.writeContinue();
	}
}

/** Where a listener is to be bound. Port 0 takes any free one. */
export type ListenAddress = {readonly host: string; readonly port: number};

/** Binds a server and answers the address it is reached at from this machine, as `http://host:port`. Rejects with `port_in_use` or `listen_failed`, with the server closed. */
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

/** Who is bound to every address is reached at the machine's own. */
const ownAddresses: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};

/** The base address of a server that is bound to an address and a port. */
export function baseAddress({host, port}: ListenAddress): string {
	const own = ownAddresses[host] ?? host;
	return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

function listenProblem(error: unknown, {host, port}: ListenAddress): Problem {
	return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
		? new Problem('port_in_use', {message: `Port ${port} on ${host} is taken`, cause: error})
		: toProblem(error, 'listen_failed', {message: `Cannot listen on port ${port} of ${host}`});
}
