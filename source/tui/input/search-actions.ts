import {reviewLayout} from '../approval/review-layout.ts';
import {reviewedFull, fullRows} from '../approval/full-page.ts';
import {shownText} from '../pages/shown-text.ts';
import {isSearchable} from '../state/mode.ts';
import {emptyField} from '../state/text-field.ts';
import {reviewOf, type UiContext, type UiState, withMode, withReview} from '../state/ui-state.ts';
import {type Found, foundFrom, foundText} from '../text/search-hits.ts';
import {type Line} from '../text/span.ts';

/** The searched text in lines, and the dashboard that shows a hit. */
type Searched = {
	readonly lines: readonly Line[];
	readonly scroll: number;
	readonly found: Found | undefined;
	readonly show: (found: Found, scroll: number) => UiState;
};

/** A line for the words to search for. Behind it nothing can be decided. */
export function showSearch(ui: UiState): UiState {
	return withMode(ui, {kind: 'prompt', purpose: {kind: 'find'}, field: emptyField, behind: ui.mode});
}

/** The text scrolled to the first hit from what is on the screen on. */
export function find(ui: UiState, words: string, context: UiContext): UiState {
	const searched = searchedText(ui, context);
	return searched ? shownAt(searched, foundFrom({words, lines: searched.lines}, searched)) : ui;
}

/** The text scrolled to the next or previous hit, around its ends. */
export function findNext(ui: UiState, distance: 1 | -1, context: UiContext): UiState {
	const searched = searchedText(ui, context);
	const last = searched?.found;
	return searched && last
		? shownAt(searched, foundFrom({words: last.words, lines: searched.lines}, {last, distance}))
		: ui;
}

/** Ends a search; the text stays where it is. */
export function closeSearch(ui: UiState): UiState {
	const {mode} = ui;
	return isSearchable(mode) ? withMode(ui, {...mode, found: undefined}) : withReview(ui, {found: undefined, hint: ''});
}

function shownAt({scroll, show}: Searched, found: Found): UiState {
	return show(found, found.rows[found.at] ?? scroll);
}

function searchedText(ui: UiState, context: UiContext): Searched | undefined {
	const {mode} = ui;
	const review = reviewOf(ui);
	if (review) {
		return review.page === 'full' ? searchedFull(ui, context) : searchedCard(ui, context);
	}

	return isSearchable(mode)
		? {
				lines: shownText(ui, context, 0),
				scroll: mode.scroll,
				found: mode.found,
				show: (found, scroll) => withMode(ui, {...mode, found, scroll}),
			}
		: undefined;
}

function searchedCard(ui: UiState, {snapshot}: UiContext): Searched | undefined {
	const review = reviewOf(ui);
	const card = snapshot.approvals.find(row => row.id === review?.cardId);
	if (!review || !card) {
		return undefined;
	}

	const {content, lastScroll} = reviewLayout(card, ui.size, review.form);
	return {
		lines: content.lines,
		scroll: review.scroll,
		found: review.found,
		show: (found, scroll) => withReview(ui, {found, scroll: Math.min(lastScroll, scroll), hint: foundText(found)}),
	};
}

function searchedFull(ui: UiState, context: UiContext): Searched | undefined {
	const review = reviewOf(ui);
	const page = reviewedFull(ui, context);
	if (!review || !page) {
		return undefined;
	}

	const last = Math.max(0, page.lines.length - fullRows(ui.size));
	const {full} = review;
	return {
		lines: page.lines,
		scroll: full.scroll,
		found: full.found,
		show: (found, scroll) => withReview(ui, {full: {...full, found, scroll: Math.min(last, scroll)}}),
	};
}
