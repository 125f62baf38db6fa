import {alwaysPage, cardPage} from './card-page.ts';
import {reviewTitle} from './review-lines.ts';
import {type ReviewView} from './review-view.ts';
import {type Screen} from '../state/screen.ts';
import {type Line} from '../text/span.ts';
import {wholeLines} from './whole-lines.ts';

/** The screen of a request, line by line, without its last one. */
export function reviewPage(view: ReviewView, screen: Screen): readonly Line[] {
	return [reviewTitle(view), ...bodyLines(view, screen)];
}

function bodyLines(view: ReviewView, screen: Screen): readonly Line[] {
	switch (view.review.page) {
		case 'always':
			return alwaysPage(view);
		case 'whole':
			return wholeLines(view, screen);
		case 'card':
			return cardPage(view);
	}
}
