import {type ReviewMode} from './mode.ts';
import {type Screen} from './screen.ts';
import {type Line, span} from './span.ts';

/** The last line of the review screen: whether keys act, and on what. */
export function reviewStatus(screen: Screen, review: ReviewMode): Line {
	return statusLine(screen, {hint: review.hint, usual: usualWords(review), urgent: review.again !== undefined});
}

/** Whether deciding keys act now, and what they do or what was asked of the last one. */
export function statusLine(
	screen: Pick<Screen, 'readOnly' | 'armed'>,
	words: {readonly hint: string; readonly usual: string; readonly urgent: boolean},
): Line {
	if (screen.readOnly) {
		return [span(' read-only', 'busy'), span(' · nothing can be decided in this window · Esc goes back', 'dim')];
	}

	const word = screen.armed ? span(' ready', 'good') : span(' wait ', 'busy');
	return [word, span(` · ${words.hint || words.usual}`, words.urgent ? 'bad' : 'dim')];
}

function usualWords(review: ReviewMode): string {
	return review.page === 'always'
		? 'w stores it · Enter cancels (the default)'
		: `keys act on request #${review.cardId.slice(0, 4)} only · Esc goes back and decides nothing`;
}
