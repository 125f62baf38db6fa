/*
The server that both sides of `npm run bench:calls` talk to: one tool, and no library. One on the SDK builds a server for each request; the time
and the garbage of that would stand before everything a client does. It prints its address as the first line.
*/
import {createServer, type IncomingMessage} from 'node:http';
import {text} from 'node:stream/consumers';
import * as z from 'zod';

const messageSchema = z.object({
	id: z.number().optional(),
	method: z.string(),
	params: z
		.looseObject({protocolVersion: z.string(), arguments: z.object({text: z.string()})})
		.partial()
		.optional(),
});

const tools = [
	{
		name: 'echo',
		inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']},
		annotations: {readOnlyHint: true},
	},
];

function resultOf({method, params}: z.infer<typeof messageSchema>): object {
	switch (method) {
		case 'initialize':
			return {
				protocolVersion: params?.protocolVersion,
				capabilities: {tools: {}},
				serverInfo: {name: 'echo', version: '1.0.0'},
			};
		case 'tools/list':
			return {tools};
		case 'tools/call':
			return {content: [{type: 'text', text: params?.arguments?.text}]};
		default:
			return {};
	}
}

/** The whole event stream that answers a request; undefined for a notice. */
async function answer(request: IncomingMessage): Promise<string | undefined> {
	const message = messageSchema.parse(JSON.parse(await text(request)));
	const response = {jsonrpc: '2.0', id: message.id, result: resultOf(message)};
	return message.id === undefined ? undefined : `event: message\ndata: ${JSON.stringify(response)}\n\n`;
}

const listener = createServer((request, response) => {
	// The server that hangs: it takes what it is sent and never answers.
	if (request.url === '/hang') {
		return;
	}

	if (request.method !== 'POST') {
		response.writeHead(405).end();
		return;
	}

	void answer(request).then(stream =>
		stream === undefined
			? response.writeHead(202).end()
			: response.writeHead(200, {'content-type': 'text/event-stream'}).end(stream),
	);
});
// A side waits for its turn longer than the usual five seconds.
listener.keepAliveTimeout = 600_000;
listener.listen(0, '127.0.0.1', () => {
	const address = listener.address();
	process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp\n`);
});
