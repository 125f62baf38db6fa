import {parentPort, workerData} from 'node:worker_threads';
import {cutMiddle} from '../../tools/cut-middle.ts';
import {Problem} from '../../util/problem.ts';
import {type ReaderResult, type ReaderTask} from './page-reader-worker.ts';
import {type PageText, readHits, readHtml, readPdf} from './page-text.ts';
import {maxDepth, scanHtml} from './scan-html.ts';

/** Ordinary pages have a tenth of it; the parser needs at least a kilobyte for each. */
const maxPieces = 100_000;

/** Far more than any answer contains, and quick to transfer. */
const maxCharacters = 1_000_000;

const task = workerData as ReaderTask;

function answer(message: ReaderResult): void {
	parentPort?.postMessage(message, []);
}

function bounded({title, text}: PageText): PageText {
	return {title: cutMiddle(title, 1000), text: cutMiddle(text, maxCharacters)};
}

/** Parses HTML with the full parser. The plain text is sent first, in case the parser has to be stopped. */
async function parse<Answer>(
	bytes: Uint8Array,
	work: (html: string, plain: PageText) => Promise<Answer>,
): Promise<Answer | {readonly kind: 'too_complex'}> {
	const html = new TextDecoder().decode(bytes);
	const {title, text, depth, pieces} = scanHtml(html);
	const plain = bounded({title, text});
	answer({kind: 'plain', page: plain});
	return depth <= maxDepth && pieces <= maxPieces ? work(html, plain) : {kind: 'too_complex'};
}

async function read(): Promise<ReaderResult> {
	switch (task.kind) {
		case 'pdf':
			return {kind: 'page', page: bounded(await readPdf(task.bytes))};
		case 'html':
			return parse(task.bytes, async (html, plain) => {
				const page = bounded(await readHtml(html, task.url));
				// The parser finds no content in a fragment without a page around it.
				return {kind: 'page', page: page.text === '' ? plain : page};
			});
		case 'hits':
			return parse(task.bytes, async html => ({kind: 'hits', hits: await readHits(html)}));
	}
}

try {
	answer(await read());
} catch (caught) {
	// A page that the parser rejects is no internal error: its plain text was already sent.
	answer(caught instanceof Problem ? {kind: 'refused', message: caught.message} : {kind: 'too_complex'});
}
