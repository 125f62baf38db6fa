import {Problem} from '../../util/problem.ts';

/** A page as text: its title, if any, and Markdown or plain text. */
export type PageText = {readonly title: string; readonly text: string};

/** One search hit. Its texts are untrusted. */
export type SearchHit = {
	readonly title: string;
	readonly url: string;
	readonly snippet: string;
	readonly date?: string;
};

const maxPdfPages = 200;

/** The main content of HTML as Markdown; empty when none was found. Slow on some pages: call it only in a separate thread. */
export async function readHtml(html: string, url: string): Promise<PageText> {
	const {parseHTML} = await import('linkedom');
	const {Defuddle} = await import('defuddle/node');
	const {document} = parseHTML(html);
	// The parser creates no document for a text without a tag.
	if (document.documentElement === null) {
		return {title: '', text: html};
	}

	// Without `useAsync: false` it contacts other services about some pages.
	const page = await Defuddle(document, url, {markdown: true, useAsync: false});
	return {title: page.title, text: page.content.trim()};
}

/** The text of a PDF. Throws `fetch_failed` for an unreadable one. Call it only in a separate thread. */
export async function readPdf(bytes: Uint8Array): Promise<PageText> {
	const {extractText, getDocumentProxy} = await import('unpdf');
	try {
		const document = await getDocumentProxy(bytes);
		if (document.numPages > maxPdfPages) {
			throw new Problem('fetch_failed', {message: `The PDF has more than ${maxPdfPages} pages`});
		}

		const {text} = await extractText(document, {mergePages: true});
		return {title: '', text};
	} catch (caught) {
		throw caught instanceof Problem
			? caught
			: new Problem('fetch_failed', {message: 'The PDF cannot be read', cause: caught});
	}
}

/** The hits on DuckDuckGo's HTML page. Call it only in a separate thread. */
export async function readHits(html: string): Promise<readonly SearchHit[]> {
	const {parseHTML} = await import('linkedom');
	const {document} = parseHTML(html);
	return [...document.querySelectorAll('.result')].slice(0, maxResults).flatMap(readHit);
}

/** Including advertisements; more than a search may request. */
const maxResults = 100;
const maxHitCharacters = 5000;

type Selectable = {
	readonly querySelector: (
		selector: string,
	) => {readonly textContent: string | null; getAttribute: (name: string) => string | null} | null;
};

function readHit(result: Selectable): readonly SearchHit[] {
	const link = result.querySelector('a.result__a');
	const url = targetOf(link?.getAttribute('href') ?? '');
	const words = (selector: string) =>
		(result.querySelector(selector)?.textContent ?? '').slice(0, maxHitCharacters).replaceAll(/\s+/gu, ' ').trim();
	return url === undefined ? [] : [{title: words('a.result__a'), url, snippet: words('.result__snippet')}];
}

/** Links go through a redirect with the target in `uddg`; advertisements do not. */
function targetOf(href: string): string | undefined {
	const url = URL.parse(href, 'https://duckduckgo.com');
	const target = url?.searchParams.get('uddg') ?? (url?.hostname.endsWith('duckduckgo.com') ? null : url?.href);
	return target ?? undefined;
}
