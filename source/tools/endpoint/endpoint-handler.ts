import {type IncomingMessage, type ServerResponse} from 'node:http';
import {toNodeHandler} from '@modelcontextprotocol/node';
import {createMcpHandler, isLegacyRequest} from '@modelcontextprotocol/server';
import {createAggregateServer} from './aggregate-server.ts';
import {type EndpointTools, watchTools} from './endpoint-tools.ts';
import {createLegacySessions} from './legacy-sessions.ts';
import {endpointLimits} from './limits.ts';

/** Streamable HTTP for the tools of one profile, in both eras of the protocol. */
export type EndpointHandler = {
	readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
	/** Ends sessions and streams, and cancels the running calls. */
	readonly close: () => Promise<void>;
};

/** Creates the handler for authorized requests. `report` gets the errors of the library. */
export function openEndpointHandler(tools: EndpointTools, report: (error: Error) => void): EndpointHandler {
	const createServer = () => createAggregateServer(tools);
	const legacy = createLegacySessions(createServer);
	const modern = createMcpHandler(createServer, {
		legacy: 'reject',
		maxRequestBodySize: endpointLimits.bodyBytes,
		maxSubscriptions: endpointLimits.subscriptions,
		onerror: report,
	});
	const endWatch = watchTools(tools, () => {
		modern.notify.toolsChanged();
		legacy.toolsChanged();
	});
	const fetch = async (request: Request) => {
		const isLegacy = await isLegacyRequest(request, undefined, {maxRequestBodySize: endpointLimits.bodyBytes});
		return isLegacy ? legacy.fetch(request) : modern.fetch(request);
	};
	return {
		answer: toNodeHandler({fetch}, {maxRequestBodySize: endpointLimits.bodyBytes, onerror: report}),
		async close() {
			endWatch();
			await Promise.all([modern.close(), legacy.close()]);
		},
	};
}
