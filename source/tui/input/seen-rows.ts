import {pageRows} from '../text/layout.ts';
import {shownText} from '../pages/shown-text.ts';
import {reviewLayout} from '../approval/review-layout.ts';
import {reviewOf, withReview} from '../approval/review-mode.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {seenWith, wholeSeen} from './whole-keys.ts';

/**
The dashboard once the terminal has said that it shows what is on the screen now: only then do the rows of a request count as seen.
Rows that were jumped over, or scrolled over while the terminal hung, do not.
*/
export function screenSeen(ui: UiState, context: UiContext): UiState {
	const {mode} = ui;
	if (mode.kind === 'proposal') {
		const rows = pageRows(ui.size);
		const last = Math.max(0, shownText(ui, context.snapshot, 0).length - rows);
		const seenLines = seenWith({scroll: Math.min(mode.scroll, last), seenLines: mode.seenLines}, rows);
		return seenLines === mode.seenLines ? ui : withMode(ui, {...mode, seenLines});
	}

	switch (reviewOf(ui)?.page) {
		case 'card':
			return cardSeen(ui, context);
		case 'whole':
			return wholeSeen(ui, context);
		case 'always':
		case undefined:
			return ui;
	}
}

function cardSeen(ui: UiState, {snapshot}: UiContext): UiState {
	const review = reviewOf(ui);
	const card = snapshot.approvals.find(row => row.id === review?.cardId);
	if (!review || !card) {
		return ui;
	}

	const seenLines = seenWith(review, reviewLayout(card, ui.size).contentRows);
	return seenLines === review.seenLines ? ui : withReview(ui, {seenLines});
}
