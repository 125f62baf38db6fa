import {Problem} from '../util/problem.ts';
import {type WebAnswer} from './web-fetch.ts';

/** A page as text: its title when it has one, and Markdown. */
export type PageText = {readonly title: string; readonly text: string};

const mostPdfPages = 200;

/** The text of what an address answered: HTML without its frame, PDF, or text as it is. Throws `fetch_failed` for anything else. */
export async function readPage(answer: WebAnswer): Promise<PageText> {
	switch (answer.contentType) {
		case 'text/html':
		case 'application/xhtml+xml':
			return readHtml(answer);
		case 'application/pdf':
			return readPdf(answer.bytes);
		default:
			if (/^text\/|[/+](json|xml|yaml)$/u.test(answer.contentType)) {
				return {title: '', text: decode(answer.bytes)};
			}

			throw new Problem('fetch_failed', {message: 'The address answers neither a page nor a PDF nor text'});
	}
}

async function readHtml({bytes, url}: WebAnswer): Promise<PageText> {
	const {parseHTML} = await import('linkedom');
	const {Defuddle} = await import('defuddle/node');
	const html = decode(bytes);
	const {document} = parseHTML(html);
	// The parser makes no document of a text without a tag.
	if (document.documentElement === null) {
		return {title: '', text: html};
	}

	// It asks other services about some pages unless told not to.
	const page = await Defuddle(document, url, {markdown: true, useAsync: false});
	const text = page.content.trim();
	return {title: page.title, text: text === '' ? (document.body?.textContent ?? '').trim() : text};
}

async function readPdf(bytes: Uint8Array): Promise<PageText> {
	const {extractText, getDocumentProxy} = await import('unpdf');
	try {
		const document = await getDocumentProxy(bytes);
		if (document.numPages > mostPdfPages) {
			throw new Problem('fetch_failed', {message: `The PDF has more than ${mostPdfPages} pages`});
		}

		const {text} = await extractText(document, {mergePages: true});
		return {title: '', text};
	} catch (caught) {
		throw caught instanceof Problem
			? caught
			: new Problem('fetch_failed', {message: 'The PDF cannot be read', cause: caught});
	}
}

function decode(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}
