import {type Clock, type Timer} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';

/** Passes on what a model says, in pieces that a window can draw. */
export type TextTap = {
	readonly add: (text: string) => void;
	/** Passes on what waits. */
	readonly flush: () => void;
	readonly close: () => void;
};

const everyMilliseconds = 250;
const mostPieceCharacters = 4000;

/** So much may wait for a blank. */
const mostWaitingCharacters = 8000;

/**
Opens the tap: `tell` gets safe text, four times a second at most; of a flood only the beginning of each piece is shown.
Each piece is cleaned of secrets by itself, so the unfinished last word waits for its end.
*/
export function createTextTap(clock: Clock, report: (text: string) => void): TextTap {
	let waiting = '';
	let timer: Timer | undefined;
	const pass = (end: number) => {
		timer?.cancel();
		timer = undefined;
		const piece = waiting.slice(0, end);
		waiting = waiting.slice(end);
		if (piece !== '') {
			report(safeText(piece, {maximumCharacters: mostPieceCharacters, multiline: true}));
		}
	};
	const passWords = () => {
		const words = Math.max(waiting.lastIndexOf(' '), waiting.lastIndexOf('\n')) + 1;
		pass(waiting.length > mostWaitingCharacters ? waiting.length : words);
	};

	return {
		flush: () => pass(waiting.length),
		add(text) {
			waiting += text;
			timer ??= clock.after(everyMilliseconds, passWords);
		},
		close() {
			timer?.cancel();
			waiting = '';
		},
	};
}
