import {Problem} from '../util/problem.ts';
import {type SearchHit, type SearchService, withQuery} from './search-service.ts';

/** DuckDuckGo's page for plain browsers: the only service without a key, and it often takes programs for robots. */
export const duckDuckGo: SearchService = {
	name: 'duckduckgo',
	url: 'https://html.duckduckgo.com',
	request: ({query}, {url}) => ({
		url: withQuery(`${url}/html/`, {q: query}),
		headers: {accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Sluice)'},
	}),
	async read({status, bytes}) {
		const html = new TextDecoder().decode(bytes);
		if (status !== 200 || html.includes('anomaly')) {
			const message =
				'DuckDuckGo takes this gateway for a robot. Set `search` to searxng (with url), brave, tavily, exa or serper (with a key)';
			return new Problem('fetch_failed', {message});
		}

		const {parseHTML} = await import('linkedom');
		const {document} = parseHTML(html);
		return [...document.querySelectorAll('.result')].flatMap(readHit);
	},
};

type Selectable = {
	readonly querySelector: (
		selector: string,
	) => {readonly textContent: string | null; getAttribute: (name: string) => string | null} | null;
};

function readHit(result: Selectable): readonly SearchHit[] {
	const link = result.querySelector('a.result__a');
	const url = targetOf(link?.getAttribute('href') ?? '');
	const words = (selector: string) =>
		(result.querySelector(selector)?.textContent ?? '').replaceAll(/\s+/gu, ' ').trim();
	return url === undefined ? [] : [{title: words('a.result__a'), url, snippet: words('.result__snippet')}];
}

/** Links lead through a counter that names the target in `uddg`; advertisements lead elsewhere. */
function targetOf(href: string): string | undefined {
	const url = URL.parse(href, 'https://duckduckgo.com');
	const target = url?.searchParams.get('uddg') ?? (url?.hostname.endsWith('duckduckgo.com') ? null : url?.href);
	return target ?? undefined;
}
