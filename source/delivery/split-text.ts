/** The unit in which a platform counts text. */
export type TextUnit = 'utf16' | 'code-points' | 'bytes';

/** The size limit of one message of a platform. */
export type TextLimit = {readonly unit: TextUnit; readonly maximum: number};

/** More messages than this for one answer would flood a chat. */
const maxParts = 20;

/** Info words of a fence (` ```typescript `) longer than this are not repeated. */
const longestFenceLine = 40;

// Created when a text is first split, because that takes longer than loading the rest of the delivery.
let graphemes: Intl.Segmenter | undefined;

/**
Splits Markdown into parts of at most `limit`: between paragraphs, else lines, else words, never inside a grapheme. A split code fence is closed and
reopened. Text beyond twenty parts is omitted, and the last part says how much.
*/
export function splitText(text: string, limit: TextLimit): readonly string[] {
	const parts: string[] = [];
	let fence: OpenFence | undefined;
	let rest = text;
	while (rest !== '') {
		const prefix = fence ? `${shortFence(fence)}\n` : '';
		if (isWithin(prefix + rest, limit)) {
			parts.push(prefix + rest);
			break;
		}

		if (parts.length === maxParts - 1) {
			parts.push(lastPart(prefix, rest, limit));
			break;
		}

		const closing = `\n${longestMarker(fence, rest)}`;
		const end = findEnd(rest, {...limit, maximum: limit.maximum - size(prefix + closing, limit.unit)});
		const piece = rest.slice(0, end);
		fence = fenceAfter(piece, fence);
		parts.push(`${prefix}${piece.replace(/\n+$/u, '')}${fence ? `\n${fence.marker}` : ''}`);
		rest = rest.slice(end).replace(/^\n+/u, '');
	}

	return parts;
}

/** The last part: the text after nineteen parts, cut. */
function lastPart(prefix: string, rest: string, limit: TextLimit): string {
	const marker = longestMarker(undefined, prefix + rest);
	const room = limit.maximum - size(`${prefix}\n${marker}\n… 999,999,999 more characters left out`, limit.unit);
	const end = findEnd(rest, {...limit, maximum: room});
	const open = fenceAfter(prefix + rest.slice(0, end), undefined);
	const more = (rest.length - end).toLocaleString('en-US');
	return `${prefix}${rest.slice(0, end)}${open ? `\n${open.marker}` : ''}\n… ${more} more characters left out`;
}

/** The place to cut the text so that the part before it fits; never 0. */
function findEnd(text: string, limit: TextLimit): number {
	const most = Math.max(prefixWithin(text, limit), 1);
	const head = text.slice(0, most);
	// A cut in the first third would make many small messages.
	const early = most / 3;
	const paragraph = head.lastIndexOf('\n\n');
	const line = head.lastIndexOf('\n');
	const word = head.lastIndexOf(' ');
	if (paragraph > early) {
		return paragraph + 2;
	}

	if (line > early) {
		return line + 1;
	}

	return word > early ? word + 1 : beforeGrapheme(text, most);
}

/** The start of the grapheme that a cut at `index` would go through, unless it is the whole text. */
function beforeGrapheme(text: string, index: number): number {
	// No grapheme worth keeping whole is longer than this; looking further would make a hostile text expensive.
	const start = Math.max(0, index - 128);
	const near = text.slice(start, index + 128);
	graphemes ??= new Intl.Segmenter('en', {granularity: 'grapheme'});
	const found = graphemes.segment(near).containing(index - start)?.index ?? 0;
	return found === 0 ? index : start + found;
}

/** The number of UTF-16 units of the text that fit; never cut inside a surrogate pair. */
function prefixWithin(text: string, {unit, maximum}: TextLimit): number {
	let used = 0;
	let end = 0;
	while (end < text.length) {
		const code = text.codePointAt(end) ?? 0;
		used += unitsOf(code, unit);
		if (used > maximum) {
			return end;
		}

		end += code > 0xff_ff ? 2 : 1;
	}

	return end;
}

function unitsOf(code: number, unit: TextUnit): number {
	switch (unit) {
		case 'code-points':
			return 1;
		case 'utf16':
			return code > 0xff_ff ? 2 : 1;
		case 'bytes':
			return code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
	}
}

function isWithin(text: string, limit: TextLimit): boolean {
	// No unit counts less than one for two UTF-16 units.
	return text.length <= limit.maximum * 2 && size(text, limit.unit) <= limit.maximum;
}

function size(text: string, unit: TextUnit): number {
	switch (unit) {
		case 'utf16':
			return text.length;
		case 'bytes':
			return Buffer.byteLength(text);
		case 'code-points':
			return Array.from(text).length;
	}
}

function shortFence(fence: OpenFence): string {
	return fence.line.length <= longestFenceLine ? fence.line : fence.marker;
}

/** The longest marker that may have to be closed at a cut. */
function longestMarker(fence: OpenFence | undefined, text: string): string {
	const markers = [...text.slice(0, 200_000).matchAll(/^ {0,3}(`{3,16}|~{3,16})/gmu)].map(match => match[1] ?? '');
	return [fence?.marker ?? '', ...markers].reduce((first, second) => (second.length > first.length ? second : first));
}

/** A code fence that was opened and not closed. */
type OpenFence = {
	/** The closing line: ` ``` `. */
	readonly marker: string;
	/** The line that opened it: ` ```typescript `. */
	readonly line: string;
};

/** A line that may open or close a fence. Markers longer than 16 characters are text. */
const fenceLine = /^ {0,3}(`{3,16}(?!`)|~{3,16}(?!~))(.*)$/u;

/** The fence that is open after a line (CommonMark: a fence is closed by at least as many of the same characters with nothing after them). */
function nextFence(line: string, open: OpenFence | undefined): OpenFence | undefined {
	const match = fenceLine.exec(line);
	const marker = match?.[1] ?? '';
	const info = match?.[2] ?? '';
	if (open) {
		return marker.startsWith(open.marker) && info.trim() === '' ? undefined : open;
	}

	// Backticks behind the opening ones make it inline code.
	return marker === '' || (marker.startsWith('`') && info.includes('`')) ? undefined : {marker, line: line.trim()};
}

/** The fence that is open after a text. */
export function fenceAfter(text: string, open: OpenFence | undefined): OpenFence | undefined {
	return text.split('\n').reduce<OpenFence | undefined>((fence, line) => nextFence(line, fence), open);
}
