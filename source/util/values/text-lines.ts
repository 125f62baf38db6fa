/** The lines of a text without their ends. A text that ends with a line end has no empty line behind that; an empty text has no lines. */
export function* linesIn(text: string): Generator<string> {
	for (let start = 0; start < text.length; ) {
		const end = text.indexOf('\n', start);
		yield text.slice(start, end === -1 ? undefined : end);
		start = end === -1 ? text.length : end + 1;
	}
}

/** The number of lines of a text; counted to one more than `max`. */
export function countLines(text: string, max: number): number {
	let count = 0;
	for (let start = 0; start < text.length && count <= max; count++) {
		const end = text.indexOf('\n', start);
		start = end === -1 ? text.length : end + 1;
	}

	return count;
}

/** `3 lines`; more than `max` are not counted. */
export function linesText(count: number, max = Number.POSITIVE_INFINITY): string {
	const words = (number: number) => `${number.toLocaleString('en-US')} ${number === 1 ? 'line' : 'lines'}`;
	return count > max ? `more than ${words(max)}` : words(count);
}

/** The end of a text; `cut`: the rest was left out, and a sign of ours says so. */
export type TextEnd = 'line-end' | 'no-line-end' | 'cut';

/** Longer than any sign of ours at the end of a text. */
const signCharacters = 100;

/** The end of an exact text (`exactText`). */
export function endOfText(text: string): TextEnd {
	return text.endsWith('\n')
		? 'line-end'
		: /‹[^‹›]* (?:more|not shown)›$/u.test(text.slice(-signCharacters))
			? 'cut'
			: 'no-line-end';
}

/** True if a part of an exact text is cut or masked: a sign of ours stands for it. Escapes are `‹U+202E›`. */
export function hasSign(text: string): boolean {
	return /‹(?!U\+[\dA-F]+›)/u.test(text);
}

/** The signs of a tab and of a blank that nobody would see. `exactText` escapes them where they are in a text. */
const tab = '␉';
const blank = '␠';

/**
A line of an exact text with a sign for each tab, and for each blank at its end, before a carriage return, too. A look behind each blank would take
time that grows with the square of a run.
*/
export function visibleLine(line: string): string {
	const end = line.endsWith('␍') ? line.length - 1 : line.length;
	let start = end;
	while (line[start - 1] === ' ') {
		start--;
	}

	const visible = start === end ? line : line.slice(0, start) + blank.repeat(end - start) + line.slice(end);
	return visible.replaceAll('\t', tab);
}

/** The line before its blanks and tabs got signs. */
export function exactLineOf(visible: string): string {
	return visible.replaceAll(tab, '\t').replaceAll(blank, ' ');
}
