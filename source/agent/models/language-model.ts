import {APICallError, type LanguageModel, RetryError, wrapLanguageModel} from 'ai';
import {failureKind} from '../../net/network-failure.ts';
import {hadNoFile, tooManyOpenFiles} from '../../util/open-files.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CallFlaws} from './call-flaws.ts';
import {type ChosenModel, type ModelChoice} from './model-choice.ts';
import {bodyBytes} from './request-cost.ts';

/** A model with tools. */
export type ModelOfRun = RequestWatch & {
	/** Reads the calls of the model. */
	readonly flaws: CallFlaws;
};

/** Called for every request, also for one that repeats another. */
export type RequestWatch = {
	/** Called when a request is sent. */
	readonly onAsk?: () => void;
	/** Counts a request of so many bytes before it is sent; what it rejects with is passed on, and nothing is sent. The returned function takes that back. */
	readonly reserve?: (bytes: number) => Promise<{readonly release: () => void}>;
};

/**
Creates a chosen model and loads the code of its provider. All settings are explicit, so that no variable of the process overrides one of the profile.
*/
export async function createLanguageModel(
	chosen: ChosenModel,
	watch?: ModelOfRun | (RequestWatch & {readonly flaws?: undefined}),
): Promise<LanguageModel> {
	const flaws = watch?.flaws;
	const model = await createProviderModel(chosen, watch && createModelFetch(watch), flaws);
	return flaws ? wrapLanguageModel({model, middleware: flaws.middleware}) : model;
}

async function createProviderModel(model: ChosenModel, fetch: typeof globalThis.fetch | undefined, flaws?: CallFlaws) {
	const {provider, name, apiKey = '', baseUrl: baseURL} = model;
	const settings = {apiKey, baseURL, fetch};
	switch (provider) {
		case 'anthropic':
			return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(name);
		case 'openai':
			return (await import('@ai-sdk/openai')).createOpenAI(settings)(name);
		case 'google':
			// The arguments of a call are members of its events.
			return (await import('@ai-sdk/google')).createGoogle({
				...settings,
				fetch: fetch && flaws ? async (input, init) => flaws.watchEvents(await fetch(input, init)) : fetch,
			})(name);
		case 'openrouter':
		case 'openai-compatible': {
			const {createOpenAICompatible} = await import('@ai-sdk/openai-compatible');
			// OpenAI-compatible streams contain the usage only on request.
			return createOpenAICompatible({...settings, name: provider, apiKey: apiKey || undefined, includeUsage: true})(
				name,
			);
		}
	}
}

/** Loads the code of a chosen model in advance. */
export async function loadModel(choice: ModelChoice): Promise<void> {
	if (choice.kind === 'model') {
		await createLanguageModel(choice);
	}
}

/** A short label of a model, safe to show: `anthropic/claude-sonnet-5-5`. */
export function modelLabel({provider, name}: ChosenModel): string {
	return safeText(`${provider}/${name}`, {maximumCharacters: 200});
}

/** The model of a choice. Throws `model_unusable` when there is none. */
export function needModel(choice: ModelChoice): ChosenModel {
	if (choice.kind !== 'model') {
		throw new Problem('model_unusable', {message: `No model can be used: ${choice.why}`});
	}

	return choice;
}

/**
Creates the `fetch` of one run's model requests. `onAsk` is called immediately before a request is sent, and not after its signal aborted. Rejects
with `too_many_open_files` when no connection could be opened and nothing was sent before either. A request that certainly was not sent, or was refused
with a status, costs nothing.
*/
export function createModelFetch({onAsk, reserve}: RequestWatch): typeof fetch {
	let isFirst = true;
	return async (input, init) => {
		init?.signal?.throwIfAborted();
		const reserved = await reserve?.(bodyBytes(init?.body));
		try {
			init?.signal?.throwIfAborted();
			onAsk?.();
		} catch (caught) {
			reserved?.release();
			throw caught;
		}

		try {
			const response = await fetch(input, init);
			isFirst = false;
			if (!response.ok) {
				reserved?.release();
			}

			return response;
		} catch (caught) {
			if (hadNoFile(caught) || failureKind(caught) !== 'lost') {
				reserved?.release();
			}

			if (isFirst && hadNoFile(caught)) {
				throw tooManyOpenFiles(caught);
			}

			isFirst = false;
			throw caught;
		}
	};
}

/** The words in which providers refuse a request that is too long; most say it in their text alone. */
const tooLong =
	/context_length_exceeded|context.{0,20}(?:length|window|size)|prompt is too long|input token count.{0,40}exceeds|too many tokens/iu;

/** The Problem of a failed model request. Its message fits a table row; the provider's text, which may quote a key, is private detail. */
export function toModelProblem(caught: unknown, {provider, name}: Pick<ChosenModel, 'provider' | 'name'>): Problem {
	if (caught instanceof Problem) {
		return caught;
	}

	const error = RetryError.isInstance(caught) ? caught.lastError : caught;
	const model = safeText(name, {maximumCharacters: 100});
	const more = {detail: safeText(errorText(error)), cause: caught};
	// A stream that fails later still has the status of its successful start.
	if (!APICallError.isInstance(error) || (error.statusCode ?? 400) < 400) {
		return new Problem('model_failed', {message: `The answer from ${provider} ended too early`, ...more});
	}

	const {statusCode: status} = error;
	if (status === undefined) {
		return new Problem('model_unreachable', {message: `${provider} could not be reached`, ...more});
	}

	if (status === 401 || status === 403) {
		return new Problem('model_unauthorized', {message: `${provider} rejected the API key (${status})`, ...more});
	}

	if (status === 404) {
		return new Problem('unknown_model', {message: `${provider} does not know the model ${model} (404)`, ...more});
	}

	if ((status === 400 || status === 413) && tooLong.test(error.responseBody ?? error.message)) {
		return new Problem('context_too_long', {
			message: `The conversation is longer than ${model} takes (${status}): choose a model with a larger context, or shorten the prompt`,
			...more,
		});
	}

	return status === 429
		? new Problem('model_rate_limited', {message: `${provider} is limiting requests (429)`, ...more})
		: new Problem('model_failed', {message: `${provider} answered with an error (${status})`, ...more});
}
