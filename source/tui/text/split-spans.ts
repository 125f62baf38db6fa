import {type Line, type Span} from './span.ts';
import {wrapToWidth} from './text-width.ts';

/** A line in parts that follow one another in its text, each with the tones it has there; what lies between two parts is left out. */
export function splitSpans(line: Line, parts: readonly string[]): readonly Line[] {
	const text = line.map(piece => piece.text).join('');
	const pieces = createReader(line);
	let at = 0;
	return parts.map(part => {
		const start = text.indexOf(part, at);
		pieces.take(start - at);
		at = start + part.length;
		return pieces.take(part.length);
	});
}

/** A line of prose in lines of at most `width` cells, broken at blanks. */
export function wrapSpans(line: Line, width: number): readonly Line[] {
	return splitSpans(line, wrapToWidth(line.map(({text}) => text).join(''), width));
}

/** Takes the characters of a line one after the other. */
function createReader(line: Line): {readonly take: (count: number) => Span[]} {
	let index = 0;
	let used = 0;
	return {
		take(count) {
			const taken: Span[] = [];
			let left = count;
			for (let piece = line[index]; left > 0 && piece !== undefined; piece = line[index]) {
				const text = piece.text.slice(used, used + left);
				left -= text.length;
				used += text.length;
				taken.push({text, tone: piece.tone});
				if (used === piece.text.length) {
					index++;
					used = 0;
				}
			}

			return taken;
		},
	};
}
