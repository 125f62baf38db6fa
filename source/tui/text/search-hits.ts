import {uiGlyphPattern} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from './span.ts';

/** Words that were searched for in a text, the rows that hold them, and the place of the shown one among these. */
export type Found = {readonly words: string; readonly rows: readonly number[]; readonly at: number};

const maxRows = 1000;
const longestWords = 200;

/** The rows in which the words begin, letters of both cases alike; words that a line break divides are found too. */
export function hitRows(words: string, lines: readonly Line[]): readonly number[] {
	const starts: number[] = [];
	let text = '';
	for (const line of lines) {
		starts.push(text.length);
		text += `${contentOf(line)}\n`;
	}

	const rows: number[] = [];
	for (const {index} of text.matchAll(patternOf(words, String.raw`\n?`))) {
		const row = rowAt(starts, index);
		if (rows.at(-1) !== row) {
			rows.push(row);
		}

		if (rows.length === maxRows) {
			break;
		}
	}

	return rows;
}

/** The text of a line without margins and our own marks. */
function contentOf(line: Line): string {
	return line
		.map(({text}) => text)
		.join('')
		.replaceAll(uiGlyphPattern, '')
		.trim();
}

/** The words as they are, with something optional between any two characters, and blanks of any number. */
function patternOf(words: string, between: string): RegExp {
	const parts = Array.from(words.slice(0, longestWords).trim()).map(character =>
		/\s/u.test(character) ? String.raw`\s+` : character.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`),
	);
	return new RegExp(parts.join(between), 'giu');
}

/** The last row that starts at or before a place. */
function rowAt(starts: readonly number[], place: number): number {
	let low = 0;
	let high = starts.length - 1;
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((starts[middle] ?? 0) <= place) {
			low = middle;
		} else {
			high = middle - 1;
		}
	}

	return low;
}

/** `2 of 7 words`, or that there are none. */
export function foundText({words, rows, at}: Found): string {
	return rows.length === 0 ? `no ${words}` : `${at + 1} of ${rows.length} ${words}`;
}

/** Rows from `first` on, as they are drawn while a search is open: the present hit is highlighted. */
export function withHit(lines: readonly Line[], first: number, found: Found | undefined): readonly Line[] {
	const hit = found?.rows[found.at];
	return lines.map((line, index) => (first + index === hit ? line.map(({text}) => span(text, 'selected')) : line));
}

/** The found rows with the next hit: from `scroll` on, or before or after the last one, around the ends. */
export function foundFrom(
	{words, lines}: {readonly words: string; readonly lines: readonly Line[]},
	from: {readonly scroll: number} | {readonly last: Found; readonly distance: 1 | -1},
): Found {
	const rows = hitRows(words, lines);
	const next = 'scroll' in from ? rows.findIndex(row => row >= from.scroll) : stepFrom(rows, from.last, from.distance);
	return {words, rows, at: Math.max(0, next)};
}

/** Rows may have come or gone since the last hit. */
function stepFrom(rows: readonly number[], last: Found, distance: 1 | -1): number {
	const row = last.rows[last.at] ?? 0;
	const after = rows.findIndex(candidate => candidate > row);
	const before = rows.findLastIndex(candidate => candidate < row);
	return distance === 1 ? after : before === -1 ? rows.length - 1 : before;
}
