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

/** Opens the tap: `tell` gets safe text, four times a second at most; of a flood only the beginning of each piece is shown. */
export function createTextTap(clock: Clock, tell: (text: string) => void): TextTap {
	let waiting = '';
	let timer: Timer | undefined;
	const flush = () => {
		timer?.cancel();
		timer = undefined;
		if (waiting !== '') {
			tell(safeText(waiting, {maximumCharacters: mostPieceCharacters, multiline: true}));
			waiting = '';
		}
	};

	return {
		flush,
		add(text) {
			waiting += text;
			timer ??= clock.after(everyMilliseconds, flush);
		},
		close() {
			timer?.cancel();
			waiting = '';
		},
	};
}
