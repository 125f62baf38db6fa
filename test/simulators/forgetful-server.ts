import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import * as z from 'zod';
import {listen} from '../helpers/loopback.ts';

/** The refusal of a request in a session that a server does not know. */
export type Refusal = {
	readonly status: number;
	readonly code?: number;
	readonly message: string;
	/** The message is the body itself and not an error of the protocol. */
	readonly plain?: true;
};

export type ForgetfulServer = {
	readonly url: string;
	/** Every session it has handed out is unknown from now on. */
	readonly forget: () => void;
	/** Tells on the listening streams that its tools have changed. */
	readonly report: () => void;
	/** Number of such requests; refused ones count. */
	readonly asked: (method: string) => number;
	/** Number of times that it has really done that. */
	readonly done: (method: string) => number;
};

const messageSchema = z.object({id: z.number().optional(), method: z.string().optional()});

/** Plays a server of the legacy era with sessions, which refuses unknown ones in its own words. */
export async function startForgetful(
	refusal: Refusal,
	options: {
		/** This method of a session that is known is refused as if it were not. */
		readonly alwaysRefuses?: string;
		/** Sessions have no id. */
		readonly withoutIds?: true;
		/** It opens the listening stream. */
		readonly streams?: true;
		readonly results?: Readonly<Record<string, unknown>>;
	} = {},
): Promise<ForgetfulServer> {
	const sessions = new Set<string>();
	const asked: string[] = [];
	const done: string[] = [];
	const streams = new Set<ServerResponse>();
	let given = 0;

	const answers: Readonly<Record<string, unknown>> = {
		initialize: {
			protocolVersion: '2025-06-18',
			capabilities: {tools: {listChanged: true}, resources: {}, prompts: {}},
			serverInfo: {name: 'forgetful', version: '1'},
		},
		'tools/list': {tools: [{name: 'echo', inputSchema: {type: 'object'}}]},
		'tools/call': {content: [{type: 'text', text: 'done'}]},
		'resources/list': {resources: [{uri: 'x:1', name: 'one'}]},
		'prompts/list': {prompts: [{name: 'one'}]},
		...options.results,
	};

	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(Buffer.from(chunk));
		}

		const {id, method = request.method ?? ''} = messageSchema.parse(
			JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'),
		);
		asked.push(method);
		const known = options.withoutIds === true || sessions.has(String(request.headers['mcp-session-id']));
		if (method !== 'initialize' && (!known || method === options.alwaysRefuses)) {
			refuse(response, refusal, id);
			return;
		}

		if (method === 'GET' && options.streams) {
			streams.add(response.writeHead(200, {'content-type': 'text/event-stream'}));
			response.flushHeaders();
			return;
		}

		if (id === undefined) {
			response.writeHead(request.method === 'POST' ? 202 : 405).end();
			return;
		}

		done.push(method);
		const session = `session-${++given}`;
		if (method === 'initialize' && options.withoutIds !== true) {
			sessions.add(session);
			response.setHeader('mcp-session-id', session);
		}

		response.writeHead(200, {'content-type': 'application/json'});
		response.end(JSON.stringify({jsonrpc: '2.0', id, result: answers[method] ?? {}}));
	};

	const url = await listen(
		createServer((request, response) => void answer(request, response)),
		'/mcp',
	);
	return {
		url,
		forget: () => sessions.clear(),
		report() {
			const notice = JSON.stringify({jsonrpc: '2.0', method: 'notifications/tools/list_changed'});
			for (const stream of streams) {
				stream.write(`data: ${notice}\n\n`);
			}
		},
		asked: method => asked.filter(one => one === method).length,
		done: method => done.filter(one => one === method).length,
	};
}

function refuse(response: ServerResponse, refusal: Refusal, id: number | undefined): void {
	const {status, code = -32_000, message, plain} = refusal;
	response.writeHead(status, {'content-type': plain ? 'text/plain' : 'application/json'});
	response.end(plain ? message : JSON.stringify({jsonrpc: '2.0', id: id ?? null, error: {code, message}}));
}
