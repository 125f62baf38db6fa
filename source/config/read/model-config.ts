import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field, lazyField} from '../values/field-rule.ts';
import {choice, text} from '../values/fields.ts';
import {readSection, readSettings} from '../values/read-section.ts';
import {type Section, subsection} from '../values/section.ts';

const providers = ['auto', 'anthropic', 'openai', 'google', 'openrouter', 'openai-compatible', 'none'] as const;

function model(description: string) {
	return field(
		z.strictObject({
			provider: field(z.enum(providers), {
				description: 'The provider of the model. Default: auto.',
				allowed: providers.join(', '),
				words: providers,
				noun: 'provider',
			}).optional(),
			name: text('Name of the model.'),
			base_url: text(
				'Address of a proxy or of a server of your own; replaces the address of the provider.',
				'an address',
			),
			api_key: text('Key of the provider; better a reference to a variable.'),
		}),
		{description, allowed: 'a mapping with provider, name, base_url, api_key'},
	);
}

/** `model` and `vision_model` in config.yaml (docs/configuration.md, How values are read). */
export const modelSchema = lazy(() => model('The model of agent runs.'));
export const visionModelSchema = lazy(() => model('The model that analyses images.'));

/** The search services of `web_search`. */
export const searchServices = ['searxng', 'brave', 'tavily', 'exa', 'serper', 'duckduckgo'] as const;

/** `search` in config.yaml (docs/configuration.md, How values are read). */
export const searchSchema = lazyField(
	() =>
		z.strictObject({
			provider: choice(searchServices, {
				description: 'Search service. Default: one with a key or an address.',
				noun: 'search service',
				notice: 'The service is chosen by its key',
			}),
			url: text('Address of the search service.', 'an address'),
			api_key: text('Key of the search service.'),
		}),
	{description: 'The search service of agent runs.', allowed: 'a mapping with provider, url, api_key'},
);

/** `model` or `vision_model` (docs/configuration.md, How values are read). References in texts are not expanded yet. */
export type ModelConfig = {
	/** `auto`: detected at the first run; `none`: no model. */
	readonly provider: NonNullable<z.infer<ReturnType<typeof modelSchema>>['provider']>;
	readonly name?: string;
	readonly baseUrl?: string;
	readonly apiKey?: string;
};

/** `search`. References in texts are not expanded yet. */
export type SearchConfig = {
	/** Absent: detected by its key. */
	readonly provider?: (typeof searchServices)[number];
	readonly url?: string;
	readonly apiKey?: string;
};

/** The models and the search service of a profile's runs. */
type ModelSections = {
	readonly model: ModelConfig;
	/** Absent: the model of the runs also reads images. */
	readonly visionModel?: ModelConfig;
	readonly search: SearchConfig;
};

/** Reads `model`, `vision_model` and `search`. `section` is the root. */
export function parseModels(root: Readonly<Record<string, unknown>>, section: Section): ModelSections {
	const at = (key: string) => subsection(section, [key]);
	const vision = root['vision_model'] ?? undefined;
	return {
		model: parseModel(modelSchema, root['model'], at('model')),
		...(vision === undefined ? {} : {visionModel: parseModel(visionModelSchema, vision, at('vision_model'))}),
		search: parseSearch(root['search'], at('search')),
	};
}

/** An unusable section is reported and means no model: another one might cost money. */
function parseModel(schema: typeof modelSchema, written: unknown, section: Section): ModelConfig {
	if (written === undefined || written === null) {
		return {provider: 'auto'};
	}

	const reading = readSection(schema(), written, section);
	if (reading.kind === 'broken') {
		return {provider: 'none'};
	}

	const {provider = 'auto', name, base_url: baseUrl, api_key: apiKey} = reading.value;
	return {provider, ...withoutEmpty({name, baseUrl, apiKey})};
}

/** An unusable section is reported, and the service is detected by its key. */
function parseSearch(written: unknown, section: Section): SearchConfig {
	const {provider, url, api_key: apiKey} = readSettings(searchSchema, written, section);
	return {...(provider && {provider}), ...withoutEmpty({url, apiKey})};
}

/** An empty text counts as absent. */
function withoutEmpty<Texts extends Readonly<Record<string, string | undefined>>>(texts: Texts): Partial<Texts> {
	const present: Partial<Texts> = {...texts};
	for (const name in present) {
		if (!present[name]) {
			delete present[name];
		}
	}

	return present;
}
