import {toggleFollow} from './selection.ts';
import {completeText} from './text-keys.ts';
import {type UiContext, type UiState} from './ui-state.ts';
import {nextTheme} from './window-wishes.ts';

/** The window after a key that changes how it shows what it shows. */
export function screenWish(
	ui: UiState,
	action: 'redraw' | 'follow' | 'complete' | 'next-theme',
	context: UiContext,
): UiState {
	switch (action) {
		case 'redraw':
			return {...ui, redraws: ui.redraws + 1};
		case 'follow':
			return toggleFollow(ui, context.snapshot);
		case 'complete':
			return completeText(ui, context);
		case 'next-theme':
			return nextTheme(ui);
	}
}
