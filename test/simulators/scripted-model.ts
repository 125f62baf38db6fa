import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {z} from 'zod';
import {listenOnFreePort} from '../helpers/free-port.ts';

/** The reply of the model: words, or a call of a tool with its input, or with JSON as it is written. */
export type ScriptedTurn =
	| string
	| {readonly tool: string; readonly input: unknown}
	| {readonly tool: string; readonly written: string};

/** A request to the model. `prompt` is the last message of the user, `results` are what tools answered since, `tools` the names that it may call. */
export type ScriptedRequest = {
	readonly prompt: string;
	readonly results: readonly string[];
	readonly tools: readonly string[];
};

/** A pretended provider on loopback that speaks Chat Completions, streamed. */
export type ScriptedModel = {
	/** For `model.base_url`. */
	readonly baseUrl: string;
	/** The prompts of all requests so far. */
	readonly asked: () => readonly string[];
	/** The most tokens that each request could take: a byte of it each, and the answer. */
	readonly bounds: () => readonly number[];
	readonly close: () => Promise<void>;
};

/** The tokens that a provider reports. */
export type ScriptedUsage = {readonly prompt_tokens: number; readonly completion_tokens: number};

const requestBody = z.object({
	messages: z.array(z.looseObject({role: z.string(), content: z.unknown()})),
	max_tokens: z.number().optional(),
	tools: z.array(z.looseObject({function: z.looseObject({name: z.string()})})).default([]),
});

/** Opens a provider that answers each request with what `script` comes to; a promise that stays open is a model that thinks for ever. `usage` is what it reports of each request, if anything. */
export async function openScriptedModel(
	script: (request: ScriptedRequest) => ScriptedTurn | Promise<ScriptedTurn>,
	usage?: ScriptedUsage,
): Promise<ScriptedModel> {
	const asked: string[] = [];
	const bounds: number[] = [];
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const body = await text(request);
		const {messages, tools, max_tokens: maxTokens = 0} = requestBody.parse(JSON.parse(body));
		bounds.push(Buffer.byteLength(body) + maxTokens);
		const last = messages.findLastIndex(({role}) => role === 'user');
		const prompt = String(messages[last]?.content);
		const results = messages.slice(last).filter(({role}) => role === 'tool');
		asked.push(prompt);
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.flushHeaders();
		const turn = await script({
			prompt,
			results: results.map(({content}) => String(content)),
			tools: tools.map(one => one.function.name),
		});
		response.end(`${chunksOf(turn).map(toEvent).join('')}${usage ? usageEvent(usage) : ''}data: [DONE]\n\n`);
	};

	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	const port = await listenOnFreePort(server);
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		asked: () => [...asked],
		bounds: () => [...bounds],
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

function chunksOf(turn: ScriptedTurn): readonly object[] {
	if (typeof turn === 'string') {
		return [{delta: {role: 'assistant', content: turn}}, {delta: {}, finish_reason: 'stop'}];
	}

	const args = 'written' in turn ? turn.written : JSON.stringify(turn.input);
	const call = {index: 0, id: 'call-1', type: 'function'};
	const calls = [{...call, function: {name: turn.tool, arguments: args}}];
	return [{delta: {role: 'assistant', tool_calls: calls}}, {delta: {}, finish_reason: 'tool_calls'}];
}

function usageEvent(usage: ScriptedUsage): string {
	const chunk = {id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices: []};
	const total = usage.prompt_tokens + usage.completion_tokens;
	return `data: ${JSON.stringify({...chunk, usage: {...usage, total_tokens: total}})}\n\n`;
}

function toEvent(choice: object): string {
	const chunk = {id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'scripted'};
	return `data: ${JSON.stringify({...chunk, choices: [{index: 0, ...choice}]})}\n\n`;
}
