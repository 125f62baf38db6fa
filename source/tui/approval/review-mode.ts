import {type ApprovalRow, type Snapshot} from '../../state/snapshot.ts';
import {type Move} from '../state/actions.ts';
import {pageRows} from '../text/layout.ts';
import {reviewLayout} from './review-layout.ts';
import {movedBy} from '../state/selection.ts';
import {closedWhole, type ReviewMode} from '../state/mode.ts';
import {type UiState, withMode} from '../state/ui-state.ts';

/** The review of a card from its beginning; `hint` may tell what became of the one before. */
export function openReview(card: ApprovalRow, hint = ''): ReviewMode {
	return {
		kind: 'review',
		cardId: card.id,
		page: 'card',
		again: undefined,
		scroll: 0,
		seenLines: 0,
		answers: 0,
		hint,
		whole: closedWhole,
	};
}

/** The review on the screen, if there is one. */
export function reviewOf(ui: UiState): ReviewMode | undefined {
	return ui.mode.kind === 'review' ? ui.mode : undefined;
}

/** The window with a change to its review. */
export function withReview(ui: UiState, change: Partial<ReviewMode>): UiState {
	const review = reviewOf(ui);
	return review ? withMode(ui, {...review, ...change}) : ui;
}

/** The review screen after its text moved. */
export function scrollReview(ui: UiState, move: Move, snapshot: Snapshot): UiState {
	const review = reviewOf(ui);
	const card = snapshot.approvals.find(row => row.id === review?.cardId);
	if (!review || !card) {
		return ui;
	}

	const {contentRows, lastScroll} = reviewLayout(card, ui.size);
	const page = Math.min(pageRows(ui.size), contentRows);
	const wanted = movedBy(move, {position: review.scroll, last: lastScroll, page});
	const scroll = Math.min(lastScroll, Math.max(0, wanted));
	return withReview(ui, {scroll});
}

/** The review after the terminal changed its size: lines wrap anew, so the reading starts anew. */
export function resizedReview(ui: UiState, snapshot: Snapshot): UiState {
	const card = snapshot.approvals.find(row => row.id === reviewOf(ui)?.cardId);
	return card
		? withReview(ui, {
				scroll: 0,
				page: 'card',
				again: undefined,
				seenLines: 0,
				whole: closedWhole,
			})
		: ui;
}

/** The window with the next or previous request on the screen. */
export function neighbourReview(ui: UiState, distance: 1 | -1, snapshot: Snapshot): UiState {
	const {approvals} = snapshot;
	const index = approvals.findIndex(row => row.id === reviewOf(ui)?.cardId);
	const card = approvals[index + distance];
	return index === -1 || !card ? ui : withMode(ui, openReview(card));
}
