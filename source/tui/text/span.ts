import {glyphs, type Tone} from '../../state/entities/status-text.ts';
import {cutToWidth, textWidth} from './text-width.ts';

/** A piece of a line in one tone. */
export type Span = {
	readonly text: string;
	readonly tone: Tone;
	/** The address that a click in the terminal opens. */
	readonly link?: string;
};

/** One line of the screen, left to right. */
export type Line = readonly Span[];

/** A piece of text; the tone is its meaning, never its look. */
export function span(text: string, tone: Tone = 'normal'): Span {
	return {text, tone};
}

/** Characters of an address that is shown as it is and cannot end a control sequence. */
const plainAddress = /^https?:\/\/[!-~]+$/u;
const longestLink = 2000;

/** A piece of an address: a link to all of it, if it is one of the web and is shown as it is. */
export function addressSpan(text: string, address: string, tone: Tone = 'normal'): Span {
	const isLink = plainAddress.test(address) && address.length <= longestLink && URL.canParse(address);
	return isLink ? {text, tone, link: address} : span(text, tone);
}

/** A column of exactly `width` cells, cut with `…` or filled with blanks: the last cell is always blank, so that columns never touch. */
export function cell(text: string, width: number, tone: Tone = 'normal'): Span {
	const cut = cutToWidth(text, Math.max(0, width - 1));
	return {text: cut + ' '.repeat(Math.max(0, width - textWidth(cut))), tone};
}

/** The line cut to `width` cells. */
export function cutLine(line: Line, width: number): Line {
	const pieces: Span[] = [];
	let left = width;
	for (const piece of line) {
		if (left <= 0) {
			break;
		}

		const text = cutToWidth(piece.text, left);
		left -= textWidth(text);
		pieces.push({...piece, text});
	}

	return pieces;
}

/** The line filled with blanks up to `width` cells, then `right` at its end; the line is cut to fit beside `right`. */
export function lineWithEnd(line: Line, right: Line, width: number): Line {
	const end = cutLine(right, width);
	const room = width - lineWidth(end);
	const start = cutLine(line, room);
	return [...start, span(' '.repeat(room - lineWidth(start))), ...end];
}

/** The line of the picked row: in one tone, over the whole width. Its glyphs and words say what its colours said. */
export function pickedLine(line: Line, width: number): Line {
	return lineWithEnd(line, [], width).map(({text}) => span(text, 'selected'));
}

/** Number of cells of the line. */
export function lineWidth(line: Line): number {
	return line.reduce((sum, piece) => sum + textWidth(piece.text), 0);
}

/** True for a rule, with which a section begins. */
export function isRuleLine(line: Line): boolean {
	return line.length === 3 && line[0]?.text === glyphs.rule;
}

/** A rule across the width that carries a title. */
export function ruleLine(title: string, width: number, tone: Tone = 'dim'): Line {
	const text = title === '' ? '' : ` ${title} `;
	return [
		span(glyphs.rule, 'dim'),
		span(text, tone),
		span(glyphs.rule.repeat(Math.max(0, width - 1 - textWidth(text))), 'dim'),
	];
}
