import {METHODS} from 'node:http';
import {type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions} from 'fastify';

export type HttpServerOptions = FastifyServerOptions & {
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
	METHODS.forEach(method => app.addHttpMethod(method, {hasBody: false, overrideExisting: true}));
	app.all('*', answerEach);
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
