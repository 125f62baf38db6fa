import {type ScreenAction} from '../state/actions.ts';
import {completeText} from './complete-text.ts';
import {copyPicked} from './copy-picked.ts';
import {emptyField} from '../state/mode.ts';
import {toggleFollow} from '../state/selection.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {nextTheme} from './theme-actions.ts';

type ViewAction = Extract<
	ScreenAction,
	'copy' | 'palette' | 'filter' | 'help' | 'redraw' | 'follow' | 'complete' | 'next-theme'
>;

/** The window after a key that changes how it shows what it shows, or opens a line to type. */
export function viewAction(ui: UiState, action: ViewAction, {snapshot}: UiContext): UiState {
	switch (action) {
		case 'copy':
			return copyPicked(ui, snapshot);
		case 'palette':
			return withMode(ui, {kind: 'palette', field: emptyField});
		case 'filter':
			return withMode(ui, {kind: 'filter', field: {value: ui.filters[ui.view] ?? '', revision: 0}});
		case 'help':
			return withMode(ui, {kind: 'help', scroll: 0, behind: ui.mode});
		case 'redraw':
			return {...ui, redraws: ui.redraws + 1};
		case 'follow':
			return toggleFollow(ui, snapshot);
		case 'complete':
			return completeText(ui, snapshot);
		case 'next-theme':
			return nextTheme(ui);
	}
}
