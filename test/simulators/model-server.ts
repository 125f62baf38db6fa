import {type FixtureOpts, LLMock, type FixtureFileResponse} from '@copilotkit/aimock';
import {onTestFinished} from 'vitest';
import {z} from 'zod';

/** One answer of a pretended provider: words, tool calls, an error, or a stream that breaks off. */
export type ModelTurn =
	| string
	| {
			/** `inputText` is the JSON of the input as the model writes it. */
			readonly calls: ReadonlyArray<
				{readonly name: string} & ({readonly input: unknown} | {readonly inputText: string})
			>;
			readonly text?: string;
			/** Default: what the provider says after tool calls. */
			readonly finishReason?: string;
	  }
	| {readonly status: number; readonly message?: string; readonly retryAfter?: number}
	| {readonly breaksOff: string};

/** A request to a provider in the form of Chat Completions, whatever the caller speaks. */
export type ModelRequest = {
	readonly path: string;
	readonly model: string;
	readonly messages: ReadonlyArray<{readonly role: string; readonly content?: unknown}>;
	readonly tools: readonly string[];
};

/** A pretended provider on loopback that speaks as OpenAI, Anthropic and others do. */
export type ModelServer = {
	/** Without a slash at its end; Chat Completions, Responses and Messages are below `/v1`. */
	readonly url: string;
	readonly requests: () => readonly ModelRequest[];
};

/** Starts a provider that gives these answers one after another, and the last one for ever; it stops with the test. */
export async function startModelServer(...turns: readonly ModelTurn[]): Promise<ModelServer> {
	const server = new LLMock({port: 0, logLevel: 'silent'});
	for (const [index, turn] of turns.entries()) {
		const isLast = index === turns.length - 1;
		const {response, options} = toFixture(turn, index);
		server.on(isLast ? {} : {sequenceIndex: index}, response, options);
	}

	await server.start();
	onTestFinished(() => server.stop());
	return {
		url: server.url,
		requests: () =>
			server.getRequests().map(({path, body}) => {
				const {model, messages, tools} = requestBody.parse(body);
				return {path, model, messages, tools: tools.map(tool => tool.function.name)};
			}),
	};
}

const requestBody = z.object({
	model: z.string(),
	messages: z.array(z.looseObject({role: z.string(), content: z.unknown()})),
	tools: z.array(z.object({function: z.object({name: z.string()})})).default([]),
});

function toFixture(turn: ModelTurn, index: number): {response: FixtureFileResponse; options?: FixtureOpts} {
	if (typeof turn === 'string') {
		return {response: {content: turn}};
	}

	if ('status' in turn) {
		const {status, message = 'no', retryAfter} = turn;
		return {response: {status, error: {message, type: 'error'}, retryAfter}};
	}

	if ('breaksOff' in turn) {
		return {response: {content: turn.breaksOff}, options: {chunkSize: 4, truncateAfterChunks: 4, latency: 10}};
	}

	const toolCalls = turn.calls.map((call, number) => ({
		id: `call-${index}-${number}`,
		name: call.name,
		arguments: 'inputText' in call ? call.inputText : JSON.stringify(call.input),
	}));
	const {text, finishReason} = turn;
	return {response: {...(text !== undefined && {content: text}), ...(finishReason && {finishReason}), toolCalls}};
}
