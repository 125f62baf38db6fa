import {type TextEnd} from './text-lines.ts';

/** The place of a line: in a text, or in an edit before and after it; `rest`: the line goes on. */
export type LinePlace =
	| {readonly kind: 'text'; readonly line: number}
	| {readonly kind: 'same'; readonly before: number; readonly after: number}
	| {readonly kind: 'removed'; readonly before: number}
	| {readonly kind: 'added'; readonly after: number}
	| {readonly kind: 'rest'; readonly of: Frame};

/** The lines of a text, or of an edit; `digits` of the largest number among them. */
type Frame = {readonly of: 'text' | 'edit'; readonly digits: number};

/** The ends of the text before an edit and of that after it. */
type EditEnds = {readonly before: TextEnd; readonly after: TextEnd};

/** The words and signs around the lines of a text. Numbers of lines come in words: `3 lines`. */
export type Wording = {
	/** Behind the name of a text, or of the first one of an edit. */
	readonly begin: (lines: string) => string;
	readonly beginEdit: (before: string, after: string) => string;
	/** Behind the name of the other text of an edit, which the lines have already. */
	readonly other: (which: 'before' | 'after') => string;
	readonly line: (place: LinePlace, text: string, frame: Frame) => string;
	readonly folded: (lines: string, frame: Frame) => string;
	readonly end: (end: TextEnd | EditEnds, frame: Frame) => string;
};

const endWords = {
	'line-end': 'ends with a line end',
	'no-line-end': 'ends without a line end',
	cut: 'the rest is not shown',
} as const;

function endText(end: TextEnd | EditEnds): string {
	if (typeof end === 'string') {
		return endWords[end];
	}

	const {before, after} = end;
	return before === after
		? endWords[before].replace('ends', 'both end')
		: `before the edit ${endWords[before]}, after it ${endWords[after].replace('ends ', '')}`;
}

/** Cells before the bar of a gutter. */
function gutterCells({of, digits}: Frame): number {
	return of === 'text' ? digits + 1 : 2 * digits + 4;
}

function numbersOf(place: LinePlace, {digits}: Frame): string {
	const padded = (number: number | '') => String(number).padStart(digits);
	switch (place.kind) {
		case 'text':
			return padded(place.line);
		case 'same':
			return `${padded(place.before)} ${padded(place.after)}  `;
		case 'removed':
			return `${padded(place.before)} ${padded('')} -`;
		case 'added':
			return `${padded('')} ${padded(place.after)} +`;
		case 'rest':
			return '…'.padStart(gutterCells(place.of) - 1);
	}
}

/**
For the eye: numbers in a gutter whose bar begins above the first line and ends below the last. No line of JSON is like one of these: behind the indentation and
a name it has a bracket, a quotation mark, a number or a word without a bar.
*/
export const gutterWording: Wording = {
	begin: lines => `┌ ${lines}`,
	beginEdit: (before, after) => `┌ edit, ${before} become ${after}`,
	other: which => `└ the text ${which} the edit, above`,
	line: (place, text, frame) => `${numbersOf(place, frame)} │ ${text}`,
	folded: (lines, frame) => `${' '.repeat(gutterCells(frame))}├ ${lines} unchanged, not shown`,
	end: (end, frame) => `${' '.repeat(gutterCells(frame))}└ ${endText(end)}`,
};

/** The numbers of such a line and the bar behind them. */
export const gutterPattern = /^[ \d+…-]*│ /u;
/** Indentation and name in front of the beginning or end of a text, and that. */
export const framePattern = /^(?<json> *(?:"(?:[^"\\]|\\.)*": )?)(?<words>[┌├└] .*)$/u;

/** For the ear: each line says which one it is, and signs are words. */
export const spokenWording: Wording = {
	begin: lines => `text of ${lines}:`,
	beginEdit: (before, after) => `an edit, ${before} become ${after}:`,
	other: which => `the text ${which} the edit, as above.`,
	line: (place, text) => `${spokenPlace(place)}: ${spokenText(text)}`,
	folded: lines => `${lines} unchanged, not shown.`,
	end: (end, {of}) => `End of the ${of}: ${endText(end)}.`,
};

function spokenPlace(place: LinePlace): string {
	switch (place.kind) {
		case 'text':
			return `line ${place.line}`;
		case 'same':
			return `line ${place.before}, now ${place.after}, unchanged`;
		case 'removed':
			return `line ${place.before}, removed`;
		case 'added':
			return `new line ${place.after}, added`;
		case 'rest':
			return 'the line goes on';
	}
}

const names: Readonly<Record<string, string>> = {'␉': 'tab', '␍': 'carriage return', '␠': 'blank'};

/** Control pictures in words: `‹tab›`, `‹3 blanks›`, others as code points. Words in such brackets are ours: `exactText` escapes the brackets. */
function spokenText(text: string): string {
	return text.replaceAll(/([\u2400-\u2421])\1*/gu, (run: string, sign: string) => {
		const name = names[sign];
		if (name !== undefined) {
			return run.length === 1 ? `‹${name}›` : `‹${run.length} ${name}s›`;
		}

		const code = sign === '␡' ? 0x7f : sign.charCodeAt(0) - 0x24_00;
		return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`.repeat(run.length);
	});
}
