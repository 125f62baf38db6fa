import {Box} from 'ink';
import {type JSX} from 'react';
import {LinesText} from '../text/line-text.tsx';
import {reviewLayout} from './review-layout.ts';
import {reviewPage} from './review-page.ts';
import {type Screen} from '../state/screen.ts';
import {type ReviewMode} from '../state/mode.ts';

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
	const view = {card, review, layout, place, width: size.columns, now};
	const lines = reviewPage(view, screen);
	return <LinesText lines={lines} width={size.columns} height={height} />;
}
