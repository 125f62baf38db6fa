/** How a platform formats text. `inner` is rendered already; everything else is as it was written. */
export type Dialect = {
	/** Escapes plain text. */
	readonly text: (text: string) => string;
	readonly bold: (inner: string) => string;
	readonly italic: (inner: string) => string;
	readonly strike: (inner: string) => string;
	readonly code: (code: string) => string;
	readonly fence: (code: string, language: string) => string;
	readonly link: (inner: string, address: string) => string;
	readonly heading: (inner: string) => string;
	readonly lineBreak: string;
};

/** What formats inside a line. Spans are bounded, so that a hostile line cannot make the search quadratic. */
const inline = new RegExp(
	[
		/\\(?<escaped>[\\`*_{}[\]()#+\-.!~>|])/u,
		/(?<ticks>`{1,4})(?!`)(?<code>[^\n]{1,1000}?)(?<!`)\k<ticks>(?!`)/u,
		/!?\[(?<label>[^[\]\n]{1,300})\]\((?<address>[^\s()<>]{1,2000})\)/u,
		/\*\*(?=\S)(?<bold>[^\n]{1,1000}?)(?<=\S)\*\*/u,
		/(?<![\p{L}\p{N}])__(?=\S)(?<strong>[^\n]{1,1000}?)(?<=\S)__(?![\p{L}\p{N}])/u,
		/~~(?=\S)(?<strike>[^\n]{1,1000}?)(?<=\S)~~/u,
		/\*(?=[^\s*])(?<italic>[^\n*]{1,1000}?)(?<=\S)\*/u,
		/(?<![\p{L}\p{N}_])_(?=[^\s_])(?<emphasis>[^\n_]{1,1000}?)(?<=\S)_(?![\p{L}\p{N}_])/u,
	]
		.map(({source}) => source)
		.join('|'),
	'gu',
);

const deepestNesting = 4;

/** Turns Markdown (fences, headings, bold, italic, strike, code, links) into a platform's dialect. Lists, quotes and tables stay as they are written. */
export function renderMarkdown(markdown: string, dialect: Dialect): string {
	const rendered: string[] = [];
	let fence: OpenFence | undefined;
	let code: string[] = [];
	const endFence = (language: string) => {
		rendered.push(dialect.fence(code.join('\n'), language));
		code = [];
	};

	for (const line of markdown.split('\n')) {
		const next = nextFence(line, fence);
		if (fence && next) {
			code.push(line);
		} else if (fence) {
			endFence(languageOf(fence));
		} else if (!next) {
			rendered.push(renderLine(line, dialect));
		}

		fence = next;
	}

	if (fence) {
		endFence(languageOf(fence));
	}

	return rendered.join(dialect.lineBreak);
}

function languageOf({line, marker}: OpenFence): string {
	return /^[\w+#.-]{1,30}/u.exec(line.slice(marker.length).trim())?.[0] ?? '';
}

function renderLine(line: string, dialect: Dialect): string {
	const heading = headingOf(line);
	return heading === undefined ? renderInline(line, dialect) : dialect.heading(renderInline(heading, dialect));
}

/** The text of a heading without its markers. By hand: an expression for both ends would try every split of a row of blanks. */
function headingOf(line: string): string | undefined {
	const marker = /^ {0,3}#{1,6}(?=\s)/u.exec(line)?.[0];
	if (marker === undefined || /[\r\u2028\u2029]/u.test(line)) {
		return undefined;
	}

	const text = line.slice(marker.length).trim();
	let end = text.length;
	while (text[end - 1] === '#') {
		end--;
	}

	return text.slice(0, end).trimEnd();
}

function renderInline(text: string, dialect: Dialect, depth = 0): string {
	if (depth > deepestNesting) {
		return dialect.text(text);
	}

	let rendered = '';
	let end = 0;
	for (const match of text.matchAll(inline)) {
		rendered += dialect.text(text.slice(end, match.index)) + renderSpan(match, dialect, depth + 1);
		end = match.index + match[0].length;
	}

	return rendered + dialect.text(text.slice(end));
}

function renderSpan(match: RegExpExecArray, dialect: Dialect, depth: number): string {
	const {escaped, code, label, address, bold, strong, strike, italic, emphasis} = match.groups ?? {};
	const inner = (text: string) => renderInline(text, dialect, depth);
	if (escaped !== undefined) return dialect.text(escaped);
	if (code !== undefined) return dialect.code(code);
	if (label !== undefined && address !== undefined) {
		return isWebAddress(address) ? dialect.link(inner(label), address) : dialect.text(match[0]);
	}

	const strongest = bold ?? strong;
	if (strongest !== undefined) return dialect.bold(inner(strongest));
	if (strike !== undefined) return dialect.strike(inner(strike));
	return dialect.italic(inner(italic ?? emphasis ?? ''));
}

/** Anything else (`javascript:`, `tg:`, a relative path) is not a link that outsiders may attach to a word. */
function isWebAddress(address: string): boolean {
	return /^(?:https?:\/\/|mailto:)/iu.test(address) && URL.canParse(address);
}

/** A code fence that was opened and not closed. */
export type OpenFence = {
	/** What closes it: ` ``` `. */
	readonly marker: string;
	/** The line that opened it: ` ```typescript `. */
	readonly line: string;
};

/** A line that may open or close a fence. Markers longer than 16 characters are text. */
const fenceLine = /^ {0,3}(`{3,16}(?!`)|~{3,16}(?!~))(.*)$/u;

/** The fence that is open after a line (CommonMark: a fence is closed by at least as many of the same characters with nothing after them). */
function nextFence(line: string, open: OpenFence | undefined): OpenFence | undefined {
	const match = fenceLine.exec(line);
	const marker = match?.[1] ?? '';
	const info = match?.[2] ?? '';
	if (open) {
		return marker.startsWith(open.marker) && info.trim() === '' ? undefined : open;
	}

	// Backticks behind the opening ones make it inline code.
	return marker === '' || (marker.startsWith('`') && info.includes('`')) ? undefined : {marker, line: line.trim()};
}

/** The fence that is open after a text. */
export function fenceAfter(text: string, open: OpenFence | undefined): OpenFence | undefined {
	return text.split('\n').reduce<OpenFence | undefined>((fence, line) => nextFence(line, fence), open);
}
