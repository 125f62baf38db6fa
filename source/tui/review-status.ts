import {type Screen} from './screen.ts';
import {type Line, span} from './span.ts';
import {type ReviewMode} from './ui-state.ts';

/** The last line of the review screen: whether keys act, and on what. */
export function reviewStatus(screen: Screen, review: ReviewMode): Line {
	if (screen.readOnly) {
		return [span(' read-only', 'busy'), span(' · nothing can be decided in this window · Esc goes back', 'dim')];
	}

	const word = screen.armed ? span(' ready', 'good') : span(' wait ', 'busy');
	const words = review.hint === '' ? usualWords(review) : review.hint;
	return [word, span(` · ${words}`, review.again === undefined ? 'dim' : 'bad')];
}

function usualWords(review: ReviewMode): string {
	return review.page === 'always'
		? 'w stores it · Enter cancels (the default)'
		: `keys act on request #${review.cardId.slice(0, 4)} only · Esc goes back and decides nothing`;
}
