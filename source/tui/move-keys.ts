import {type Move} from './keymap.ts';
import {pageRows} from './layout.ts';
import {openText} from './open-text.ts';
import {scrollReview} from './review-mode.ts';
import {movedBy, moveSelection} from './selection.ts';
import {type UiContext, type UiState, withMode} from './ui-state.ts';

/** The window after a move: of the text where one is open, of the selection otherwise. */
export function moveStep(ui: UiState, move: Move, context: UiContext): UiState {
	const {mode} = ui;
	switch (mode.kind) {
		case 'browse':
			return moveSelection(ui, move, context.snapshot);
		case 'detail':
		case 'help': {
			const last = Math.max(0, openText(ui, context.snapshot, 0).length - pageRows(ui.size));
			const scroll = movedBy(move, {position: mode.scroll, last, page: pageRows(ui.size)});
			return withMode(ui, {...mode, scroll: Math.min(last, Math.max(0, scroll))});
		}

		case 'review':
			return scrollReview(ui, move, context.snapshot);
		case 'deny-message':
		case 'confirm':
		case 'palette':
		case 'filter':
		case 'add-server':
			return ui;
	}
}
