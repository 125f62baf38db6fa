import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {listenOnFreePort} from '../helpers/free-port.ts';
import {dialectOf, type OfferedTool, type ToolResult, type Turn} from './dialects.ts';

/** A pretended provider that has its caller call one tool, and then ends. */
export type Provider = {
	/** Without a slash at its end. */
	readonly url: string;
	/** Every request, as method and path, with the names of its tools. */
	readonly requests: () => ReadonlyArray<{readonly path: string; readonly tools: readonly string[]}>;
	/** The results of the tool, as the program sent them. */
	readonly results: () => readonly string[];
	readonly close: () => Promise<void>;
};

/**
Opens a provider on loopback that speaks as Anthropic, OpenAI and Google do. It asks for a call of the first tool whose name ends with `tool`, and
says a word to every other request, such as one for the title of a conversation.
*/
export async function openProvider(tool: string, input: object): Promise<Provider> {
	const requests: Array<{path: string; tools: readonly string[]}> = [];
	const results: string[] = [];
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const path = request.url ?? '';
		const body: unknown = JSON.parse((await text(request)) || '{}');
		const dialect = dialectOf(path);
		const offered: readonly OfferedTool[] = dialect?.tools(body) ?? [];
		requests.push({path: `${request.method} ${path}`, tools: offered.map(({name}) => name)});
		if (!dialect) {
			response.writeHead(404, {'content-type': 'application/json'}).end('{"error":{"message":"not here"}}');
			return;
		}

		const answered = dialect.results(body);
		results.push(...answered.filter(({id}) => id !== searchId).map(result => result.text));
		const {type, text: written} = dialect.render(nextTurn({offered, answered, body, tool, input}), {body, path});
		response.writeHead(200, {'content-type': type}).end(written);
	};

	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	const port = await listenOnFreePort(server);
	return {
		url: `http://127.0.0.1:${port}`,
		requests: () => [...requests],
		results: () => [...results],
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

const [callId, searchId] = ['toolu_call', 'toolu_search'];

/** Claude Code names the tools of servers alone, and gives their schemas to a model that asks for them. */
function nextTurn({
	offered,
	answered,
	body,
	tool,
	input,
}: {
	readonly offered: readonly OfferedTool[];
	readonly answered: readonly ToolResult[];
	readonly body: unknown;
	readonly tool: string;
	readonly input: object;
}): Turn {
	const named = new RegExp(`mcp__\\w*${tool}\\b`, 'u').exec(JSON.stringify(body))?.[0];
	const searched = answered.some(({id}) => id === searchId);
	const wanted =
		offered.find(({name}) => name.endsWith(tool)) ?? (searched && named !== undefined ? {name: named} : undefined);
	if (answered.some(({id}) => id !== searchId)) {
		return {kind: 'words'};
	}

	if (wanted) {
		return {kind: 'call', id: callId, tool: wanted, input};
	}

	const search = offered.find(({name}) => name === 'ToolSearch');
	return search && named !== undefined
		? {kind: 'call', id: searchId, tool: search, input: {query: `select:${named}`}}
		: {kind: 'words'};
}
