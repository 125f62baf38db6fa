import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {setTimeout as wait} from 'node:timers/promises';
import {McpServer} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {startMcpServer} from '../../source/demo/demo-http-server.ts';
import {listenOnFreePort} from '../helpers/free-port.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';

/** The effects of gateways outside of themselves: each is counted by the number of its event, none of which may have it twice. */
export type Effects = {
	/** The part of the configuration that a gateway needs for them. */
	readonly config: {readonly model: object; readonly mcp_servers: object};
	/** Settings of the platform `homeassistant`, a message to which may not be repeated. */
	readonly platform: object;
	/** Number of all of them. */
	readonly count: () => number;
	/** The effects that an event had more than once, such as `call 7`. */
	readonly twice: () => readonly string[];
	readonly close: () => Promise<void>;
};

/** A model that calls a tool for each event and then answers, the server of that tool, and a chat that answers are sent to. Only some of a route's events have all of these. */
export async function openEffects(thinkMilliseconds: number): Promise<Effects> {
	const times = new Map<string, number>();
	const count = (effect: string) => void times.set(effect, (times.get(effect) ?? 0) + 1);
	await using opened = new AsyncDisposableStack();
	const model = await openScriptedModel(async ({prompt, results}) => {
		const number = Number(/Event <payload-\w+>(\d+)</.exec(prompt)?.[1]);
		if (results.length > 0) {
			return `Done with ${number}.`;
		}

		count(`run ${number}`);
		// A model takes its time: runs of several gateways are under way together.
		await wait(Math.random() * thinkMilliseconds);
		return {tool: 'mcp__effects__record', input: {number}};
	});
	opened.defer(model.close);
	const tools = await startMcpServer(
		() => {
			const server = new McpServer({name: 'effects', version: '1.0.0'});
			server.registerTool('record', {inputSchema: z.object({number: z.number()})}, ({number}) => {
				count(`call ${number}`);
				return {content: [{type: 'text', text: 'recorded'}]};
			});
			return server;
		},
		() => 'pass',
	);
	opened.defer(tools.close);
	const receive = async (request: IncomingMessage, response: ServerResponse) => {
		const {message} = messageSchema.parse(JSON.parse(await text(request)));
		count(`message ${/(\d+)\.?$/.exec(message)?.[1]}`);
		response.setHeader('content-type', 'application/json').end('[]');
	};

	const chat = createServer((request, response) => {
		receive(request, response).catch(() => response.destroy());
	});
	const port = await listenOnFreePort(chat);
	const others = opened.move();
	return {
		config: {
			model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
			mcp_servers: {effects: {url: tools.url, trust: 'full'}},
		},
		platform: {enabled: true, base_url: `http://127.0.0.1:${port}`, token: 'token-of-the-chat'},
		count: () => times.size,
		twice: () => [...times].flatMap(([effect, happened]) => (happened > 1 ? [effect] : [])),
		async close() {
			chat.close();
			chat.closeAllConnections();
			await Promise.all([once(chat, 'close'), others.disposeAsync()]);
		},
	};
}

const messageSchema = z.object({message: z.string()});
