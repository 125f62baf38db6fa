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
	const fetch = async (received: Request) => {
		const {request, parsedBody} = await readOnce(received);
		const isLegacy = await isLegacyRequest(request, parsedBody, {maxRequestBodySize: endpointLimits.bodyBytes});
		return isLegacy ? legacy.fetch(request, parsedBody) : modern.fetch(request, {parsedBody});
	};
	return {
		answer: toNodeHandler({fetch}, {maxRequestBodySize: endpointLimits.bodyBytes, onerror: report}),
		async close() {
			endWatch();
			await Promise.all([modern.close(), legacy.close()]);
		},
	};
}

/**
Reads and parses a message once, for whichever era it belongs to; the node handler has limited its size. A body that is not JSON is left to the
library to refuse.
*/
async function readOnce(request: Request): Promise<{readonly request: Request; readonly parsedBody?: unknown}> {
	if (request.method !== 'POST') {
		return {request};
	}

	const text = await request.text();
	try {
		return {request, parsedBody: JSON.parse(text)};
	} catch {
		return {request: new Request(request, {method: 'POST', body: text})};
	}
}
