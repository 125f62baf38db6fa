import stringWidth, {type Options} from 'string-width';
import {isPlain} from './segments.ts';

const known = new Map<string, number>();
const knownLimit = 1000;
const styles = /\u001B\[[\d;]*m/gu;

/**
How many cells the text takes in a terminal. The same texts are measured many times in every frame, and most of them again in the next, so
the answers are kept.
*/
export default function knownWidth(text: string, options?: Options): number {
	if (options) {
		return stringWidth(text, options);
	}

	const answer = known.get(text);
	if (answer !== undefined) {
		return answer;
	}

	if (known.size >= knownLimit) {
		known.clear();
	}

	const shown = text.replaceAll(styles, '');
	const width = isPlain(shown) && !shown.includes('\u001B') ? shown.length : stringWidth(text);
	known.set(text, width);
	return width;
}
