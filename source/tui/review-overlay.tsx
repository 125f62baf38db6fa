import {Box} from 'ink';
import {type JSX} from 'react';
import {answerLines} from './answer-lines.ts';
import {LinesText} from './lines-text.tsx';
import {reviewLayout} from './review-layout.ts';
import {argumentsRule, type ReviewView, reviewTitle, whoLines} from './review-lines.ts';
import {ruleLine} from './rule-line.ts';
import {type Screen} from './screen.ts';
import {type Line} from './span.ts';
import {type ReviewMode} from './mode.ts';

type ReviewOverlayProps = {
	readonly screen: Screen;
	readonly review: ReviewMode;
	/** Rows, without the last line of the screen. */
	readonly height: number;
};

/** One request, alone on the screen. */
export function ReviewOverlay({screen, review, height}: ReviewOverlayProps): JSX.Element {
	const {snapshot, size, now} = screen;
	const index = snapshot.approvals.findIndex(row => row.id === review.cardId);
	const card = snapshot.approvals[index];
	if (!card) {
		return <Box width={size.columns} height={height} flexShrink={0} />;
	}

	const layout = reviewLayout(card, size);
	const place = `${index + 1} of ${snapshot.approvals.length}`;
	const view: ReviewView = {card, review, layout, place, width: size.columns, now};
	const body = review.page === 'always' ? alwaysPage(view) : [...whoLines(view), ...cardPage(view)];
	const lines = [reviewTitle(view), ...body];
	return <LinesText lines={lines} width={size.columns} height={height} />;
}

function cardPage(view: ReviewView): readonly Line[] {
	const {content, contentRows} = view.layout;
	const shown = content.lines.slice(view.review.scroll, view.review.scroll + contentRows);
	const blank = Array.from({length: contentRows - shown.length}, (): Line => []);
	return [argumentsRule(view), ...shown, ...blank, ...answerLines(view.card.kind, view.layout.compact)];
}

function alwaysPage(view: ReviewView): readonly Line[] {
	const {layout, width} = view;
	const who = layout.compact ? [] : whoLines(view);
	return [...who, ruleLine('always allow this tool', width, 'strong'), ...(layout.alwaysPage ?? [])];
}
