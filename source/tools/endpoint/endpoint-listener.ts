import type {FastifyReply, FastifyRequest} from 'fastify';
import {type Clock} from '../../util/clock.ts';
import {answerUnread} from '../../util/discard-body.ts';
import {createHttpServer, inviteBody, listen, type ListenAddress} from '../../util/http-server.ts';
import {toProblem} from '../../util/problem.ts';
import {authorizeRequest, type EndpointRules} from './authorize-request.ts';
import {type EndpointHandler} from './endpoint-handler.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';
import {type Refusal, rpcRefusalText, tooLarge} from './rpc-refusal.ts';

/** A client with its token, and the tools that it is offered. */
export type EndpointClient = {
	/** Another one for each profile, name, token and filter: sessions are for one of them. */
	readonly key: string;
	readonly token: string;
	readonly tools: EndpointTools;
};

export type EndpointListenerOptions = {
	/** Read at every request: a reload may have changed them. */
	readonly rules: () => EndpointRules<EndpointClient>;
	/** The metrics as text. */
	readonly metrics: () => Promise<string>;
	/** Called with internal errors while a request is answered. */
	readonly report: (error: Error) => void;
	readonly clock: Clock;
};

/** The HTTP listener of the endpoint and the metrics. */
export type EndpointListener = {
	/** The base URL. */
	readonly url: string;
	/** Ends the sessions of clients whose keys are not in the list. */
	readonly keep: (keys: readonly string[]) => Promise<void>;
	/** Ends sessions, cancels the running calls and closes every connection. */
	readonly close: () => Promise<void>;
};

/**
Opens the listener. Rejects with `port_in_use` or `listen_failed`. The protocol is loaded with the first authorized request: the start
of the gateway must not wait for it.
*/
export async function openEndpointListener(
	options: EndpointListenerOptions,
	address: ListenAddress,
): Promise<EndpointListener> {
	const handlers = new Map<string, Promise<EndpointHandler>>();
	const handlerOf = ({key, tools}: EndpointClient): Promise<EndpointHandler> => {
		const opened = handlers.get(key) ?? openHandler(tools, options.report);
		handlers.set(key, opened);
		return opened;
	};

	const stopping = new AbortController();
	const {signal} = stopping;
	const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		const {url = '', headers, socket} = request.raw;
		const {host, origin, authorization} = headers;
		const head = {target: url, host, origin, authorization, remoteAddress: socket.remoteAddress};
		const access = authorizeRequest(head, options.rules());
		switch (access.kind) {
			case 'refused':
				await refuse(request, reply, {...access, clock: options.clock, signal});
				return;
			case 'metrics':
				void reply.type('text/plain; version=0.0.4; charset=utf-8').send(await options.metrics());
				return;
			case 'tools':
				if (Number(headers['content-length']) > endpointLimits.bodyBytes) {
					await refuse(request, reply, {...tooLarge, clock: options.clock, signal});
					return;
				}

				// The protocol's library writes the response.
				reply.hijack();
				inviteBody(request, reply);
				await (await handlerOf(access.client)).answer(request.raw, reply.raw);
		}
	};

	const endSessions = async (isOver: (key: string) => boolean) => {
		const ended = [...handlers].filter(([key]) => isOver(key));
		ended.forEach(([key]) => handlers.delete(key));
		await Promise.allSettled(ended.map(async ([, handler]) => (await handler).close()));
	};

	const app = await createHttpServer({...serverOptions, onError: caught => options.report(toProblem(caught))}, answer);
	app.server.maxConnections = endpointLimits.connections;
	app.addHook('preClose', () => {
		stopping.abort();
		return endSessions(() => true);
	});
	return {
		url: await listen(app, address),
		keep: keys => endSessions(key => !keys.includes(key)),
		close: () => app.close(),
	};
}

const serverOptions = {
	requestTimeout: endpointLimits.requestMilliseconds,
	keepAliveTimeout: endpointLimits.keepAliveMilliseconds,
	http: {headersTimeout: endpointLimits.headersMilliseconds, maxHeaderSize: endpointLimits.headerBytes},
	forceCloseConnections: true,
} as const;

async function openHandler(tools: EndpointTools, report: (error: Error) => void): Promise<EndpointHandler> {
	const {openEndpointHandler} = await import('./endpoint-handler.ts');
	return openEndpointHandler(tools, report);
}

/** The body of a refused request is discarded, unless its sender waits to be invited. */
async function refuse(
	{raw}: FastifyRequest,
	reply: FastifyReply,
	{status, message, ...options}: Refusal & Pick<EndpointListenerOptions, 'clock'> & {readonly signal: AbortSignal},
): Promise<void> {
	const headers = {'content-type': 'application/json', ...(status === 401 && {'www-authenticate': 'Bearer'})};
	const text = rpcRefusalText(message);
	if (raw.headers.expect === undefined) {
		reply.hijack();
		await answerUnread(raw, reply.raw, {status, headers, text, ...options});
	} else {
		void reply
			.code(status)
			.headers({...headers, connection: 'close'})
			.send(text);
	}
}
