import {type LanguageModel} from 'ai';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ChosenModel, type ModelChoice} from './model-choice.ts';
import {createModelFetch} from './model-fetch.ts';

/**
Opens a chosen model; its provider's code is loaded only then. Everything is said explicitly, so that no variable of the process decides instead of the
profile's. `onAsk` is told of each request when it goes out.
*/
export async function createLanguageModel(model: ChosenModel, onAsk?: () => void): Promise<LanguageModel> {
	const {provider, name, apiKey = '', baseUrl: baseURL} = model;
	const settings = {apiKey, baseURL, fetch: onAsk && createModelFetch(onAsk)};
	switch (provider) {
		case 'anthropic':
			return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(name);
		case 'openai':
			return (await import('@ai-sdk/openai')).createOpenAI(settings)(name);
		case 'google':
			return (await import('@ai-sdk/google')).createGoogle(settings)(name);
		case 'openrouter':
		case 'openai-compatible': {
			const {createOpenAICompatible} = await import('@ai-sdk/openai-compatible');
			// Without the request for usage, streams of this kind tell none.
			return createOpenAICompatible({...settings, name: provider, apiKey: apiKey || undefined, includeUsage: true})(
				name,
			);
		}
	}
}

/** Loads the code that a chosen model needs, so that it is there when a run is answered. */
export async function loadModel(choice: ModelChoice): Promise<void> {
	if (choice.kind === 'model') {
		await createLanguageModel(choice);
	}
}

/** A model in a few words, safe to show: `anthropic/claude-sonnet-5-5`. */
export function modelLabel({provider, name}: ChosenModel): string {
	return safeText(`${provider}/${name}`, {maximumCharacters: 200});
}

/** The model of a choice. Throws `model_unusable` when there is none. */
export function needModel(choice: ModelChoice): ChosenModel {
	if (choice.kind !== 'model') {
		throw new Problem('model_unusable', {message: `There is no model: ${choice.why}`});
	}

	return choice;
}
