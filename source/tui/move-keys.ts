import {type Move} from './actions.ts';
import {pageRows} from './layout.ts';
import {type Mode} from './mode.ts';
import {end} from './open-row.ts';
import {openText} from './open-text.ts';
import {scrollReview} from './review-mode.ts';
import {movedBy, moveSelection} from './selection.ts';
import {type UiContext, type UiState, withMode} from './ui-state.ts';

/** The window after a move: of the text where one is open, of the selection otherwise. */
export function moveStep(ui: UiState, move: Move, context: UiContext): UiState {
	const {mode} = ui;
	if (mode.kind === 'review') {
		return scrollReview(ui, move, context.snapshot);
	}

	if (mode.kind === 'browse') {
		return moveSelection(ui, move, context.snapshot);
	}

	return isRead(mode) ? withMode(ui, scrolled(ui, {mode, move}, context)) : ui;
}

type ReadMode = Extract<Mode, {scroll: number}>;

/** Whether what is open is a text that can be longer than the screen. */
export function isRead(mode: Mode): mode is Exclude<ReadMode, {kind: 'review'}> {
	return 'scroll' in mode && mode.kind !== 'review';
}

function scrolled(
	ui: UiState,
	{mode, move}: {readonly mode: Exclude<ReadMode, {kind: 'review'}>; readonly move: Move},
	context: UiContext,
): Mode {
	const page = pageRows(ui.size);
	const last = Math.max(0, openText(ui, context.snapshot, 0).length - page);
	const wanted = movedBy(move, {position: Math.min(mode.scroll, last), last, page});
	// At the end the text is followed as it grows.
	const scroll = move === 'bottom' ? end : Math.min(last, Math.max(0, wanted));
	return mode.kind === 'proposal'
		? {...mode, scroll, seenLines: Math.max(mode.seenLines, Math.min(scroll, last) + page)}
		: {...mode, scroll};
}
