import {markdownTokens, type MarkedToken, type Token, type Tokens} from '../util/markdown-tokens.ts';

/** The text format of a platform. `inner`, cells and items are already rendered; everything else is the source text. */
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
	readonly list: (items: readonly ListItem[], list: {readonly start?: number; readonly depth: number}) => string;
	readonly quote: (inner: string) => string;
	/** The dialect inside a quote; absent: the same one. */
	readonly quoted?: Dialect;
	/** Absent: a table becomes a code block. */
	readonly table?: (header: readonly string[], rows: ReadonlyArray<readonly string[]>) => string;
	readonly lineBreak: string;
	/** `source`: a block that would become longer than its source is sent as written, because the platform counts every character. */
	readonly longest?: 'source';
};

/** An item of a list: its marker as written (`-`, `3.`), its text, and the empty lines after it. */
export type ListItem = {readonly marker: string; readonly inner: string; readonly gap: string};

/** Every platform accepts a message of this many bytes. */
const smallestLimit = 1500;

type Rendering = {
	readonly dialect: Dialect;
	/** The number of characters that the message may still grow by. */
	readonly room: {left: number};
};

/** Converts Markdown to a platform's dialect (docs/delivery.md, Markdown). HTML in it is treated as text. */
export function renderMarkdown(markdown: string, dialect: Dialect): string {
	const room = {left: Math.max(0, smallestLimit - Buffer.byteLength(markdown))};
	const rendered = renderBlocks(markdownTokens(markdown.trimEnd()), {dialect, room});
	return rendered + dialect.lineBreak.repeat(newlinesAtEnd(markdown));
}

/** Renders blocks, with the line breaks of the source between them. */
function renderBlocks(tokens: readonly Token[], rendering: Rendering, depth = 0): string {
	const {lineBreak, table} = rendering.dialect;
	let rendered = '';
	let breaks = 0;
	let least = 0;
	for (const token of tokens) {
		if (token.type !== 'space') {
			rendered += lineBreak.repeat(Math.max(breaks, least)) + renderBlock(token, rendering, depth);
			// If tables are elements, so are lists and quotes: they have a margin of their own.
			const isElement = table !== undefined && /^(?:list|blockquote|table)$/u.test(token.type);
			breaks = isElement ? -2 : 0;
			least = isElement || token.type === 'checkbox' ? 0 : 1;
		}

		breaks += newlinesAtEnd(token.raw);
	}

	return rendered;
}

function renderBlock(token: Token, rendering: Rendering, depth: number): string {
	const {dialect} = rendering;
	if (isOf(token, 'paragraph')) return renderInline(token.tokens, dialect);
	if (isOf(token, 'heading')) {
		// A heading is bold already.
		return dialect.heading(renderInline(token.tokens, {...dialect, bold: inner => inner}));
	}

	if (isOf(token, 'code')) return dialect.fence(token.text, languageOf(token.lang ?? ''));
	if (isOf(token, 'list')) {
		const list = renderList(token, rendering, depth);
		return depth > 0 || isShortEnough(list, token.raw, rendering) ? list : renderText(token.raw.trimEnd(), dialect);
	}

	if (isOf(token, 'blockquote')) {
		const inner = renderBlocks(token.tokens, {...rendering, dialect: dialect.quoted ?? dialect});
		const quote = dialect.quote(inner);
		// Platforms refuse a message of nothing but an empty quote.
		const isQuote = inner.trim() !== '' && isShortEnough(quote, token.raw, rendering);
		return isQuote ? quote : renderText(token.raw.trimEnd(), dialect);
	}

	if (isOf(token, 'table')) return renderTable(token, rendering);
	return isOf(token, 'hr') ? dialect.text(token.raw.trimEnd()) : renderInline([token], dialect);
}

function renderList({items, ordered, start}: Tokens.List, rendering: Rendering, depth: number): string {
	const entries = items.map(({raw, tokens}) => ({
		marker: /^\s*([*+-]|\d{1,9}[.)])/u.exec(raw)?.[1] ?? '-',
		inner: renderBlocks(tokens, rendering, depth + 1).trimStart(),
		gap: rendering.dialect.lineBreak.repeat(Math.min(2, newlinesAtEnd(raw))),
	}));
	return rendering.dialect.list(entries, {depth, ...(ordered ? {start: Number(start)} : {})});
}

