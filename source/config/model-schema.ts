import {z} from 'zod';
import {late} from '../util/late.ts';
import {choice} from './choice.ts';
import {field, lateField} from './field-rule.ts';
import {text} from './text-like.ts';

const providers = ['auto', 'anthropic', 'openai', 'google', 'openrouter', 'openai-compatible', 'none'] as const;

function model(description: string) {
	return field(
		z.strictObject({
			provider: field(z.enum(providers), {
				description: 'Who serves the model. Default: auto.',
				allowed: providers.join(', '),
			}).optional(),
			name: text('Name of the model.'),
			base_url: text('Address of the provider.', 'an address'),
			api_key: text('Key of the provider; better a reference to a variable.'),
		}),
		{description, allowed: 'a mapping with provider, name, base_url, api_key'},
	);
}

/** `model` and `vision_model` as a person writes them (spec/decisions.md, D3). */
export const modelSchema = late(() => model('The model of agent runs.'));
export const visionModelSchema = late(() => model('The model that looks at pictures.'));

/** The search services that `web_search` can ask. */
export const searchServices = ['searxng', 'brave', 'tavily', 'exa', 'serper', 'duckduckgo'] as const;

/** `search` as a person writes it (spec/decisions.md, D3). */
export const searchSchema = lateField(
	() =>
		z.strictObject({
			provider: choice(searchServices, {
				description: 'Search service. Default: the one whose key or address is there.',
				told: 'the service is found by its key',
			}),
			url: text('Address of the search service.', 'an address'),
			api_key: text('Key of the search service.'),
		}),
	{description: 'The search service of agent runs.', allowed: 'a mapping with provider, url, api_key'},
);
