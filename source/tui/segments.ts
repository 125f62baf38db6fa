import {ownSigns} from './status-words.ts';

/** A sign as a reader counts them, and where it starts. */
type Segment = {readonly segment: string; readonly index: number};

/** Signs that never join with a neighbour and take one cell each: ASCII and those of ours; escapes only join what a terminal does not show. */
const plain = new RegExp(`^[\\u001B\\u0020-\\u007E${ownSigns}]*$`, 'u');
let segmenter: Intl.Segmenter | undefined;

/** Finds signs, as Intl.Segmenter does. That is made when it is first needed: it takes longer than drawing a frame. */
export const lateSegmenter: Pick<Intl.Segmenter, 'segment'> = {
	segment(text) {
		segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
		return segmenter.segment(text);
	},
};

/** Whether each unit of the text is a sign of one cell, but for styles. */
export function isPlain(text: string): boolean {
	return plain.test(text);
}

/** The signs of a text; most lines of a dashboard need no segmenter for that. */
export function segmentsOf(text: string): Iterable<Segment> {
	return isPlain(text) ? Array.from(text, (segment, index) => ({segment, index})) : lateSegmenter.segment(text);
}
