import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {listen, type ListenAddress} from '../../util/listen.ts';
import {toProblem} from '../../util/problem.ts';
import {authorizeRequest, type EndpointRules} from './authorize-request.ts';
import {type EndpointHandler} from './endpoint-handler.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';
import {rpcRefusalText} from './rpc-refusal.ts';

/** The tools of one profile, and the token that opens them. */
export type EndpointProfile = {readonly profile: string; readonly token: string; readonly tools: EndpointTools};

export type EndpointListenerOptions = {
	/** Asked at every request: a reload may have changed them. */
	readonly rules: () => EndpointRules<EndpointProfile>;
	/** The metrics as text. */
	readonly metrics: () => string;
	/** Called with errors of our own while a request was answered. */
	readonly report: (error: Error) => void;
};

/** The HTTP listener of the endpoint and the metrics. */
export type EndpointListener = {
	/** Answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: (address: ListenAddress) => Promise<string>;
	/** Ends the sessions of profiles that are not named: their tools are offered no more. */
	readonly keep: (profiles: readonly string[]) => Promise<void>;
	/** Ends sessions, cancels the calls under way and closes every connection. */
	readonly close: () => Promise<void>;
};

/** Builds the listener. The protocol is only loaded with the first request that has its token: the start of the gateway must not wait for it. */
export function createEndpointListener(options: EndpointListenerOptions): EndpointListener {
	const handlers = new Map<string, Promise<EndpointHandler>>();
	const handlerOf = ({profile, tools}: EndpointProfile): Promise<EndpointHandler> => {
		const opened = handlers.get(profile) ?? openHandler(tools, options.report);
		handlers.set(profile, opened);
		return opened;
	};

	const answer = async (request: IncomingMessage, response: ServerResponse, invite?: () => void): Promise<void> => {
		const {url = '', headers, socket} = request;
		const {host, origin, authorization} = headers;
		const head = {target: url, host, origin, authorization, remoteAddress: socket.remoteAddress};
		const access = authorizeRequest(head, options.rules());
		switch (access.kind) {
			case 'refused':
				refuse(response, access);
				return;
			case 'metrics':
				response.writeHead(200, {'content-type': 'text/plain; version=0.0.4; charset=utf-8'}).end(options.metrics());
				return;
			case 'tools':
				invite?.();
				await (await handlerOf(access.profile)).answer(request, response);
		}
	};

	const serve = (...request: Parameters<typeof answer>) => {
		answer(...request).catch((caught: unknown) => {
			options.report(toProblem(caught));
			request[1].destroy();
		});
	};

	const endSessions = async (isOver: (profile: string) => boolean) => {
		const ended = [...handlers].filter(([profile]) => isOver(profile));
		ended.forEach(([profile]) => handlers.delete(profile));
		await Promise.allSettled(ended.map(async ([, handler]) => (await handler).close()));
	};

	const server = openServer();
	server.on('request', serve);
	// Without this node invites the body of `Expect: 100-continue` before the token was looked at.
	server.on('checkContinue', (request, response) => serve(request, response, () => response.writeContinue()));
	return {
		listen: address => listen(server, address),
		keep: profiles => endSessions(profile => !profiles.includes(profile)),
		async close() {
			const closed = new Promise<void>(resolve => void server.close(() => resolve()));
			await endSessions(() => true);
			server.closeAllConnections();
			await closed;
		},
	};
}

async function openHandler(tools: EndpointTools, report: (error: Error) => void): Promise<EndpointHandler> {
	const {openEndpointHandler} = await import('./endpoint-handler.ts');
	return openEndpointHandler(tools, report);
}

function openServer(): Server {
	const server = createServer({
		maxHeaderSize: endpointLimits.headerBytes,
		headersTimeout: endpointLimits.headersMilliseconds,
		requestTimeout: endpointLimits.requestMilliseconds,
	});
	server.maxConnections = endpointLimits.connections;
	return server;
}

/** The body of a refused request is not read, so that its connection ends. */
function refuse(
	response: ServerResponse,
	{status, message}: {readonly status: number; readonly message: string},
): void {
	const challenge = status === 401 ? {'www-authenticate': 'Bearer'} : {};
	response
		.writeHead(status, {'content-type': 'application/json', connection: 'close', ...challenge})
		.end(rpcRefusalText(message));
}
