import {Box} from 'ink';
import {type JSX} from 'react';
import {type Screen} from '../state/screen.ts';
import {type Line} from '../text/span.ts';
import {type ReviewMode} from '../state/review.ts';
import {LinesText} from '../text/line-text.tsx';
import {alwaysPage, cardPage, reviewTitle} from './card-page.ts';
import {reviewLayout, type ReviewView} from './review-layout.ts';
import {ruleLines} from './rule-page.ts';
import {fullLines} from './full-page.ts';

type ReviewOverlayProps = {
	readonly screen: Screen;
	readonly review: ReviewMode;
	/** Rows, without the last line of the screen. */
	readonly height: number;
};

/** One request, alone on the screen. */
export function ReviewOverlay({screen, review, height}: ReviewOverlayProps): JSX.Element {
	const {snapshot, size, now, readOnly} = screen;
	const index = snapshot.approvals.findIndex(row => row.id === review.cardId);
	const card = snapshot.approvals[index];
	if (!card) {
		return <Box width={size.columns} height={height} flexShrink={0} />;
	}

	const layout = reviewLayout(card, size, review.form);
	const place = `${index + 1} of ${snapshot.approvals.length}`;
	const sent = snapshot.hold ? ('after-release' as const) : ('at-once' as const);
	const messages = snapshot.sent.find(({id}) => id === card.id)?.messages ?? [];
	const view = {card, review, layout, place, width: size.columns, now, readOnly, sent, messages};
	const lines = reviewPage(view, screen);
	return <LinesText lines={lines} width={size.columns} height={height} />;
}

/** The screen of a request, line by line, without its last one. */
function reviewPage(view: ReviewView, screen: Screen): readonly Line[] {
	return [reviewTitle(view), ...bodyLines(view, screen)];
}

function bodyLines(view: ReviewView, screen: Screen): readonly Line[] {
	switch (view.review.page) {
		case 'always':
			return alwaysPage(view);
		case 'rule':
			return ruleLines(view, screen);
		case 'full':
			return fullLines(view, screen);
		case 'card':
			return cardPage(view);
	}
}
