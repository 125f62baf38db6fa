import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {describe, expect, test} from 'vitest';
import {type ModelConfig} from '../../source/config/read/model-config.ts';
import {listen} from '../helpers/loopback.ts';
import {type ModelTurn, startModelServer} from '../simulators/model-server.ts';
import {answering, openAgent} from './open-agent.ts';
import {lastTold, read, withModel} from './with-model.ts';

/** A provider that answers on the wire as the test says; the address below which it answers. */
async function startWire(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
	return listen(
		createServer((request, response) => answer(response, request)),
		'/v1',
	);
}

/** A piece of a stream of Chat Completions. */
const said = (content: string, finish?: string) =>
	`data: ${JSON.stringify({id: '1', choices: [{index: 0, delta: {role: 'assistant', content}, finish_reason: finish}]})}\n\n`;

describe('every provider', () => {
	test.each<[ModelConfig['provider'], string]>([
		['openai-compatible', '/v1'],
		['openrouter', '/v1'],
		['openai', '/v1'],
		['anthropic', '/v1'],
		['google', '/v1beta'],
	])('%s calls a tool and answers', async (provider, base) => {
		// The pretended Gemini ends tool calls with a word that the real one does not know.
		const call = {...read('a.txt'), ...(provider === 'google' && {finishReason: 'stop'})};
		const server = await startModelServer(call, 'It says hello.');
		const {answer, calls, progress} = openAgent({
			model: {provider, name: 'tiny', baseUrl: `${server.url}${base}`, apiKey: 'key'},
			tools: {read: answering('hello')},
		});
		expect((await answer()).text).toBe('It says hello.');
		expect(calls).toEqual([
			{
				name: 'mcp__files__read',
				arguments: {path: 'a.txt'},
				origin: {kind: 'run', runId: 'run-1', route: 'github', deliveryId: 'delivery-1'},
			},
		]);
		expect(progress[0]).toEqual({kind: 'model', model: `${provider}/tiny`});
		expect(progress.filter(one => one.kind === 'turn').at(-1)).toMatchObject({
			turn: {number: 2, end: {usage: {inputTokens: expect.any(Number), outputTokens: expect.any(Number)}}},
		});
	});
});

test('a call goes out with what outsiders wrote, for its card', async () => {
	const {answer, calls} = await withModel([read('a'), 'Done.'], {tools: {read: answering('hello')}});
	const foreign = [
		[5, 8],
		[9, 12],
	] as const;
	await answer({prompt: 'Read one two now', foreign});
	expect(calls).toMatchObject([{untrusted: 'one\ntwo\npush\ndelivery-1'}]);
});

