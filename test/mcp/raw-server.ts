import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import * as z from 'zod';
import {type CallContent, type ServerRequest} from '../../source/mcp/connection.ts';
import {rawAnswerOf} from '../fixtures/raw-responses.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {httpTransport, openConnections, serverConfig} from './fixture-servers.ts';

export const messageSchema = z.object({
	id: z.union([z.number(), z.string()]).optional(),
	method: z.string().optional(),
});

/** The eras of the protocol, and the bodies of its answers over HTTP. */
export const ways = [
	{era: 'legacy', over: 'json'},
	{era: 'stateless', over: 'json'},
	{era: 'legacy', over: 'event-stream'},
	{era: 'stateless', over: 'event-stream'},
] as const;
type Way = (typeof ways)[number];

/** A server over HTTP that answers calls with `text`, in the way of an event stream or of JSON; each POST is told to `heard`. */
function startRaw(way: Way, text: string, heard: string[]): Promise<string> {
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(Buffer.from(chunk));
		}

		const {id, method} = messageSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
		if (id === undefined || method === undefined) {
			response.writeHead(request.method === 'POST' ? 202 : 405).end();
			return;
		}

		heard.push(method);
		const message = rawAnswerOf({era: way.era, text, id, method});
		const isStream = way.over === 'event-stream';
		response.writeHead(200, {'content-type': isStream ? 'text/event-stream' : 'application/json'});
		response.end(isStream ? `: begins\n\nevent: message\ndata: ${message}\n\n` : message);
	};

	return listen(
		createServer((request, response) => void answer(request, response)),
		'/mcp',
	);
}

/** Connects to a server that answers calls, or the method in front of it, with `text`. */
export async function connectTo(way: Way, text: string) {
	const heard: string[] = [];
	const transport = httpTransport(await startRaw(way, text, heard));
	const protocol = way.era === 'stateless' ? 'stateless' : 'auto';
	const opened = openConnections([serverConfig(transport, {protocol, timeoutSeconds: 5})]);
	await opened.connections.settled(neverAborted());
	const ask = (request: ServerRequest): Promise<CallContent> | undefined =>
		opened.connections.find('fixture')?.request(request, {signal: neverAborted()});
	const connects = () => opened.recorded.ofType('server.state').filter(({state}) => state === 'connected').length;
	return {
		...opened,
		heard,
		ask,
		connects,
		call: (readOnly: boolean) => ask({kind: 'tool', tool: 'echo', arguments: {}, readOnly}),
	};
}

/** The text of an answer with that result, of the way's era. */
export function answerWith(way: Pick<Way, 'era'>, result: Readonly<Record<string, unknown>>): string {
	const era = way.era === 'stateless' ? {resultType: 'complete'} : {};
	return `{"jsonrpc":"2.0","id":%ID%,"result":${JSON.stringify({...era, ...result})}}`;
}
