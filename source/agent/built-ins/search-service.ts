import {type searchServices} from '../../config/read/model-config.ts';
import {type Problem} from '../../util/problem.ts';
import {type WebAnswer, type WebRequest} from './web-fetch.ts';

/** One hit of a search. Texts are those of strangers. */
export type SearchHit = {
	readonly title: string;
	readonly url: string;
	readonly snippet: string;
	readonly date?: string;
};

/** What is searched for. */
export type SearchQuery = {readonly query: string; readonly limit: number};

/** One search service: how it is asked and how its answer reads. It neither sends nor retries. */
export type SearchService = {
	readonly name: (typeof searchServices)[number];
	/** Where people keep its key; absent: it needs none. */
	readonly keyVariable?: string;
	/** Absent: the address must be configured. */
	readonly url?: string;
	/** `url` is without a slash at its end. */
	readonly request: (
		query: SearchQuery,
		access: {readonly url: string; readonly key: string},
	) => Omit<WebRequest, 'reach' | 'signal'>;
	/** The hits, or why there are none, in words for the model and the person. Asked for every status. `readHits` reads a page of DuckDuckGo. */
	readonly read: (
		answer: WebAnswer,
		readHits: (page: WebAnswer) => Promise<readonly SearchHit[]>,
	) => Promise<readonly SearchHit[] | Problem> | readonly SearchHit[] | Problem;
};

/** The address with these parameters. */
export function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
	return `${url}?${new URLSearchParams(parameters).toString()}`;
}
