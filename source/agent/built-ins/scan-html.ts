/** The result of scanning a page once: its plain text, and how much work the full parser would have. */
export type HtmlScan = {
	readonly title: string;
	readonly text: string;
	/** The nesting depth of its elements; counting ends one past `maxDepth`. */
	readonly depth: number;
	/** Tags, comments, character references and stray `<`: each may become a node of the document. */
	readonly pieces: number;
};

/** Deeper than pages written by people, and a depth at which the parser is still fast. */
export const maxDepth = 200;

type Tag =
	| {readonly kind: 'open' | 'close'; readonly name: string; readonly end: number; readonly closesItself: boolean}
	| {readonly kind: 'other'; readonly end: number};

/** Scans HTML in one pass, in time and memory linear in its length. Never throws. Pure. */
export function scanHtml(html: string): HtmlScan {
	const text = openPlainText();
	const nesting = openNesting();
	let title = '';
	let pieces = 0;
	let at = 0;
	while (at < html.length) {
		const open = indexOfMatch(tagStart, html, at);
		const between = html.slice(at, open);
		text.add(between);
		pieces += countOf('&', between) + countOf('<', between);
		if (open === html.length) {
			break;
		}

		pieces++;
		const tag = readTag(html, open);
		at = tag.end;
		if (tag.kind !== 'other') {
			if (!inline.has(tag.name)) {
				text.breakLine();
			}

			const rawEnd = tag.kind === 'open' ? rawTexts.get(tag.name) : undefined;
			if (rawEnd) {
				at = indexOfMatch(rawEnd, html, at);
				title ||= tag.name === 'title' ? decode(html.slice(tag.end, at)).replaceAll(/\s+/gu, ' ').trim() : '';
			} else {
				nesting.pass(tag);
			}
		}
	}

	return {title, text: text.whole(), depth: nesting.depth(), pieces};
}

function readTag(html: string, open: number): Tag {
	if (html.startsWith('<!--', open)) {
		return {kind: 'other', end: endOf('-->', html, open + 4)};
	}

	if (html[open + 1] === '!' || html[open + 1] === '?') {
		return {kind: 'other', end: endOf('>', html, open)};
	}

	const kind = html[open + 1] === '/' ? 'close' : 'open';
	const start = open + (kind === 'close' ? 2 : 1);
	const name = html.slice(start, indexOfMatch(nameEnd, html, start)).toLowerCase();
	const end = kind === 'close' ? endOf('>', html, start) : endOfAttributes(html, start);
	return {kind, name, end, closesItself: html.startsWith('/>', end - 2)};
}

/** The index after the `>` that ends a tag; one inside a quoted value does not. */
function endOfAttributes(html: string, start: number): number {
	let quote = '';
	let before = '';
	for (let at = start; at < html.length; at++) {
		const sign = html[at] ?? '';
		if (quote !== '') {
			quote = sign === quote ? '' : quote;
		} else if (sign === '>') {
			return at + 1;
		} else if (before === '=' && (sign === '"' || sign === "'")) {
			quote = sign;
		}

		before = sign.trim() === '' ? before : sign;
	}

	return html.length;
}

function endOf(mark: string, html: string, from: number): number {
	const at = html.indexOf(mark, from);
	return at === -1 ? html.length : at + mark.length;
}

function indexOfMatch(global: RegExp, text: string, from: number): number {
	global.lastIndex = from;
	return global.exec(text)?.index ?? text.length;
}

function countOf(sign: string, text: string): number {
	let count = 0;
	for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
		count++;
	}

	return count;
}

/** Any other `<` is text. */
const tagStart = /<(?:\/?[a-z]|[!?])/giu;
const nameEnd = /[\s/>]/gu;

/** Elements whose content is not markup, and their end tags. */
const rawTexts = new Map([
	['script', /<\/script/giu],
	['style', /<\/style/giu],
	['title', /<\/title/giu],
	['textarea', /<\/textarea/giu],
	['iframe', /<\/iframe/giu],
	['noembed', /<\/noembed/giu],
	['noframes', /<\/noframes/giu],
	['xmp', /<\/xmp/giu],
]);

const inline = new Set(
	'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
		' ',
	),
);

const voids = new Set(
	'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
		' ',
	),
);

/** Start tags, and the open elements that they implicitly close when innermost. */
const impliedEnds = new Map(
	[
		[
			'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul',
			'p',
		],
		['select input output button datalist textarea', 'input option optgroup select button datalist textarea'],
		['dd dt', 'dd dt'],
		['rt rp', 'rt rp'],
		['tbody tfoot', 'thead tbody'],
		['tr', 'tr th td'],
		['th', 'th'],
		['td', 'thead th td'],
		['li', 'li'],
		['option', 'option'],
		['optgroup', 'optgroup option'],
		['body', 'head link script'],
	].flatMap(([starts = '', ended = '']) => starts.split(' ').map(name => [name, ended.split(' ')] as const)),
);

/** Tracks the open elements like the parser; never holds more than `maxDepth` of them and one. */
function openNesting() {
	const open: string[] = [];
	let depth = 0;
	let drawings = 0;

	const close = (length: number) => {
		drawings -= open.slice(length).filter(isDrawing).length;
		open.length = length;
	};

	return {
		depth: () => depth,
		pass({kind, name, closesItself}: Extract<Tag, {readonly kind: 'open' | 'close'}>) {
			if (depth > maxDepth) {
				return;
			}

			if (kind === 'close') {
				const at = open.lastIndexOf(name);
				close(at === -1 ? open.length : at);
				return;
			}

			const ended = impliedEnds.get(name) ?? [];
			while (ended.includes(open.at(-1) ?? '')) {
				close(open.length - 1);
			}

			// Only in SVG and MathML can a tag close itself.
			if (!voids.has(name) && !(closesItself && drawings > 0)) {
				open.push(name);
				drawings += Number(isDrawing(name));
				depth = Math.max(depth, open.length);
			}
		},
	};
}

function isDrawing(name: string): boolean {
	return name === 'svg' || name === 'math';
}

/** Collects text as a browser would render it: adjacent blanks are one, blocks start new lines. */
function openPlainText() {
	const parts: string[] = [];
	let gap = '';
	return {
		add(raw: string) {
			const words = decode(raw).replaceAll(/\s+/gu, ' ');
			const trimmed = words.trim();
			if (words.startsWith(' ')) {
				gap ||= ' ';
			}

			if (trimmed !== '') {
				parts.push(parts.length === 0 ? '' : gap, trimmed);
				gap = words.endsWith(' ') ? ' ' : '';
			}
		},
		breakLine() {
			gap = '\n';
		},
		whole: () => parts.join(''),
	};
}

const named: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' '};

/** The few character references that plain text needs; others stay as written. */
function decode(text: string): string {
	return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp);?/giu, (whole, written: string) => {
		const name = written.toLowerCase();
		if (!name.startsWith('#')) {
			return named[name] ?? whole;
		}

		const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
		return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
	});
}
