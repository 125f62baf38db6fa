import {type LanguageModel} from 'ai';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type ChosenModel, type ModelChoice} from './model-choice.ts';

/** Opens a chosen model; its provider's code is loaded only then. Everything is said explicitly, so that no variable of the process decides instead of the profile's. */
export async function openLanguageModel(model: ChosenModel): Promise<LanguageModel> {
	const {provider, name, apiKey = '', baseUrl: baseURL} = model;
	switch (provider) {
		case 'anthropic':
			return (await import('@ai-sdk/anthropic')).createAnthropic({apiKey, baseURL})(name);
		case 'openai':
			return (await import('@ai-sdk/openai')).createOpenAI({apiKey, baseURL})(name);
		case 'google':
			return (await import('@ai-sdk/google')).createGoogle({apiKey, baseURL})(name);
		case 'openrouter':
		case 'openai-compatible': {
			const {createOpenAICompatible} = await import('@ai-sdk/openai-compatible');
			// Without the wish for usage, streams of this kind tell none.
			return createOpenAICompatible({name: provider, apiKey: apiKey || undefined, baseURL, includeUsage: true})(name);
		}
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
