import {localhostHostValidation, localhostOriginValidation, toNodeHandler} from '@modelcontextprotocol/node';
import {createMcpHandler} from '@modelcontextprotocol/server';
import {type Clock} from '../util/clock.ts';
import {startLoopbackServer} from './loopback-server.ts';
import {createWeatherServer} from './weather-server.ts';

/** The demo's tool server over Streamable HTTP. */
export type DemoHttpServer = {
	/** Address of its MCP endpoint. */
	readonly url: string;
	readonly close: () => Promise<void>;
};

/** Starts the weather server on a free port of the loopback interface, in this process. */
export async function startDemoHttpServer(clock: Clock): Promise<DemoHttpServer> {
	const handler = createMcpHandler(() => createWeatherServer(clock.now));
	const handle = toNodeHandler(handler);
	const isLocalHost = localhostHostValidation();
	const isLocalOrigin = localhostOriginValidation();
	const server = await startLoopbackServer((request, response) => {
		// The guards answer what they refuse.
		if (isLocalHost(request, response) && isLocalOrigin(request, response)) {
			void handle(request, response);
		}
	});
	return {
		url: `${server.origin}/mcp`,
		async close() {
			await handler.close();
			await server.close();
		},
	};
}
