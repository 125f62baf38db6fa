import {Problem} from '../../util/problem.ts';
import {type SearchService, withQuery} from './search-service.ts';

/** DuckDuckGo's page for plain browsers: the only service without a key, and it often takes programs for robots. */
export const duckDuckGo: SearchService = {
	name: 'duckduckgo',
	url: 'https://html.duckduckgo.com',
	request: ({query}, {url}) => ({
		url: withQuery(`${url}/html/`, {q: query}),
		headers: {accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Sluice)'},
	}),
	read(answer, readHits) {
		if (answer.status !== 200 || Buffer.from(answer.bytes).includes('anomaly')) {
			const message =
				'DuckDuckGo takes this gateway for a robot. Set `search` to searxng (with url), brave, tavily, exa or serper (with a key)';
			return new Problem('fetch_failed', {message});
		}

		return readHits(answer);
	},
};
