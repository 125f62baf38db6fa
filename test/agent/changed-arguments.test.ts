import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import {type ModelConfig} from '../../source/config/read/model-config.ts';
import {listen} from '../helpers/loopback.ts';
import {startModelServer} from '../simulators/model-server.ts';
import {answering, openAgent} from './open-agent.ts';

/** Arguments that would not be what the model wrote once they are read. */
const changed = [
	'{"path": "/a", "path": "/b"}',
	'{"n": 9007199254740993}',
	'{"n": [1E400]}',
	'{"path": "/a", "p\\u0061th": "/b"}',
];
const kept = '{"n": 9007199254740992, "path": "/c"}';
const prototype = '{"path": "/a", "o": {"__proto__": {"x": 1}}}';

const name = 'mcp__files__read';
const event = (json: string) => `data: ${json}\n\n`;

/** The stream of one call; Gemini sends its arguments as members of the event. */
const wires = {
	anthropic: {
		call: (input: string) =>
			[
				`{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"${name}","input":{}}}`,
				...[input.slice(0, 9), input.slice(9)].map(part => {
					const delta = {type: 'input_json_delta', partial_json: part};
					return JSON.stringify({type: 'content_block_delta', index: 0, delta});
				}),
				'{"type":"content_block_stop","index":0}',
				'{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}',
				'{"type":"message_stop"}',
			]
				.map(event)
				.join(''),
		text: [
			'{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":1}}}',
			'{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
			'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Sorry."}}',
			'{"type":"content_block_stop","index":0}',
			'{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}',
			'{"type":"message_stop"}',
		]
			.map(event)
			.join(''),
	},
	google: {
		call: (input: string) =>
			event(
				`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"${name}","args":${input}}}]},"finishReason":"STOP"}]}`,
			),
		text: event('{"candidates":[{"content":{"role":"model","parts":[{"text":"Sorry."}]},"finishReason":"STOP"}]}'),
	},
} as const;

/** A provider that makes one call with these arguments, sent in two pieces, and then answers. */
async function startWire(provider: keyof typeof wires, input: string): Promise<{url: string; asked: string[]}> {
	const asked: string[] = [];
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		asked.push(await text(request));
		response.writeHead(200, {'content-type': 'text/event-stream'});
		const body = asked.length === 1 ? wires[provider].call(input) : wires[provider].text;
		response.write(body.slice(0, 90));
		setImmediate(() => response.end(body.slice(90)));
	};
	const server = createServer((request, response) => void answer(request, response));
	return {url: await listen(server, provider === 'google' ? '/v1beta' : '/v1'), asked};
}

async function startSimulator(input: string): Promise<{url: string; asked: {readonly [place: number]: string}}> {
	const server = await startModelServer({calls: [{name, inputText: input}]}, 'Sorry.');
	const asked = new Proxy<Record<number, string>>(
		{},
		{get: (_, place) => JSON.stringify(server.requests()[Number(place)])},
	);
	return {url: `${server.url}/v1`, asked};
}

/** The reply that the model got, and the arguments that the tool got. */
async function callWith(provider: ModelConfig['provider'], input: string) {
	const {url, asked} =
		provider === 'anthropic' || provider === 'google' ? await startWire(provider, input) : await startSimulator(input);
	const {answer, calls} = openAgent({
		model: {provider, name: 'tiny', baseUrl: url, apiKey: 'key'},
		tools: {read: answering('hello')},
	});
	expect((await answer()).text).toBe('Sorry.');
	return {told: asked[1] ?? '', got: calls.map(call => JSON.stringify(call.arguments))};
}

describe.each(['openai-compatible', 'openrouter', 'openai', 'anthropic', 'google'] as const)('of %s', provider => {
	test.each(changed)('a call with %s is refused, and the model is told', async input => {
		const {told, got} = await callWith(provider, input);
		expect(got).toEqual([]);
		expect(told).toContain('invalid_arguments');
	});

	test('a call whose arguments stay what they are is made', async () => {
		const {told, got} = await callWith(provider, kept);
		expect(got).toEqual(['{"n":9007199254740992,"path":"/c"}']);
		expect(told).toContain('hello');
	});
});

// The library of Gemini ends an answer with such a name itself.
test.each(['openai-compatible', 'openrouter', 'openai', 'anthropic'] as const)(
	'of %s a call with a member __proto__ is refused, and the model is told',
	async provider => {
		const {told, got} = await callWith(provider, prototype);
		expect(got).toEqual([]);
		expect(told).toMatch(/invalid_arguments.*__proto__/u);
	},
);
