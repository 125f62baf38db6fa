import {z} from 'zod';
import {type SearchConfig} from '../../config/read/model-config.ts';
import {cutText} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type BuiltIn} from './built-in-tool.ts';
import {type ChoiceScope} from '../models/model-choice.ts';
import {type SearchHit} from './page-text.ts';
import {type SearchService, searchServicesByName} from './search-services.ts';
import {type WebFetch, webFetch, type WebResponse} from './web-fetch.ts';

export type WebSearchOptions = {
	/** Read at every search, so that it may be a live view of the configuration. */
	readonly config: () => SearchConfig;
	readonly scope: ChoiceScope;
	/** Default: the guarded one. */
	readonly fetch?: WebFetch;
	/** Parses a page of results. */
	readonly reader: {readonly hits: (page: WebResponse, signal: AbortSignal) => Promise<readonly SearchHit[]>};
};

const inputSchema = {
	type: 'object',
	properties: {
		query: {type: 'string', minLength: 1, maxLength: 400, description: 'The text to search for.'},
		limit: {type: 'integer', minimum: 1, maximum: 20, description: 'Maximum number of hits. Default: 8.'},
	},
	required: ['query'],
	additionalProperties: false,
};

const input = z.object({query: z.string(), limit: z.number().default(8)});

/** The built-in `web_search`. */
export function webSearch({config, scope, fetch = webFetch, reader}: WebSearchOptions): BuiltIn {
	return {
		name: 'web_search',
		description: 'Searches the web and returns titles, URLs and snippets. Read a page with web_extract.',
		inputSchema,
		timeoutSeconds: 30,
		async work(given, {signal}) {
			const query = input.parse(given);
			const {service, url, key} = chooseService(config(), scope);
			// A configured URL may be local: a SearXNG usually runs on this machine.
			const reach = config().url === undefined ? 'internet' : 'machine';
			const answer = await fetch({...service.request(query, {url, key}), reach, signal});
			const hits = await service.read(answer, async page => reader.hits(page, signal));
			if (hits instanceof Problem) {
				throw hits;
			}

			return hits.length === 0 ? 'No hits.' : hits.slice(0, query.limit).map(hitText).join('\n\n');
		},
	};
}

/** The configured service, else one with a URL or a key, else the one that needs no key. Throws `invalid_arguments` when the configured one lacks something. */
export function chooseService(
	{provider, url: writtenUrl, apiKey}: SearchConfig,
	{variables, expand}: ChoiceScope,
): {readonly service: SearchService; readonly url: string; readonly key: string} {
	const services = Object.values(searchServicesByName);
	const byKey = services.find(({keyVariable}) => keyVariable !== undefined && variables(keyVariable) !== undefined);
	const byUrl = writtenUrl === undefined ? undefined : searchServicesByName.searxng;
	const service = provider ? searchServicesByName[provider] : (byUrl ?? byKey ?? searchServicesByName.duckduckgo);
	const {name, keyVariable} = service;
	const url = writtenUrl === undefined ? service.url : expand(writtenUrl);
	const key = apiKey === undefined ? keyVariable && variables(keyVariable) : expand(apiKey);
	if (url === undefined) {
		throw new Problem('invalid_arguments', {message: `The search service ${name} needs \`search.url\``});
	}

	if (keyVariable !== undefined && !key) {
		throw new Problem('invalid_arguments', {
			message: `The search service ${name} needs a key. Set \`search.api_key\` or the variable ${keyVariable}`,
		});
	}

	return {service, url: url.replace(/\/+$/u, ''), key: key ?? ''};
}

function hitText({title, url, snippet, date}: SearchHit): string {
	const head = `${cutText(title, 200)}${date === undefined ? '' : ` (${cutText(date, 40)})`}`;
	return `${head}\n${cutText(url, 1000)}\n${cutText(snippet, 500)}`;
}
