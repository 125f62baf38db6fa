import {z} from 'zod';
import {type searchServices} from '../../config/read/model-config.ts';
import {parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type SearchHit} from './page-text.ts';
import {type WebRequest, type WebResponse} from './web-fetch.ts';

type SearchQuery = {readonly query: string; readonly limit: number};

/** One search service: builds its request and parses its response, without sending or retrying. */
export type SearchService = {
	readonly name: (typeof searchServices)[number];
	/** The environment variable for its key; absent: it needs none. */
	readonly keyVariable?: string;
	/** Absent: the URL must be configured. */
	readonly url?: string;
	/** `url` has no trailing slash. */
	readonly request: (
		query: SearchQuery,
		access: {readonly url: string; readonly key: string},
	) => Omit<WebRequest, 'reach' | 'signal'>;
	/** Returns the hits, or a Problem for the model and the person. Called for every status. `readHits` parses a page of DuckDuckGo. */
	readonly read: (
		answer: WebResponse,
		readHits: (page: WebResponse) => Promise<readonly SearchHit[]>,
	) => Promise<readonly SearchHit[] | Problem> | readonly SearchHit[] | Problem;
};

const text = z
	.string()
	.nullish()
	.transform(value => value ?? '');

const results = z.array(
	z.object({
		title: text,
		url: z.string().optional(),
		link: z.string().optional(),
		content: text,
		description: text,
		snippet: text,
		text,
		date: z.string().nullish(),
		age: z.string().nullish(),
		publishedDate: z.string().nullish(),
		published_date: z.string().nullish(),
	}),
);

/** Covers the responses of all services, which differ only in names. */
const answerSchema = z.union([
	z.object({web: z.object({results})}).transform(({web}) => web.results),
	z.object({organic: results}).transform(({organic}) => organic),
	z.object({results}).transform(answer => answer.results),
]);

/** DuckDuckGo's HTML page: the only service without a key, which often rejects programs as bots. */
const duckDuckGo: SearchService = {
	name: 'duckduckgo',
	url: 'https://html.duckduckgo.com',
	request: ({query}, {url}) => ({
		url: withQuery(`${url}/html/`, {q: query}),
		headers: {accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Sluice)'},
	}),
	read(answer, readHits) {
		if (answer.status !== 200 || Buffer.from(answer.bytes).includes('anomaly')) {
			const message =
				'DuckDuckGo rejected this gateway as a bot. Set `search.provider` to searxng (with `url`), or to brave, tavily, exa or serper (with `api_key`)';
			return new Problem('fetch_failed', {message});
		}

		return readHits(answer);
	},
};

/** All services (docs/configuration.md, How values are read). When none is configured, the first one with a key is used. */
export const searchServicesByName: {readonly [Name in SearchService['name']]: SearchService} = {
	searxng: {
		name: 'searxng',
		request: ({query}, {url}) => ({url: withQuery(`${url}/search`, {q: query, format: 'json'})}),
		read: answer =>
			answer.status === 403
				? new Problem('fetch_failed', {
						message: 'SearXNG refused JSON (403). Add json to `search.formats` in its settings.yml',
					})
				: readJson('SearXNG', answer),
	},
	brave: {
		name: 'brave',
		keyVariable: 'BRAVE_API_KEY',
		url: 'https://api.search.brave.com',
		request: ({query, limit}, {url, key}) => ({
			url: withQuery(`${url}/res/v1/web/search`, {q: query, count: String(limit)}),
			headers: {'x-subscription-token': key, accept: 'application/json'},
		}),
		read: answer => readJson('Brave', answer),
	},
	tavily: {
		name: 'tavily',
		keyVariable: 'TAVILY_API_KEY',
		url: 'https://api.tavily.com',
		request: ({query, limit}, {url, key}) => ({
			...post(`${url}/search`, {query, max_results: limit}),
			headers: {...json, authorization: `Bearer ${key}`},
		}),
		read: answer => readJson('Tavily', answer),
	},
	exa: {
		name: 'exa',
		keyVariable: 'EXA_API_KEY',
		url: 'https://api.exa.ai',
		request: ({query, limit}, {url, key}) => ({
			...post(`${url}/search`, {query, numResults: limit, contents: {text: {maxCharacters: 500}}}),
			headers: {...json, 'x-api-key': key},
		}),
		read: answer => readJson('Exa', answer),
	},
	serper: {
		name: 'serper',
		keyVariable: 'SERPER_API_KEY',
		url: 'https://google.serper.dev',
		request: ({query, limit}, {url, key}) => ({
			...post(`${url}/search`, {q: query, num: limit}),
			headers: {...json, 'x-api-key': key},
		}),
		read: answer => readJson('Serper', answer),
	},
	duckduckgo: duckDuckGo,
};

const json = {'content-type': 'application/json', accept: 'application/json'};

function post(url: string, body: object) {
	return {url, method: 'POST', body: JSON.stringify(body)} as const;
}

function readJson(label: string, {status, bytes}: WebResponse): readonly SearchHit[] | Problem {
	if (status !== 200) {
		const hint =
			status === 401 || status === 403 ? ': the key was rejected' : status === 429 ? ': the quota is used up' : '';
		return new Problem('fetch_failed', {message: `${label} answered ${status}${hint}`});
	}

	const parsed = answerSchema.safeParse(parseJson(new TextDecoder().decode(bytes)));
	if (!parsed.success) {
		return new Problem('fetch_failed', {message: `${label} returned a response that cannot be read`});
	}

	return parsed.data.map(({title, url, link, content, description, snippet, text: words, ...dates}) => {
		const date = dates.date ?? dates.age ?? dates.publishedDate ?? dates.published_date;
		return {
			title,
			url: url ?? link ?? '',
			snippet: content || description || snippet || words,
			...(date ? {date} : {}),
		};
	});
}

/** The URL with these parameters. */
function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
	return `${url}?${new URLSearchParams(parameters).toString()}`;
}
