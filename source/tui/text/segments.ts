import {ownGlyphs, glyphPlaceholders} from './own-glyphs.ts';

/** A character as a reader counts them, and where it starts. */
type Segment = {readonly segment: string; readonly index: number};

const escape = 0x1b;
const firstAscii = 0x20;
const lastAscii = 0x7e;
const ownCodes = new Set(Array.from(ownGlyphs + glyphPlaceholders, symbol => symbol.charCodeAt(0)));
let segmenter: Intl.Segmenter | undefined;

/** Finds characters as Intl.Segmenter does. The segmenter is made when it is first needed: that takes longer than drawing a frame. */
export const lazySegmenter: Pick<Intl.Segmenter, 'segment'> = {
	segment(text) {
		segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
		return segmenter.segment(text);
	},
};

/**
Whether each code unit of the text takes one cell, but for styles: ASCII and our own glyphs never join with a neighbour, and escapes only
join what a terminal does not show. Every character of a frame is asked about several times; a regular expression takes four times as long.
*/
export function isPlain(text: string): boolean {
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		const isAscii = code >= firstAscii && code <= lastAscii;
		if (!isAscii && code !== escape && !ownCodes.has(code)) {
			return false;
		}
	}

	return true;
}

/** The characters of a text; most lines of a dashboard need no segmenter for that. */
export function segmentsOf(text: string): Iterable<Segment> {
	return isPlain(text) ? Array.from(text, (segment, index) => ({segment, index})) : lazySegmenter.segment(text);
}
