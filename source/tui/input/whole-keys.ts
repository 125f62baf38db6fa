import {type WholeAction, type Move} from '../state/actions.ts';
import {closedWhole, emptyField, type WholeView} from '../state/mode.ts';
import {reviewOf, scrollReview, withReview} from '../approval/review-mode.ts';
import {movedBy} from '../state/selection.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {openedWhole, rowsWith, type WholePage, wholeRows} from '../approval/whole-page.ts';

/** The window after a key that has to do with the page of all of a request. */
export function wholeStep(ui: UiState, action: WholeAction, context: UiContext): UiState {
	const review = reviewOf(ui);
	switch (action) {
		case 'open-whole':
			return scrolledWhole(withReview(ui, {page: 'whole', again: undefined, hint: ''}), () => 0, context);
		case 'leave-whole':
			// What was unmasked is masked again.
			return withReview(ui, {
				page: 'card',
				hint: '',
				whole: {...closedWhole, reading: review?.whole.reading ?? 'unread'},
			});
		case 'unmask':
			return unmasked(ui, context);
		case 'find':
			return withMode(ui, {kind: 'prompt', purpose: {kind: 'find'}, field: emptyField, behind: ui.mode});
		case 'find-next':
			return foundAt(ui, 1, context);
		case 'find-previous':
			return foundAt(ui, -1, context);
	}
}

/** The request under review after its text moved: its card, or the page with all of it. */
export function moveReview(ui: UiState, move: Move, context: UiContext): UiState {
	if (reviewOf(ui)?.page !== 'whole') {
		return scrollReview(ui, move, context.snapshot);
	}

	const page = wholeRows(ui.size);
	return scrolledWhole(ui, (position, last) => movedBy(move, {position, last, page}), context);
}

/** The window after words were searched for on the page, at the first of them that follows. */
export function findInWhole(ui: UiState, words: string, context: UiContext): UiState {
	const page = pageOf(ui, context);
	if (!page) {
		return ui;
	}

	const rows = rowsWith(words, page);
	const at = Math.max(
		0,
		rows.findIndex(row => row >= (reviewOf(ui)?.whole.scroll ?? 0)),
	);
	return foundAt(withWhole(ui, {found: {words, rows, at}}), 0, context);
}

function foundAt(ui: UiState, distance: -1 | 0 | 1, context: UiContext): UiState {
	const found = reviewOf(ui)?.whole.found;
	if (!found || found.rows.length === 0) {
		return ui;
	}

	const at = (found.at + distance + found.rows.length) % found.rows.length;
	return scrolledWhole(withWhole(ui, {found: {...found, at}}), () => found.rows[at] ?? 0, context);
}

/** Secrets are shown to the person at this window alone, and not in one that may only look: those hang on walls. */
function unmasked(ui: UiState, context: UiContext): UiState {
	const review = reviewOf(ui);
	if (!review || context.readOnly) {
		return withReview(ui, {hint: 'read-only: this window shows no masked value'});
	}

	const masks = review.whole.masks === 'on' ? 'off' : 'on';
	return scrolledWhole(withWhole(ui, {masks, seenLines: 0, found: undefined}), () => 0, context);
}

function scrolledWhole(ui: UiState, target: (position: number, last: number) => number, context: UiContext): UiState {
	const review = reviewOf(ui);
	const page = pageOf(ui, context);
	if (!review || !page) {
		return withReview(ui, {hint: 'the gateway has no more of this request'});
	}

	const last = Math.max(0, page.lines.length - wholeRows(ui.size));
	return withWhole(ui, {scroll: Math.min(last, Math.max(0, target(Math.min(review.whole.scroll, last), last)))});
}

/** How many rows have been seen without a gap, counted from the first, once `rows` of them are seen from `scroll` on. */
export function seenWith({scroll, seenLines}: Pick<WholeView, 'scroll' | 'seenLines'>, rows: number): number {
	return scroll <= seenLines ? Math.max(seenLines, scroll + rows) : seenLines;
}

/** The page once its rows on the screen have been seen. */
export function wholeSeen(ui: UiState, context: UiContext): UiState {
	const review = reviewOf(ui);
	const page = pageOf(ui, context);
	if (!review || !page) {
		return ui;
	}

	const {whole} = review;
	const rows = wholeRows(ui.size);
	const seenLines = seenWith(whole, rows);
	const isRead = page.neededLines !== undefined && seenLines >= page.neededLines;
	const reading = isRead ? 'read' : whole.reading;
	return seenLines === whole.seenLines && reading === whole.reading ? ui : withWhole(ui, {seenLines, reading});
}

function pageOf(ui: UiState, context: UiContext): WholePage | undefined {
	const review = reviewOf(ui);
	const card = context.snapshot.approvals.find(row => row.id === review?.cardId);
	return review && card && openedWhole({card, view: review.whole, size: ui.size}, context.readWhole);
}

function withWhole(ui: UiState, change: Partial<WholeView>): UiState {
	const review = reviewOf(ui);
	return review ? withReview(ui, {whole: {...review.whole, ...change}}) : ui;
}
