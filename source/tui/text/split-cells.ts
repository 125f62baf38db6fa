import {textWidth} from './text-width.ts';

const plain = /^[\u0020-\u007E]*$/u;
const widths = new Map<string, number>();
const mostWidths = 20_000;

/**
An exact text (`exactText`) in parts of at most `width` cells, with every blank in its place. Each of its code points takes cells of its own, so
that none has to be looked at together with its neighbours: a text of megabytes is split while a key is pressed.
*/
export function splitCells(text: string, width: number): readonly string[] {
	const parts: string[] = [];
	if (plain.test(text)) {
		for (let start = 0; start < text.length; start += width) {
			parts.push(text.slice(start, start + width));
		}

		return parts.length === 0 ? [''] : parts;
	}

	let start = 0;
	let end = 0;
	let used = 0;
	for (const character of text) {
		const cells = widthOf(character);
		// A sign wider than the line goes on its own.
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

function widthOf(character: string): number {
	const known = widths.get(character);
	if (known !== undefined) {
		return known;
	}

	if (widths.size >= mostWidths) {
		widths.clear();
	}

	const width = textWidth(character);
	widths.set(character, width);
	return width;
}
