import {type Tone} from '../../state/entities/status-text.ts';
import {loadOnce} from '../../util/lazy.ts';
import {type MarkedToken, type Token, type Tokens} from '../../util/markdown-tokens.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {jsonSpans} from './json-lines.ts';
import {type Line, lineWidth, ruleLine, type Span, span} from './span.ts';
import {splitSpans, wrapSpans} from './split-spans.ts';
import {splitAtWidth, wrapToWidth} from './text-width.ts';

/** The parser of Markdown. The first frame does not wait for it. */
let markdownTokens: ((markdown: string) => readonly Token[]) | undefined;
const listeners = new Set<() => void>();

/** Loads what reads Markdown, once. */
export const {use: loadMarkdown} = loadOnce(async () => {
	({markdownTokens} = await import('../../util/markdown-tokens.ts'));
	listeners.forEach(listener => listener());
});

/** State of the text: with marks, or parsed. Cached lines are valid for one of the two. */
export type MarkdownState = 'with marks' | 'read';

export function markdownState(): MarkdownState {
	return markdownTokens ? 'read' : 'with marks';
}

/** Calls the listener once texts are drawn as Markdown. The returned function ends that. */
export function onMarkdownLoaded(listener: () => void): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}

/**
A Markdown text, indented by a cell. Nothing of it is left out but the marks themselves; HTML in it is text. The first text loads what reads it, and is
drawn with its marks until then.
*/
export function markdownLines(markdown: string, width: number): readonly Line[] {
	if (markdown === '') {
		return [];
	}

	if (!markdownTokens) {
		// If it cannot be loaded, the marks remain.
		void loadMarkdown().catch(() => undefined);
		return wrapToWidth(markdown, width - 2).map((line): Line => [span(` ${line}`)]);
	}

	const known = made.find(entry => entry.markdown === markdown && entry.width === width);
	if (known) {
		return known.lines;
	}

	const lines = blockLines(markdownTokens(markdown), width - 2).map((line): Line => [span(' '), ...line]);
	made.unshift({markdown, width, lines});
	made.length = Math.min(made.length, maxMade);
	return lines;
}

/** A text is drawn many times before it changes. */
const made: Array<{readonly markdown: string; readonly width: number; readonly lines: readonly Line[]}> = [];
const maxMade = 8;

function blockLines(tokens: readonly Token[], width: number): readonly Line[] {
	const lines: Line[] = [];
	for (const token of tokens) {
		const isBlank = lines.length === 0 || lines.at(-1)?.length === 0;
		if (isOf(token, 'space')) {
			lines.push(...(isBlank ? [] : [[]]));
		} else {
			lines.push(...blockOf(token, Math.max(4, width)));
		}
	}

	return lines;
}

function blockOf(token: Token, width: number): readonly Line[] {
	if (isOf(token, 'heading')) {
		return wrapped(inline(token.tokens, 'strong'), width);
	}

	if (isOf(token, 'paragraph')) {
		return wrapped(inline(token.tokens), width);
	}

	if (isOf(token, 'code')) {
		return token.text.split('\n').flatMap(line => codeLines(line, width));
	}

	if (isOf(token, 'list')) {
		return listLines(token, width);
	}

	if (isOf(token, 'blockquote')) {
		return blockLines(token.tokens, width - 2).map(line => [span(uiText`│ `, 'dim'), ...line]);
	}

	if (isOf(token, 'table')) {
		return tableLines(token, width);
	}

	return isOf(token, 'hr') ? [ruleLine('', width)] : wrapped(inline([token]), width);
}

function codeLines(line: string, width: number): readonly Line[] {
	return splitSpans(jsonSpans(line), splitAtWidth(line, width - 2)).map(part => [span('  '), ...part]);
}

function listLines({items, ordered, start}: Tokens.List, width: number): readonly Line[] {
	return items.flatMap((item, index) => {
		const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
		const mark = `${ordered ? `${Number(start) + index}.` : '-'} ${box}`;
		const cells = Math.min(mark.length, Math.floor(width / 2));
		return blockLines(
			item.tokens.filter(({type}) => type !== 'checkbox'),
			width - cells,
		).map((line, row): Line => [span(row === 0 ? mark : ' '.repeat(cells), 'dim'), ...line]);
	});
}

/** Columns where they fit, else a line for each row. */
function tableLines({header, rows}: Tokens.Table, width: number): readonly Line[] {
	const texts = [header, ...rows].map(row => row.map(({tokens}) => inline(tokens)));
	const widths = header.map((_, column) => Math.max(...texts.map(row => lineWidth(row[column] ?? []))));
	const isWide = widths.reduce((sum, cells) => sum + cells + 3, 0) > width;
	const drawn = texts.map((row, index) =>
		row.flatMap(
			(cell, column): Line => [
				...(column === 0 ? [] : [span(uiText` │ `, 'dim')]),
				...(index === 0 ? cell.map(({text}) => span(text, 'strong')) : cell),
				span(isWide ? '' : ' '.repeat((widths[column] ?? 0) - lineWidth(cell))),
			],
		),
	);
	return drawn.flatMap((line, index) => [...wrapped(line, width), ...(index === 0 ? [ruleLine('', width)] : [])]);
}

/** The pieces of a paragraph; a line break in it is one on the screen too. */
function inline(tokens: readonly Token[], tone: Tone = 'normal'): readonly Span[] {
	return tokens.flatMap(token => inlineOf(token, tone));
}

function inlineOf(token: Token, tone: Tone): readonly Span[] {
	const inner = 'tokens' in token ? token.tokens : undefined;
	if (isOf(token, 'strong')) return inline(token.tokens, 'strong');
	if (isOf(token, 'em')) return inline(token.tokens, tone === 'normal' ? 'emphasis' : tone);
	if (isOf(token, 'codespan')) return [span(token.text, 'string')];
	if (isOf(token, 'br')) return [span('\n')];
	if (isOf(token, 'link') || isOf(token, 'image')) {
		// The address of a link is never hidden behind its words.
		const label = token.text === '' ? token.href : token.text;
		return [span(label, 'link'), ...(label === token.href ? [] : [span(` (${token.href})`, 'dim')])];
	}

	if (isOf(token, 'text') && inner) return inline(inner, tone);
	return [span(isOf(token, 'escape') ? token.text : token.raw, tone)];
}

function wrapped(spans: readonly Span[], width: number): readonly Line[] {
	return wrapSpans(spans, width);
}

/** The type of tokens lets any object pass for each of them. */
function isOf<Type extends MarkedToken['type']>(token: Token, type: Type): token is Extract<MarkedToken, {type: Type}> {
	return token.type === type;
}
