import {reviewedFull, fullRows} from '../approval/full-page.ts';
import {type Move} from '../state/keymap.ts';
import {closedFull, type FullView} from '../state/review.ts';
import {reviewOf, type UiContext, type UiState, withReview} from '../state/ui-state.ts';
import {movedBy} from '../state/selection.ts';

/** Opens the page with all of the request under review. */
export function showFull(ui: UiState, context: UiContext): UiState {
	return scrolledFull(withReview(ui, {page: 'full', again: undefined, hint: ''}), () => 0, context);
}

/** Back to the card. What was unmasked is masked again; what was read stays read. */
export function leaveFull(ui: UiState): UiState {
	const reading = reviewOf(ui)?.full.reading ?? 'unread';
	return withReview(ui, {page: 'card', hint: '', full: {...closedFull, reading}});
}

/** Shows or masks secrets, to the person at this dashboard alone. A read-only one never shows them: it may hang on a wall. */
export function toggleMasks(ui: UiState, context: UiContext): UiState {
	const review = reviewOf(ui);
	if (!review || context.readOnly) {
		return withReview(ui, {hint: 'read-only: masked values cannot be shown'});
	}

	const masks = review.full.masks === 'on' ? 'off' : 'on';
	return scrolledFull(withFull(ui, {masks, seenLines: 0, found: undefined}), () => 0, context);
}

/** The page after a move. */
export function moveFull(ui: UiState, move: Move, context: UiContext): UiState {
	const page = fullRows(ui.size);
	return scrolledFull(ui, (position, last) => movedBy(move, {position, last, page}), context);
}

function scrolledFull(ui: UiState, target: (position: number, last: number) => number, context: UiContext): UiState {
	const review = reviewOf(ui);
	const page = reviewedFull(ui, context);
	if (!review || !page) {
		// The page says why it is not there.
		return ui;
	}

	const last = Math.max(0, page.lines.length - fullRows(ui.size));
	return withFull(ui, {scroll: Math.min(last, Math.max(0, target(Math.min(review.full.scroll, last), last)))});
}

function withFull(ui: UiState, change: Partial<FullView>): UiState {
	const review = reviewOf(ui);
	return review ? withReview(ui, {full: {...review.full, ...change}}) : ui;
}
