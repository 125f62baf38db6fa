import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {choice} from '../values/choice.ts';
import {field, lazyField} from '../values/field-rule.ts';
import {text} from '../values/text-like.ts';

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

/** `model` and `vision_model` as a person writes them (docs/configuration.md, How values are read). */
export const modelSchema = lazy(() => model('The model of agent runs.'));
export const visionModelSchema = lazy(() => model('The model that looks at pictures.'));

/** The search services that `web_search` can ask. */
export const searchServices = ['searxng', 'brave', 'tavily', 'exa', 'serper', 'duckduckgo'] as const;

/** `search` as a person writes it (docs/configuration.md, How values are read). */
export const searchSchema = lazyField(
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
