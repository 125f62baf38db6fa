import {type FinishReason, isStepCount, type LanguageModel, type ModelMessage, streamText, type ToolSet} from 'ai';
import {type TokenUsage} from '../state/work-event.ts';
import {Problem} from '../util/problem.ts';
import {fitContext} from './conversation.ts';
import {type ChosenModel} from './models/model-choice.ts';
import {toModelProblem} from './models/language-model.ts';
import {modelProviders} from './models/model-providers.ts';
import {type RepeatGuard} from './use-tool.ts';

/** One conversation with a model, until it answers. */
export type LoopRequest = {
	readonly chosen: ChosenModel;
	readonly model: LanguageModel;
	readonly instructions: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: ToolSet;
	readonly maxSteps: number;
	/** Longest time without anything from the model. */
	readonly modelTimeoutSeconds: number;
	readonly guard: Pick<RepeatGuard, 'stuckOn' | 'stoppedBy'>;
	readonly signal: AbortSignal;
	/** Called with each piece of text of the model. */
	readonly onText: (text: string) => void;
	/** Called before each request with its number, from 1. */
	readonly onTurn: (number: number) => void;
	/** Called when the model begins to answer it. */
	readonly onReply: () => void;
	/** Called when it has answered, before its calls are made, with the tokens as far as its provider says. */
	readonly onReplied: (usage: Partial<TokenUsage>) => void;
	/** Messages of a person since it was last called; they become messages of the user. Never rejects. */
	readonly nextNotes: () => Promise<readonly string[]>;
	/** Called when a request failed: resolves with `again` when it was refused for a limit that is lifted now. Rejects when that is not to be. */
	readonly onFailed: () => Promise<'failed' | 'again'>;
	/** Default: 3. */
	readonly maxRetries?: number;
};

/** The last text of the model, and the conversation up to it. */
export type LoopEnd = {readonly text: string; readonly messages: readonly ModelMessage[]};

/** The most tokens that an answer may have. */
export const maxOutputTokens = 16_000;

/**
Asks the model, runs its tool calls and asks again, and also when a person wrote something meanwhile. Rejects with a Problem that says why there is no answer: the provider failed, the model got stuck,
or the steps are used up; or with the reason of the signal.
*/
export async function runLoop(request: LoopRequest): Promise<LoopEnd> {
	const {chosen, signal, onFailed} = request;
	const reader = readLoop(request);
	let done: DoneSteps = {messages: [...request.messages, ...(await nextMessages(request))], steps: 0};
	for (;;) {
		try {
			const end = await askUntilAnswered(request, {reader, done, onStep: now => void (done = now)});
			if (end.kind === 'answered') {
				return end;
			}

			done = end.done;
		} catch (caught) {
			signal.throwIfAborted();
			if ((await onFailed()) === 'failed') {
				throw toModelProblem(caught, chosen);
			}
		}
	}
}

/** The conversation up to the last request, and the number of steps that it took. */
type DoneSteps = {readonly messages: readonly ModelMessage[]; readonly steps: number};

/** The notes of a person as messages. */
async function nextMessages({nextNotes}: Pick<LoopRequest, 'nextNotes'>): Promise<readonly ModelMessage[]> {
	return (await nextNotes()).map(content => ({role: 'user', content}));
}

/** `noted`: a person wrote something, so the model is asked again. */
type AskEnd = ({readonly kind: 'answered'} & LoopEnd) | {readonly kind: 'noted'; readonly done: DoneSteps};

