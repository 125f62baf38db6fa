import {describe, expect, test} from 'vitest';
import {type WebFetch, webFetch, type WebRequest, type WebResponse} from '../../source/agent/built-ins/web-fetch.ts';
import {webExtract} from '../../source/agent/built-ins/web-extract.ts';
import {openPageReader} from '../../source/agent/built-ins/page-reader.ts';
import {webSearch} from '../../source/agent/built-ins/web-search.ts';
import {type SearchConfig} from '../../source/config/read/model-config.ts';
import {type BuiltIn} from '../../source/agent/built-ins/built-in-tool.ts';
import {systemClock} from '../../source/util/clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

const reader = openPageReader({clock: systemClock, log: () => undefined});
const use = {signal: neverAborted(), onWaiting: () => undefined, resume: async () => undefined};

/** A web that answers this, and what it was asked. */
function openWeb(answer: Partial<Omit<WebResponse, 'bytes'>> & {readonly body?: unknown}) {
	const asked: WebRequest[] = [];
	const {body = '', ...rest} = answer;
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const fetch: WebFetch = async request => {
		asked.push(request);
		const bytes = new TextEncoder().encode(text);
		return {status: 200, url: request.url, contentType: 'application/json', bytes, ...rest};
	};
	return {asked, fetch};
}

function search(
	answer: Parameters<typeof openWeb>[0],
	{config = {}, variables = {}}: {config?: SearchConfig; variables?: Readonly<Record<string, string>>} = {},
) {
	const web = openWeb(answer);
	const scope = {variables: (name: string) => variables[name], expand: (text: string) => text};
	const tool = webSearch({config: () => config, scope, fetch: web.fetch, reader});
	return {...web, ask: async (input: object) => tool.work({query: 'a b&c', ...input}, use)};
}

const hit = {title: 'One', url: 'http://one.example/', snippet: 'words'};
const told = 'One\nhttp://one.example/\nwords';

const duckPage = `<html><body><div class="result">
<a class="result__a" href="//duckduckgo.com/l/?uddg=http%3A%2F%2Fone.example%2F&rut=x">One</a>
<a class="result__snippet">words</a></div>
<div class="result"><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Buy</a></div></body></html>`;

describe('web_search', () => {
	test.each<[string, SearchConfig, Readonly<Record<string, string>>, unknown, Partial<WebRequest>]>([
		[
			'SearXNG',
			{url: 'http://127.0.0.1:8888/'},
			{BRAVE_API_KEY: 'k'},
			{results: [{title: 'One', url: hit.url, content: 'words'}]},
			{url: 'http://127.0.0.1:8888/search?q=a+b%26c&format=json', reach: 'machine'},
		],
		[
			'Brave',
			{},
			{BRAVE_API_KEY: 'k', TAVILY_API_KEY: 'k'},
			{web: {results: [{title: 'One', url: hit.url, description: 'words'}]}},
			{
				url: 'https://api.search.brave.com/res/v1/web/search?q=a+b%26c&count=8',
				headers: {'x-subscription-token': 'k', accept: 'application/json'},
				reach: 'internet',
			},
		],
		[
			'Tavily',
			{},
			{TAVILY_API_KEY: 'k', EXA_API_KEY: 'k'},
			{results: [{title: 'One', url: hit.url, content: 'words'}]},
			{url: 'https://api.tavily.com/search', method: 'POST', body: '{"query":"a b&c","max_results":8}'},
		],
		[
			'Exa',
			{},
			{EXA_API_KEY: 'k', SERPER_API_KEY: 'k'},
			{results: [{title: 'One', url: hit.url, text: 'words', publishedDate: null}]},
			{url: 'https://api.exa.ai/search', method: 'POST'},
		],
		[
			'Serper',
			{},
			{SERPER_API_KEY: 'k'},
			{organic: [{title: 'One', link: hit.url, snippet: 'words'}]},
			{url: 'https://google.serper.dev/search', method: 'POST', body: '{"q":"a b&c","num":8}'},
		],
		['DuckDuckGo', {}, {}, duckPage, {url: 'https://html.duckduckgo.com/html/?q=a+b%26c', reach: 'internet'}],
		[
			'a configured service before keys',
			{provider: 'exa', apiKey: 'mine'},
			{BRAVE_API_KEY: 'k'},
			{results: [{title: 'One', url: hit.url, text: 'words'}]},
			{headers: {'content-type': 'application/json', accept: 'application/json', 'x-api-key': 'mine'}},
		],
	])('asks %s', async (...[, config, variables, body, request]) => {
		const {ask, asked} = search({body}, {config, variables});
		expect(await ask({})).toBe(told);
		expect(asked).toMatchObject([request]);
	});

	test.each<[string, SearchConfig, Parameters<typeof openWeb>[0], RegExp]>([
		[
			'a page for robots',
			{},
			{status: 202, body: ''},
			/bot\. Set `search\.provider` to searxng .* brave, tavily, exa or serper/u,
		],
		['an anomaly page', {}, {body: '<div class="anomaly-modal">'}, /bot/u],
		['SearXNG without JSON', {url: 'http://h'}, {status: 403}, /Add json to `search\.formats`/u],
		['a refused key', {provider: 'brave', apiKey: 'k'}, {status: 401}, /Brave answered 401: the key was rejected/u],
		['a used-up quota', {provider: 'tavily', apiKey: 'k'}, {status: 429}, /Tavily answered 429: the quota is used up/u],
		['nonsense', {provider: 'exa', apiKey: 'k'}, {body: '[]'}, /Exa returned a response that cannot be read/u],
		[
			'a missing key',
			{provider: 'serper'},
			{},
			/serper needs a key\. Set `search\.api_key` or the variable SERPER_API_KEY/u,
		],
		['a missing address', {provider: 'searxng'}, {}, /searxng needs `search\.url`/u],
	])('%s is an error that helps', async (...[, config, answer, message]) => {
		await expect(search(answer, {config}).ask({})).rejects.toThrow(message);
	});

	test('no more hits than requested, each bounded in length', async () => {
		const results = Array.from({length: 5}, () => ({
			title: 't'.repeat(999),
			url: 'http://x/',
			content: 'w'.repeat(9999),
		}));
		const answer = await search({body: {results}}, {config: {url: 'http://h'}}).ask({limit: 2});
		expect(answer.split('\n\n')).toHaveLength(2);
		expect(answer.length).toBeLessThan(1600);
	});
});

