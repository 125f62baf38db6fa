import {z} from 'zod';
import {cutMiddle} from '../../tools/cut-middle.ts';
import {Problem} from '../../util/problem.ts';
import {type BuiltIn} from './built-in-tool.ts';
import {type PageReader} from './page-reader.ts';
import {type WebFetch, webFetch} from './web-fetch.ts';

const inputSchema = {
	type: 'object',
	properties: {url: {type: 'string', maxLength: 4000, description: 'The address, http or https.'}},
	required: ['url'],
	additionalProperties: false,
};

const input = z.object({url: z.string()});

const maxCharacters = 100_000;

const accept = 'text/html, application/xhtml+xml, application/pdf, text/*;q=0.8, application/json;q=0.8';

/** The built-in `web_extract`: the text of a page on the internet; this machine and its networks are never reached. */
export function webExtract({
	fetch = webFetch,
	reader,
}: {
	/** Default: the guarded one. */
	readonly fetch?: WebFetch;
	readonly reader: Pick<PageReader, 'page'>;
}): BuiltIn {
	return {
		name: 'web_extract',
		description: 'Reads a web page, PDF or text file and returns its text as Markdown.',
		inputSchema,
		timeoutSeconds: 30,
		async work(given, {signal}) {
			const {url} = input.parse(given);
			const headers = {accept, 'user-agent': 'Mozilla/5.0 (compatible; Sluice)'};
			const answer = await fetch({url, headers, reach: 'internet', signal});
			if (answer.status !== 200) {
				throw new Problem('fetch_failed', {message: `The address answered ${answer.status}`});
			}

			const {title, text} = await reader.page(answer, signal);
			return cutMiddle(`${title === '' ? '' : `# ${title}\n`}${answer.url}\n\n${text}`, maxCharacters);
		},
	};
}
