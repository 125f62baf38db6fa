import {reviewedWhole, rowsWith, wholeRows} from '../approval/whole-page.ts';
import {type Move} from '../state/keymap.ts';
import {closedWhole, type WholeView} from '../state/review.ts';
import {reviewOf, type UiContext, type UiState, withMode, withReview} from '../state/ui-state.ts';
import {movedBy} from '../state/selection.ts';
import {emptyField} from '../state/text-field.ts';

/** Opens the page with all of the request under review. */
export function showWhole(ui: UiState, context: UiContext): UiState {
	return scrolledWhole(withReview(ui, {page: 'whole', again: undefined, hint: ''}), () => 0, context);
}

/** Back to the card. What was unmasked is masked again; what was read stays read. */
export function leaveWhole(ui: UiState): UiState {
	const reading = reviewOf(ui)?.whole.reading ?? 'unread';
	return withReview(ui, {page: 'card', hint: '', whole: {...closedWhole, reading}});
}

/** Shows or masks secrets, to the person at this dashboard alone. A read-only one never shows them: it may hang on a wall. */
export function toggleMasks(ui: UiState, context: UiContext): UiState {
	const review = reviewOf(ui);
	if (!review || context.readOnly) {
		return withReview(ui, {hint: 'read-only: masked values cannot be shown'});
	}

	const masks = review.whole.masks === 'on' ? 'off' : 'on';
	return scrolledWhole(withWhole(ui, {masks, seenLines: 0, found: undefined}), () => 0, context);
}

/** The page after a move. */
export function moveWhole(ui: UiState, move: Move, context: UiContext): UiState {
	const page = wholeRows(ui.size);
	return scrolledWhole(ui, (position, last) => movedBy(move, {position, last, page}), context);
}

/** A line for the words to search for. */
export function showSearch(ui: UiState): UiState {
	return withMode(ui, {kind: 'prompt', purpose: {kind: 'find'}, field: emptyField, behind: ui.mode});
}

/** The page scrolled to the first match of the words from the scrolled row on. */
export function findInWhole(ui: UiState, words: string, context: UiContext): UiState {
	const page = reviewedWhole(ui, context);
	if (!page) {
		return ui;
	}

	const rows = rowsWith(words, page);
	const at = Math.max(
		0,
		rows.findIndex(row => row >= (reviewOf(ui)?.whole.scroll ?? 0)),
	);
	return findNext(withWhole(ui, {found: {words, rows, at}}), 0, context);
}

/** The page scrolled to the next or previous match, wrapping around. */
export function findNext(ui: UiState, distance: -1 | 0 | 1, context: UiContext): UiState {
	const found = reviewOf(ui)?.whole.found;
	if (!found || found.rows.length === 0) {
		return ui;
	}

	const at = (found.at + distance + found.rows.length) % found.rows.length;
	return scrolledWhole(withWhole(ui, {found: {...found, at}}), () => found.rows[at] ?? 0, context);
}

function scrolledWhole(ui: UiState, target: (position: number, last: number) => number, context: UiContext): UiState {
	const review = reviewOf(ui);
	const page = reviewedWhole(ui, context);
	if (!review || !page) {
		// The page says why it is not there.
		return ui;
	}

	const last = Math.max(0, page.lines.length - wholeRows(ui.size));
	return withWhole(ui, {scroll: Math.min(last, Math.max(0, target(Math.min(review.whole.scroll, last), last)))});
}

function withWhole(ui: UiState, change: Partial<WholeView>): UiState {
	const review = reviewOf(ui);
	return review ? withReview(ui, {whole: {...review.whole, ...change}}) : ui;
}
