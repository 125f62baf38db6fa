import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {createSlots} from '../../util/slots.ts';
import {type ReaderTask, type Reading, readInThread} from './page-reader-worker.ts';
import {type PageText, type SearchHit} from './page-text.ts';
import {type WebResponse} from './web-fetch.ts';

/** Parses untrusted documents, never on the main thread. Both functions reject with `fetch_failed` or the signal's reason. */
export type PageReader = {
	/** The text of a page: the main content of HTML, PDF, or text unchanged. A page too complex for the parser becomes plain text. */
	readonly page: (answer: WebResponse, signal: AbortSignal) => Promise<PageText>;
	/** The hits on a result page of DuckDuckGo. */
	readonly hits: (answer: WebResponse, signal: AbortSignal) => Promise<readonly SearchHit[]>;
};

/** For all readers together: each thread may use a core and a third of a gigabyte. */
const maxThreads = 2;
const maxWaiting = 32;
const slots = createSlots(maxThreads, {
	maxWaiting,
	refusal: () => new Problem('fetch_failed', {message: 'Too many pages are being read; try again later'}),
});

const plainNote =
	'This page is too complex to find its main content. The following is the plain text of the whole page.\n\n';

/** Creates a reader. `log` gets what the libraries print, safe to show. */
export function openPageReader(options: {readonly clock: Clock; readonly log: (text: string) => void}): PageReader {
	const {clock, log} = options;

	const read = async (task: ReaderTask, signal: AbortSignal): Promise<Reading> => {
		const release = await slots.take(signal);
		try {
			const onLine = (line: string) => log(safeText(`page reader: ${line}`, {maximumCharacters: 300}));
			return await readInThread(task, {clock, signal, onLine});
		} finally {
			release();
		}
	};

	return {
		async page(answer, signal) {
			const {bytes, url} = answer;
			switch (kindOf(answer)) {
				case 'html':
					return toPage(await read({kind: 'html', bytes, url}, signal));
				case 'pdf':
					return toPage(await read({kind: 'pdf', bytes}, signal));
				case 'text':
					return {title: '', text: new TextDecoder().decode(bytes)};
			}
		},
		async hits({bytes}, signal) {
			const reading = await read({kind: 'hits', bytes}, signal);
			if (reading.kind === 'hits') {
				return reading.hits;
			}

			throw new Problem('fetch_failed', {message: 'DuckDuckGo returned a response that cannot be read'});
		},
	};
}

/** Throws `fetch_failed` for content that is neither a page nor text. */
function kindOf({contentType}: WebResponse): 'html' | 'pdf' | 'text' {
	switch (contentType) {
		case 'text/html':
		case 'application/xhtml+xml':
			return 'html';
		case 'application/pdf':
			return 'pdf';
		default:
			if (/^text\/|[/+](json|xml|yaml)$/u.test(contentType)) {
				return 'text';
			}

			throw new Problem('fetch_failed', {message: 'The address did not return a web page, a PDF or text'});
	}
}

function toPage(reading: Reading): PageText {
	if (reading.kind === 'page') {
		return reading.page;
	}

	if (reading.kind === 'stopped' && reading.plain) {
		return {...reading.plain, text: plainNote + reading.plain.text};
	}

	throw new Problem('fetch_failed', {message: whyUnread(reading)});
}

function whyUnread(reading: Exclude<Reading, {readonly kind: 'page'}>): string {
	if (reading.kind === 'refused') {
		return reading.message;
	}

	switch (reading.kind === 'stopped' ? reading.reason : 'fault') {
		case 'time':
			return 'Reading the document took too long';
		case 'memory':
			return 'Reading the document takes too much memory';
		case 'too_complex':
		case 'fault':
			return 'The document cannot be read';
	}
}
