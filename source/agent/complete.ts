import {generateText, type ModelMessage} from 'ai';
import {type CompletionAnswer, type CompletionPart, type CompletionRequest} from './completion.ts';
import {needModel, openLanguageModel} from './language-model.ts';
import {type ChosenModel, type ModelChoice} from './model-choice.ts';
import {toModelProblem} from './model-failure.ts';

export type CompleteOptions = {
	readonly choice: ModelChoice;
	readonly signal: AbortSignal;
	readonly maxRetries?: number;
};

const silenceMilliseconds = 180_000;

/** Asks a model once, without tools. Rejects with the Problem for which there is no answer, or with the reason of the signal. */
export async function complete(request: CompletionRequest, options: CompleteOptions): Promise<CompletionAnswer> {
	const {signal, maxRetries = 3} = options;
	const chosen = withName(needModel(options.choice), request.model);
	try {
		const {text, finishReason} = await generateText({
			model: await openLanguageModel(chosen),
			...(request.instructions !== undefined && {instructions: request.instructions}),
			messages: request.messages.map(({role, content}) => toMessage(role, content)),
			maxOutputTokens: request.maxTokens,
			...(request.temperature !== undefined && {temperature: request.temperature}),
			...(request.stopSequences && {stopSequences: [...request.stopSequences]}),
			maxRetries,
			timeout: silenceMilliseconds,
			abortSignal: signal,
		});
		return {text, model: chosen.name, stopReason: finishReason === 'length' ? 'length' : 'end'};
	} catch (caught) {
		signal.throwIfAborted();
		throw toModelProblem(caught, chosen);
	}
}

function withName(chosen: ChosenModel, name: string | undefined): ChosenModel {
	return name === undefined ? chosen : {...chosen, name};
}

function toMessage(role: 'user' | 'assistant', content: readonly CompletionPart[]): ModelMessage {
	if (role === 'assistant') {
		return {role, content: content.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n')};
	}

	return {
		role,
		content: content.map(part =>
			part.kind === 'text'
				? {type: 'text' as const, text: part.text}
				: {type: 'file' as const, mediaType: part.image.mediaType, data: part.image.bytes},
		),
	};
}
