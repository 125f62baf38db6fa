import {type IncomingMessage, type ServerResponse} from 'node:http';
import {localhostHostValidation, localhostOriginValidation, toNodeHandler} from '@modelcontextprotocol/node';
import {createMcpHandler, McpServer} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {type Clock} from '../util/clock.ts';
import {createHttpServer, listen} from '../util/http-server.ts';

/** A tool server of the demo over Streamable HTTP, in this process. */
export type DemoHttpServer = {
	/** The URL of its MCP endpoint. */
	readonly url: string;
	/** Closes every connection, including those in use. */
	readonly close: () => Promise<void>;
};

/** Starts the weather server. */
export function startDemoHttpServer(clock: Clock): Promise<DemoHttpServer> {
	return startMcpServer(
		() => createWeatherServer(clock.now),
		() => 'pass',
	);
}

/** Starts an MCP server on a free port of the loopback interface. `answer` handles a request itself or passes it on to the MCP endpoint. */
export async function startMcpServer(
	createMcpServer: () => McpServer,
	answer: (request: IncomingMessage, response: ServerResponse, origin: string) => 'answered' | 'pass',
): Promise<DemoHttpServer> {
	const handler = createMcpHandler(createMcpServer);
	const handle = toNodeHandler(handler);
	const isLocalHost = localhostHostValidation();
	const isLocalOrigin = localhostOriginValidation();
	const app = await createHttpServer({forceCloseConnections: true}, async ({raw: request}, reply) => {
		const {raw: response} = reply.hijack();
		// The checks answer what they refuse.
		if (
			isLocalHost(request, response) &&
			isLocalOrigin(request, response) &&
			answer(request, response, origin) === 'pass'
		) {
			await handle(request, response);
		}
	});
	app.addHook('preClose', () => handler.close());
	const origin = await listen(app, {host: '127.0.0.1', port: 0});
	return {url: `${origin}/mcp`, close: () => app.close()};
}

/** The kinds of weather. */
const skies = ['clear', 'light clouds', 'a shower', 'steady rain', 'wind from the west', 'fog until noon'];
const frostDegrees = 3;

/** A tool server with made-up weather: the same for the same place and hour. */
function createWeatherServer(now: () => number): McpServer {
	const server = new McpServer({name: 'weather', title: 'Weather', version: '1.0.0'});

	server.registerTool(
		'forecast',
		{
			title: 'Forecast',
			description: 'The weather at a place over the next few hours.',
			inputSchema: z.object({place: z.string().min(1).max(100), hours: z.int().min(1).max(12).default(3)}),
			annotations: {readOnlyHint: true, openWorldHint: false},
		},
		({place, hours}) => {
			const first = Math.floor(now() / 3_600_000);
			const lines = Array.from({length: hours}, (_, hour) => `+${hour} h: ${weatherAt(place, first + hour)}`);
			return {content: [{type: 'text', text: lines.join('\n')}]};
		},
	);

	server.registerTool(
		'frost_warning',
		{
			title: 'Frost warning',
			description: 'Tells whether to cover the plants tonight.',
			inputSchema: z.object({place: z.string().min(1).max(100)}),
			annotations: {readOnlyHint: true, openWorldHint: false},
		},
		({place}) => {
			const degrees = degreesAt(place, Math.floor(now() / 3_600_000));
			const answer = degrees <= frostDegrees ? 'Cover the plants tonight.' : 'No frost expected.';
			return {content: [{type: 'text', text: `${answer} (${degrees} °C)`}]};
		},
	);

	return server;
}

function weatherAt(place: string, hour: number): string {
	return `${skies[scatter(place, hour) % skies.length]}, ${degreesAt(place, hour)} °C`;
}

function degreesAt(place: string, hour: number): number {
	return scatter(place, hour) % 22;
}

/** A pseudo-random but repeatable number. */
function scatter(place: string, hour: number): number {
	return Array.from(place).reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), hour * 7) % 9973;
}