describe('without an answer', () => {
	test.each<[string, ModelTurn, string, string]>([
		['a wrong key', {status: 401}, 'model_unauthorized', 'openai-compatible rejected the API key (401)'],
		['an unknown model', {status: 404}, 'unknown_model', 'openai-compatible does not know the model tiny (404)'],
		['no room', {status: 429}, 'model_rate_limited', 'openai-compatible is limiting requests (429)'],
		[
			'a conversation that is too long, as OpenAI and vLLM say',
			{status: 400, message: "This model's maximum context length is 8192 tokens, however you requested 9001 tokens."},
			'context_too_long',
			'The conversation is longer than tiny takes (400): choose a model with a larger context, or shorten the prompt',
		],
		[
			'a conversation that is too long, as Anthropic says',
			{status: 413, message: 'prompt is too long: 210000 tokens > 200000 maximum'},
			'context_too_long',
			'The conversation is longer than tiny takes (413): choose a model with a larger context, or shorten the prompt',
		],
		[
			'a conversation that is too long, as Google says',
			{status: 400, message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'},
			'context_too_long',
			'The conversation is longer than tiny takes (400): choose a model with a larger context, or shorten the prompt',
		],
		[
			'another bad request',
			{status: 400, message: 'temperature must be below 2'},
			'model_failed',
			'openai-compatible answered with an error (400)',
		],
		['a server error', {status: 500}, 'model_failed', 'openai-compatible answered with an error (500)'],
		['an overload', {status: 529}, 'model_failed', 'openai-compatible answered with an error (529)'],
		[
			'a stream that breaks off',
			{breaksOff: 'this is too long to end'},
			'model_failed',
			'The answer from openai-compatible ended too early',
		],
		['an empty answer', '', 'model_failed', 'openai-compatible returned an empty answer'],
	])('%s is a Problem', async (...[, turn, code, message]) => {
		const {answer} = await withModel([turn]);
		await expect(answer()).rejects.toMatchObject({code, message});
	});

	test('a provider that is not there is a Problem', async () => {
		const {answer} = openAgent({
			model: {provider: 'openai-compatible', name: 'tiny', baseUrl: 'http://127.0.0.1:9/v1'},
		});
		await expect(answer()).rejects.toMatchObject({code: 'model_unreachable'});
	});

	test('a stream that ends in the middle is a Problem, although nothing went wrong on the wire', async () => {
		const baseUrl = await startWire(response => {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.end(said('Half an'));
		});
		const {answer} = openAgent({model: {provider: 'openai-compatible', name: 'tiny', baseUrl}});
		await expect(answer()).rejects.toMatchObject({
			code: 'model_failed',
			message: 'The answer from openai-compatible ended too early',
		});
	});

	test('a model that goes silent is a Problem that names the setting', async () => {
		const baseUrl = await startWire(response => {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write(said('Half an'));
		});
		const model = {provider: 'openai-compatible', name: 'tiny', baseUrl} as const;
		const agent = {
			maxSteps: 10,
			modelTimeoutSeconds: 0.3,
			maxConcurrentRuns: 4,
			maxQueuedRuns: 10,
			maxWaitingRuns: 100,
		};
		await expect(openAgent({model, config: {agent}}).answer()).rejects.toMatchObject({
			code: 'model_timed_out',
			message: 'openai-compatible sent nothing for 0.3 s (`agent.model_timeout`)',
		});
	});

	test('a configured provider without a key is a Problem that names the variable', async () => {
		const {answer} = openAgent({model: {provider: 'anthropic'}});
		await expect(answer()).rejects.toMatchObject({
			code: 'model_unusable',
			message: 'No model can be used: anthropic needs a key: set `model.api_key` or the variable ANTHROPIC_API_KEY',
		});
	});

	test('the words of the provider are not part of the message', async () => {
		const {answer} = await withModel([{status: 401, message: 'Incorrect API key: sk-secret'}]);
		await expect(answer()).rejects.toMatchObject({
			message: expect.not.stringContaining('sk-secret'),
			detail: expect.stringContaining('sk-secret'),
		});
	});
});

describe('a request that may succeed later', () => {
	test('is repeated after the time the provider names', async () => {
		const refusals = [
			{status: 429, headers: {'retry-after-ms': '5'}},
			{status: 503, headers: {'retry-after': '0'}},
		];
		const baseUrl = await startWire(response => {
			const refusal = refusals.shift();
			response.writeHead(refusal?.status ?? 200, {...refusal?.headers, 'content-type': 'text/event-stream'});
			response.end(refusal ? '{}' : `${said('At last.')}${said('', 'stop')}data: [DONE]\n\n`);
		});
		const model = {provider: 'openai-compatible', name: 'tiny', baseUrl} as const;
		const began = performance.now();
		expect((await openAgent({model, maxRetries: 3}).answer()).text).toBe('At last.');
		// Left to itself it would wait for six seconds in all.
		expect(performance.now() - began).toBeLessThan(5500);
	});

	test('is not repeated when it cannot succeed', async () => {
		const server = await startModelServer({status: 401}, 'Never.');
		const model = {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`} as const;
		await expect(openAgent({model, maxRetries: 3}).answer()).rejects.toMatchObject({code: 'model_unauthorized'});
		expect(server.requests()).toHaveLength(1);
	});
});

describe('a model that does not come to an end', () => {
	test('is stopped when it makes the same call over and over, after one warning', async () => {
		const {answer, calls, server} = await withModel([read('a.txt')], {
			tools: {read: answering('hello')},
			config: {
				agent: {maxSteps: 30, modelTimeoutSeconds: 300, maxConcurrentRuns: 1, maxQueuedRuns: 1, maxWaitingRuns: 100},
			},
		});
		await expect(answer()).rejects.toMatchObject({
			code: 'run_stuck',
			message: 'The model repeated the same call to mcp__files__read',
		});
		expect([calls.length, server.requests().length]).toEqual([5, 7]);
		expect(lastTold(server, 'tool').at(-1)).toContain('run_stuck');
	});

	test('is stopped at the most steps', async () => {
		const turns = Array.from({length: 20}, (_, index) => read(`${index}.txt`));
		const {answer, server} = await withModel(turns, {tools: {read: answering('hello')}});
		await expect(answer()).rejects.toMatchObject({
			code: 'run_stuck',
			message: 'The run gave no answer within 10 steps (`agent.max_steps`)',
		});
		expect(server.requests()).toHaveLength(10);
	});

	test('may ask again for what changes with time', async () => {
		const turns = [read('a'), read('a'), read('a'), read('a'), read('a'), read('b'), read('a'), 'Done.'];
		const {answer, calls} = await withModel(turns, {tools: {read: answering('still waiting')}});
		expect((await answer()).text).toBe('Done.');
		expect(calls).toHaveLength(7);
	});
});

test('the key goes to its provider', async () => {
	const keys: unknown[] = [];
	const baseUrl = await startWire((response, request) => {
		keys.push(request.headers.authorization);
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.end(`${said('Fine.')}${said('', 'stop')}data: [DONE]\n\n`);
	});
	await openAgent({model: {provider: 'openai-compatible', name: 'tiny', baseUrl, apiKey: 'my-key'}}).answer();
	expect(keys).toEqual(['Bearer my-key']);
});

test('the text of the model is reported while it comes, safe to show', async () => {
	const {answer, progress} = await withModel(['Hello \u001B[31mred']);
	await answer();
	const shown = progress.flatMap(one => (one.kind === 'text' ? [one.text] : [])).join('');
	expect(shown).toBe('Hello ␛[31mred');
});

test('a call goes out with what proved who sent the event, for its card', async () => {
	const {answer, calls} = await withModel([read('a'), 'Done.'], {tools: {read: answering('hello')}});
	await answer({signature: 'X-Hub-Signature-256'});
	expect(calls).toMatchObject([{origin: {kind: 'run', signature: 'X-Hub-Signature-256'}}]);
});
