import {type Move} from '../state/actions.ts';
import {pageRows} from '../text/layout.ts';
import {type Mode} from '../state/mode.ts';
import {end} from './open-row.ts';
import {shownText} from '../pages/shown-text.ts';
import {movedBy, moveSelection} from '../state/selection.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {moveReview} from './whole-keys.ts';

/** The window after a move: of the text where one is open, of the selection otherwise. */
export function moveStep(ui: UiState, move: Move, context: UiContext): UiState {
	const {mode} = ui;
	if (mode.kind === 'review') {
		return moveReview(ui, move, context);
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
	const last = Math.max(0, shownText(ui, context.snapshot, 0).length - page);
	const wanted = movedBy(move, {position: Math.min(mode.scroll, last), last, page});
	// At the end the text is followed as it grows.
	const scroll = move === 'bottom' ? end : Math.min(last, Math.max(0, wanted));
	return {...mode, scroll};
}
