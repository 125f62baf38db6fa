import stringWidth from 'string-width';
import {createBoundedMap} from '../../util/limits/bounded-map.ts';
import {glyphPlaceholders, uiText, uiGlyphs} from '../../util/characters/ui-glyphs.ts';

const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
const firstAscii = 0x20;
const lastAscii = 0x7e;
const ownCodes = new Set(Array.from(uiGlyphs + glyphPlaceholders, symbol => symbol.charCodeAt(0)));

/**
True if each code unit takes one cell: printable ASCII and our own glyphs, which never combine. Runs several times for each text of a frame; a regular
expression takes four times as long.
*/
function isPlain(text: string): boolean {
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (!(code >= firstAscii && code <= lastAscii) && !ownCodes.has(code)) {
			return false;
		}
	}

	return true;
}

const widths = createBoundedMap<string, number>({max: 5000});
const longestRemembered = 200;

/** Number of cells of the text in a terminal. Cached, because the screen is measured in every frame. */
export function textWidth(text: string): number {
	if (isPlain(text)) {
		return text.length;
	}

	const known = widths.get(text);
	if (known !== undefined) {
		return known;
	}

	const width = stringWidth(text);
	if (text.length <= longestRemembered) {
		widths.set(text, width);
	}

	return width;
}

/** The grapheme clusters of a text. */
export function graphemes(text: string): string[] {
	return isPlain(text) ? text.split('') : Array.from(segmenter.segment(text), part => part.segment);
}

/** The text in at most `width` cells; a cut ends with `…`. Of a long text only the beginning is looked at. */
export function cutToWidth(text: string, width: number): string {
	if (text.length > longestRemembered && width > 1) {
		return lineHead(text, width).length === text.length ? text : uiText`${lineHead(text, width - 1)}…`;
	}

	if (textWidth(text) <= width) {
		return text;
	}

	return width < 1 ? '' : uiText`${headOf(graphemes(text), width - 1).join('')}…`;
}

/** The text in lines of at most `width` cells, broken at blanks if possible, otherwise anywhere. Line breaks in the text are kept. */
export function wrapToWidth(text: string, width: number): string[] {
	return text.split('\n').flatMap(line => wrapLine(line, Math.max(1, width)));
}

function wrapLine(line: string, width: number): string[] {
	const lines: string[] = [];
	let rest = line;
	for (;;) {
		const head = lineHead(rest, width);
		if (head.length === rest.length) {
			return [...lines, rest];
		}

		const end = breakAfter(rest, head);
		lines.push(rest.slice(0, end).trimEnd());
		rest = rest.slice(end);
	}
}

/** The beginning of a text that fits into `width` cells. Only as much as is needed for that is looked at: a long text has many lines. */
function lineHead(text: string, width: number): string {
	for (let units = width * 2; ; units *= 2) {
		const near = graphemes(text.slice(0, units));
		const head = headOf(near, width);
		if (head.length < near.length || units >= text.length) {
			return head.join('');
		}
	}
}

/** The index at which to break a text whose beginning fills the line. A break close to the start would waste the line, so long words are split. */
function breakAfter(text: string, head: string): number {
	if (text[head.length] === ' ') {
		return head.length + 1;
	}

	const blank = head.lastIndexOf(' ');
	return blank > head.length / 2 ? blank + 1 : Math.max(head.length, 1);
}

/** One line in parts of at most `width` cells, with every blank in its place. For exact texts. */
export function splitAtWidth(line: string, width: number): string[] {
	const parts: string[] = [];
	let part = '';
	let used = 0;
	for (const character of graphemes(line)) {
		const cells = textWidth(character);
		// A character wider than the line gets a line of its own.
		if (used + cells > width && part !== '') {
			parts.push(part);
			part = '';
			used = 0;
		}

		part += character;
		used += cells;
	}

	return [...parts, part];
}

/** The first characters that fit into `width` cells. */
function headOf(characters: readonly string[], width: number): string[] {
	const head: string[] = [];
	let used = 0;
	for (const character of characters) {
		used += textWidth(character);
		if (used > width) {
			break;
		}

		head.push(character);
	}

	return head;
}

/**
An exact text (`exactText`) in parts of at most `width` cells, with every blank in its place. Each of its code points takes cells of its own, so
that none has to be measured with its neighbours: a text of megabytes is split while a key is pressed.
*/
export function splitCells(text: string, width: number): readonly string[] {
	const parts: string[] = [];
	if (isPlain(text)) {
		for (let start = 0; start < text.length; start += width) {
			parts.push(text.slice(start, start + width));
		}

		return parts.length === 0 ? [''] : parts;
	}

	let start = 0;
	let end = 0;
	let used = 0;
	for (const character of text) {
		const cells = textWidth(character);
		// A character wider than the line gets a line of its own.
		if (used + cells > width && end > start) {
			parts.push(text.slice(start, end));
			start = end;
			used = 0;
		}

		used += cells;
		end += character.length;
	}

	return [...parts, text.slice(start)];
}