/** Goes on with a conversation until the model answers or a person has written something; `onStep` is called before each request. */
async function askUntilAnswered(
	request: LoopRequest,
	{
		reader,
		done,
		onStep,
	}: {
		readonly reader: ReturnType<typeof readLoop>;
		readonly done: DoneSteps;
		readonly onStep: (done: DoneSteps) => void;
	},
): Promise<AskEnd> {
	const {chosen, guard, maxSteps, signal, onTurn, onReplied} = request;
	const silenceMilliseconds = request.modelTimeoutSeconds * 1000;
	const {contextTokens} = modelProviders[chosen.provider];
	const messages = [...done.messages];
	let notes: readonly ModelMessage[] = [];
	const hasNotes = async () => {
		notes = notes.length > 0 ? notes : await nextMessages(request);
		return notes.length > 0;
	};

	const result = streamText({
		model: request.model,
		instructions: request.instructions,
		messages,
		tools: request.tools,
		stopWhen: [
			isStepCount(maxSteps - done.steps),
			() => (guard.stuckOn() ?? guard.stoppedBy()) !== undefined,
			hasNotes,
		],
		prepareStep(step) {
			onStep({messages: [...step.messages], steps: done.steps + step.stepNumber});
			onTurn(done.steps + step.stepNumber + 1);
			return {messages: fitContext(step.messages, contextTokens)};
		},
		onLanguageModelCallEnd: ({usage}) => onReplied(reported(usage)),
		maxRetries: request.maxRetries ?? 3,
		maxOutputTokens,
		// Excludes tools: approvals may take minutes.
		timeout: {firstChunkMs: silenceMilliseconds, chunkMs: silenceMilliseconds},
		abortSignal: signal,
		// The stream contains errors too; without this they would be printed.
		onError: () => undefined,
	});
	for await (const part of result.stream) {
		reader.read(part);
	}

	signal.throwIfAborted();
	const conversation = [...messages, ...(await result.responseMessages)];
	const steps = done.steps + (await result.steps).length;
	if (steps < maxSteps && reader.canGoOn() && (await hasNotes())) {
		return {kind: 'noted', done: {messages: [...conversation, ...notes], steps}};
	}

	return {kind: 'answered', text: reader.answer(), messages: conversation};
}

type StreamPart = ReturnType<typeof streamText>['stream'] extends AsyncIterable<infer Part> ? Part : never;

/** Reads the stream of a loop, and returns the answer in the end. */
function readLoop({chosen, guard, maxSteps, modelTimeoutSeconds, onText, onReply}: LoopRequest) {
	let text = '';
	let reason: FinishReason = 'other';
	return {
		/** Throws an error of the stream. */
		read(part: StreamPart) {
			if (part.type === 'start-step') {
				text = '';
				onReply();
			} else if (part.type === 'text-delta') {
				text += part.text;
				onText(part.text);
			} else if (part.type === 'finish-step') {
				reason = part.finishReason;
			} else if (part.type === 'error') {
				throw part.error;
			} else if (part.type === 'abort') {
				throw new Problem('model_timed_out', {
					message: `${chosen.provider} sent nothing for ${modelTimeoutSeconds} s (\`agent.model_timeout\`)`,
				});
			}
		},
		/** True if the model may be asked again: it did not fail, and is not stuck. */
		canGoOn: () =>
			guard.stoppedBy() === undefined &&
			guard.stuckOn() === undefined &&
			(reason === 'stop' || reason === 'length' || reason === 'tool-calls'),
		answer(): string {
			const stopped = guard.stoppedBy();
			if (stopped) {
				throw stopped;
			}

			const stuckOn = guard.stuckOn();
			if (stuckOn !== undefined) {
				throw new Problem('run_stuck', {message: `The model repeated the same call to ${stuckOn}`});
			}

			return finalText(text, {reason, provider: chosen.provider, maxSteps});
		},
	};
}

/** The tokens that a provider reports. */
function reported({
	inputTokens,
	outputTokens,
}: {
	readonly inputTokens: number | undefined;
	readonly outputTokens: number | undefined;
}): Partial<TokenUsage> {
	return {...(inputTokens !== undefined && {inputTokens}), ...(outputTokens !== undefined && {outputTokens})};
}

/** The answer, from the last text and the finish reason. Throws the Problem if there is none. */
function finalText(
	text: string,
	{reason, provider, maxSteps}: {readonly reason: FinishReason; readonly provider: string; readonly maxSteps: number},
): string {
	switch (reason) {
		case 'stop':
		case 'length':
			if (text.trim() === '') {
				throw new Problem('model_failed', {message: `${provider} returned an empty answer`});
			}

			return reason === 'stop' ? text : `${text}\n\n[The answer was cut off at the model's limit.]`;
		case 'tool-calls':
			throw new Problem('run_stuck', {
				message: `The run gave no answer within ${maxSteps} steps (\`agent.max_steps\`)`,
			});
		case 'content-filter':
			throw new Problem('model_failed', {message: `${provider} refused to answer`});
		case 'error':
		case 'interrupted':
		case 'other':
			throw new Problem('model_failed', {message: `The answer from ${provider} ended too early`});
	}
}
