import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {readInThread, type Reading, type ReaderTask} from './page-reader-worker.ts';
import {type PageText} from './page-text.ts';
import {type SearchHit} from './search-service.ts';
import {openThreadPlaces} from './thread-places.ts';
import {type WebAnswer} from './web-fetch.ts';

/** Reads what strangers answered, never on the thread that everything else waits for. Both reject with `fetch_failed` or the signal's reason. */
export type PageReader = {
	/** The text of a page: HTML without its frame, PDF, or text as it is. A page that is too much for the parser comes as plain text. */
	readonly page: (answer: WebAnswer, signal: AbortSignal) => Promise<PageText>;
	/** The hits on a result page of DuckDuckGo. */
	readonly hits: (answer: WebAnswer, signal: AbortSignal) => Promise<readonly SearchHit[]>;
};

/** All readers together: each thread may take a core and a third of a gigabyte. */
const mostThreads = 2;
const mostWaiting = 32;
const places = openThreadPlaces(mostThreads, mostWaiting);

const plainNote =
	'This page was too much for the reader of pages. What follows is its plain text, with everything around it.\n\n';

/** Opens a reader. `log` is told what the libraries write, safe to show. */
export function openPageReader(options: {readonly clock: Clock; readonly log: (text: string) => void}): PageReader {
	const {clock, log} = options;

	const read = async (task: ReaderTask, signal: AbortSignal): Promise<Reading> => {
		const leave = await places.take(signal);
		try {
			const onLine = (line: string) => log(safeText(`page reader: ${line}`, {maximumCharacters: 300}));
			return await readInThread(task, {clock, signal, onLine});
		} finally {
			leave();
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

			throw new Problem('fetch_failed', {message: 'DuckDuckGo gave an answer that cannot be read'});
		},
	};
}

/** Throws `fetch_failed` for what is neither a page nor text. */
function kindOf({contentType}: WebAnswer): 'html' | 'pdf' | 'text' {
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

			throw new Problem('fetch_failed', {message: 'The address answers neither a page nor a PDF nor text'});
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
			return 'The document took too long to read';
		case 'memory':
			return 'The document needs too much memory to be read';
		case 'too_complex':
		case 'fault':
			return 'The document cannot be read';
	}
}
