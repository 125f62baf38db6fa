import {type Clock, type Timer} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';

/** Reports the text of a model in parts that a dashboard can render. */
export type TextThrottle = {
	readonly add: (text: string) => void;
	/** Reports the pending text. */
	readonly flush: () => void;
	readonly close: () => void;
};

const everyMilliseconds = 250;
const maxPieceCharacters = 4000;

/** The maximum of text that waits for a blank. */
const maxWaitingCharacters = 8000;

/**
Creates the throttle: `report` gets safe text at most four times a second; a long part is cut.
Secrets are removed from each part separately, so an unfinished last word waits for its end.
*/
export function createTextThrottle(clock: Clock, report: (text: string) => void): TextThrottle {
	let waiting = '';
	let timer: Timer | undefined;
	const reportUntil = (end: number) => {
		timer?.cancel();
		timer = undefined;
		const piece = waiting.slice(0, end);
		waiting = waiting.slice(end);
		if (piece !== '') {
			report(safeText(piece, {maximumCharacters: maxPieceCharacters, multiline: true}));
		}
	};
	const reportWords = () => {
		const words = Math.max(waiting.lastIndexOf(' '), waiting.lastIndexOf('\n')) + 1;
		reportUntil(waiting.length > maxWaitingCharacters ? waiting.length : words);
	};

	return {
		flush: () => reportUntil(waiting.length),
		add(text) {
			waiting += text;
			timer ??= clock.after(everyMilliseconds, reportWords);
		},
		close() {
			timer?.cancel();
			waiting = '';
		},
	};
}
