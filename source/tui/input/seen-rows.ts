import {reviewLayout} from '../approval/review-layout.ts';
import {reviewedFull, fullRows} from '../approval/full-page.ts';
import {shownText} from '../pages/shown-text.ts';
import {reviewOf, type UiContext, type UiState, withMode, withReview} from '../state/ui-state.ts';
import {readableRows} from '../components/toast-lines.ts';

/**
The dashboard once the terminal has reported that it shows what is on the screen now: only then do the rows of a request count as seen.
Rows that were jumped over, or scrolled over while the terminal hung, do not.
*/
export function screenSeen(ui: UiState, context: UiContext): UiState {
	if (ui.mode.kind === 'proposal') {
		return proposalSeen(ui, context);
	}

	switch (reviewOf(ui)?.page) {
		case 'card':
			return cardSeen(ui, context);
		case 'full':
			return fullSeen(ui, context);
		case 'always':
		case 'rule':
		case undefined:
			return ui;
	}
}

function proposalSeen(ui: UiState, context: UiContext): UiState {
	const {mode} = ui;
	if (mode.kind !== 'proposal') {
		return ui;
	}

	const rows = readableRows(ui);
	const last = Math.max(0, shownText(ui, context, 0).length - rows);
	const seenLines = seenWith({scroll: Math.min(mode.scroll, last), seenLines: mode.seenLines}, rows);
	return seenLines === mode.seenLines ? ui : withMode(ui, {...mode, seenLines});
}

function cardSeen(ui: UiState, {snapshot}: UiContext): UiState {
	const review = reviewOf(ui);
	const card = snapshot.approvals.find(row => row.id === review?.cardId);
	if (!review || !card) {
		return ui;
	}

	const seenLines = seenWith(review, reviewLayout(card, ui.size, review.form).contentRows);
	return seenLines === review.seenLines ? ui : withReview(ui, {seenLines});
}

/** A page that was once seen to its end stays read, even when it is opened again from its beginning. */
function fullSeen(ui: UiState, context: UiContext): UiState {
	const review = reviewOf(ui);
	const page = reviewedFull(ui, context);
	if (!review || !page) {
		return ui;
	}

	const {full} = review;
	const seenLines = seenWith(full, fullRows(ui.size));
	const isRead = page.neededLines !== undefined && seenLines >= page.neededLines;
	const reading = isRead ? 'read' : full.reading;
	return seenLines === full.seenLines && reading === full.reading
		? ui
		: withReview(ui, {full: {...full, seenLines, reading}});
}

/** Number of rows seen without a gap, counted from the first, once `rows` of them are seen from `scroll` on. */
function seenWith({scroll, seenLines}: {readonly scroll: number; readonly seenLines: number}, rows: number): number {
	return scroll <= seenLines ? Math.max(seenLines, scroll + rows) : seenLines;
}