/** A table as an element, or as text in aligned columns; as written if there is no room for the padding. */
function renderTable({header, rows, raw}: Tokens.Table, rendering: Rendering): string {
	const {dialect} = rendering;
	const cells = (row: readonly Tokens.TableCell[], as: Dialect) => row.map(({tokens}) => renderInline(tokens, as));
	if (dialect.table) {
		return dialect.table(
			cells(header, dialect),
			rows.map(row => cells(row, dialect)),
		);
	}

	const texts = [header, ...rows].map(row => cells(row, {...dialect, ...unformatted}));
	const table = inColumns(texts);
	const fence = dialect.fence(table, '');
	if (fits(`${table}\n\`\`\`\n\`\`\``, raw, rendering)) {
		return fence;
	}

	const source = raw.trimEnd();
	return dialect.longest === 'source' ? renderText(source, dialect) : dialect.fence(source, '');
}

const same = (text: string) => text;

/** Nothing is formatted inside a code block. */
const unformatted = {
	text: same,
	bold: same,
	italic: same,
	strike: same,
	code: same,
	link: (inner: string, address: string) => (inner === address ? address : `${inner} (${address})`),
	lineBreak: ' ',
};

/** Rows of aligned columns, with a line below the first one. */
function inColumns(rows: ReadonlyArray<readonly string[]>): string {
	const length = (text: string) => Array.from(text).length;
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => length(row[column] ?? ''))));
	const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - length(cell));
	const [header, ...others] = rows.map(row => row.map(pad).join(' | ').trimEnd());
	return [header, widths.map(width => '-'.repeat(width)).join('-|-'), ...others].join('\n');
}

function isShortEnough(rendered: string, source: string, rendering: Rendering): boolean {
	return rendering.dialect.longest !== 'source' || fits(rendered, source, rendering);
}

/** True if the message may grow by the difference between this text and its source. */
function fits(rendered: string, source: string, {room}: Rendering): boolean {
	const growth = Math.max(0, rendered.length - source.trimEnd().length);
	if (growth > room.left) {
		return false;
	}

	room.left -= growth;
	return true;
}

function renderInline(tokens: readonly Token[], dialect: Dialect): string {
	return tokens.map(token => renderSpan(token, dialect)).join('');
}

function renderSpan(token: Token, dialect: Dialect): string {
	const inner = () => renderInline(('tokens' in token && token.tokens) || [], dialect);
	if (isOf(token, 'strong')) return dialect.bold(inner());
	if (isOf(token, 'em')) return dialect.italic(inner());
	if (isOf(token, 'del')) return dialect.strike(inner());
	if (isOf(token, 'codespan')) return dialect.code(token.text);
	// The blanks of the next line belong to the break.
	if (isOf(token, 'br')) return dialect.lineBreak + token.raw.slice(token.raw.indexOf('\n') + 1);
	if (isOf(token, 'link') || isOf(token, 'image')) {
		const label = inner();
		return isWebAddress(token.href)
			? dialect.link(label === '' ? dialect.text(token.href) : label, token.href)
			: renderText(token.raw, dialect);
	}

	if (isOf(token, 'text') && token.tokens) return inner();
	return renderText(isOf(token, 'escape') ? token.text : token.raw, dialect);
}

function renderText(text: string, dialect: Dialect): string {
	return dialect.text(text).replaceAll('\n', dialect.lineBreak);
}

/** Anything else (`javascript:`, `tg:`, a relative path) is not a link that outsiders may attach to a word. */
function isWebAddress(address: string): boolean {
	return /^(?:https?:\/\/|mailto:)/iu.test(address) && URL.canParse(address);
}

function languageOf(info: string): string {
	return /^[\w+#.-]{1,30}/u.exec(info)?.[0] ?? '';
}

function newlinesAtEnd(text: string): number {
	let count = 0;
	for (let index = text.length - 1; index >= 0 && /\s/u.test(text[index] ?? ''); index--) {
		count += text[index] === '\n' ? 1 : 0;
	}

	return count;
}

/** The type of tokens lets any object pass for each of them. */
function isOf<Type extends MarkedToken['type']>(token: Token, type: Type): token is Extract<MarkedToken, {type: Type}> {
	return token.type === type;
}