async function extract(answer: Parameters<typeof openWeb>[0]): Promise<string> {
	const {fetch} = openWeb({contentType: 'text/html', ...answer});
	return webExtract({fetch, reader}).work({url: 'http://page.example/a'}, use);
}

describe('web_extract', () => {
	test('answers a page as Markdown without its frame', async () => {
		const words = 'Carrots like loose soil. '.repeat(20);
		const body = `<html><head><title>Carrots</title></head><body><nav>Home About</nav><article><h1>Carrots</h1>
			<p>${words}<a href="/seeds">Seeds</a></p><pre><code class="language-js">sow(1)</code></pre></article>
			<footer>Imprint</footer><script>evil()</script></body></html>`;
		const text = await extract({body});
		expect(text).toContain('# Carrots\nhttp://page.example/a\n');
		expect(text).toContain('Carrots like loose soil.');
		expect(text).toMatch(/\[Seeds\]\(http:\/\/page\.example\/seeds\)/u);
		expect(text).toContain('```js');
		expect(text).not.toMatch(/Imprint|evil/u);
	});

	test('answers the text of a PDF', async () => {
		expect(await extract({contentType: 'application/pdf', body: tinyPdf('Hello from a PDF')})).toContain(
			'Hello from a PDF',
		);
	});

	test('answers text and JSON as they are', async () => {
		expect(await extract({contentType: 'text/plain', body: 'plain'})).toBe('http://page.example/a\n\nplain');
		expect(await extract({contentType: 'application/json', body: '{"a":1}'})).toContain('{"a":1}');
	});

	test.each<[string, Parameters<typeof openWeb>[0], RegExp]>([
		['a picture', {contentType: 'image/png'}, /did not return a web page, a PDF or text/u],
		['a broken PDF', {contentType: 'application/pdf', body: 'no'}, /The PDF cannot be read/u],
		['a refusal', {status: 404}, /answered 404/u],
	])('%s is an error', async (_what, answer, message) => {
		await expect(extract(answer)).rejects.toThrow(message);
	});

	test('a page without a body, or with a broken one, does not break it', async () => {
		expect(await extract({body: ''})).toContain('http://page.example/a');
		expect(await extract({body: '<html><body><p>Un<b>closed'})).toContain('Un');
	});

	test('keeps head and tail of a huge page', async () => {
		expect((await extract({contentType: 'text/plain', body: 'x'.repeat(1_000_000)})).length).toBeLessThanOrEqual(
			100_000,
		);
	});
});

describe('nothing on this machine or in its networks is reached by', () => {
	const addresses = [
		'http://127.0.0.1:4444/',
		'http://localhost:4444/',
		'http://[::1]:4444/',
		'http://0x7f.1/',
		'http://169.254.169.254/',
		'file:///etc/passwd',
	];
	const tools: readonly BuiltIn[] = [webExtract({reader})];
	test.each(addresses)('web_extract: %s', async url => {
		await expect(tools[0]?.work({url}, use)).rejects.toMatchObject({code: 'address_refused'});
	});

	test('a search without a configured address', async () => {
		const request = {url: 'http://127.0.0.1:4444/', reach: 'internet', signal: use.signal} as const;
		await expect(webFetch(request)).rejects.toMatchObject({code: 'address_refused'});
	});
});

/** The smallest PDF with one line of text. */
function tinyPdf(text: string): string {
	const stream = `BT /F1 12 Tf 20 50 Td (${text}) Tj ET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	];
	let pdf = '%PDF-1.4\n';
	const offsets = objects.map((object, index) => {
		const offset = pdf.length;
		pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return offset;
	});
	const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const start = pdf.length;
	return `${pdf}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}
