import stringWidth, {type Options} from 'string-width';
import {isPlain} from './segments.ts';

const known = new Map<string, number>();
const knownLimit = 1000;
const styles = /\u001B\[[\d;]*m/gu;

/**
How many cells the text takes in a terminal. Most texts only have to be counted; the widths of the others are remembered, for they are
measured many times in every frame, and most of them again in the next.
*/
export default function knownWidth(text: string, options?: Options): number {
	if (options) {
		return stringWidth(text, options);
	}

	const shown = text.replaceAll(styles, '');
	if (isPlain(shown) && !shown.includes('\u001B')) {
		return shown.length;
	}

	const answer = known.get(text);
	if (answer !== undefined) {
		return answer;
	}

	if (known.size >= knownLimit) {
		known.clear();
	}

	const width = stringWidth(text);
	known.set(text, width);
	return width;
}
