import {createServer, type Server} from 'node:http';
import {localhostHostValidation, localhostOriginValidation, toNodeHandler} from '@modelcontextprotocol/node';
import {createMcpHandler} from '@modelcontextprotocol/server';
import {type Clock} from '../util/clock.ts';
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
	const server = createServer((request, response) => {
		// The guards answer what they refuse.
		if (isLocalHost(request, response) && isLocalOrigin(request, response)) {
			void handle(request, response);
		}
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		async close() {
			await handler.close();
			const closed = new Promise<void>(resolve => void server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}

function listen(server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			resolve(typeof address === 'object' && address ? address.port : 0);
		});
	});
}
