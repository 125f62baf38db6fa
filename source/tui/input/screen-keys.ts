import {type ScreenAction} from '../state/actions.ts';
import {goBack} from './go-back.ts';
import {openSelected, openWaiting} from './open-row.ts';
import {ask} from './command-keys.ts';
import {neighbourView, showView} from './screen-view.ts';
import {type Step, stay, type UiContext, type UiState} from '../state/ui-state.ts';
import {viewAction} from './view-actions.ts';
import {allViews, type ViewName} from '../lists/view-table.ts';

/** The window after a key that changes what is looked at, or the window itself. */
export function screenStep(ui: UiState, action: ScreenAction, context: UiContext): Step {
	if (isViewAction(action)) {
		return stay(showView(ui, viewOf(action)));
	}

	switch (action) {
		case 'next-view':
			return stay(showView(ui, neighbourView(ui, 1)));
		case 'previous-view':
			return stay(showView(ui, neighbourView(ui, -1)));
		case 'open':
			return openSelected(ui, context);
		case 'back':
			return stay(goBack(ui));
		case 'review':
			return stay(openWaiting(ui, context.snapshot));
		case 'suspend':
			return stay(ui.mode.kind === 'confirm' ? ui : ask(ui, {kind: 'suspend'}));
		case 'copy':
		case 'palette':
		case 'filter':
		case 'help':
		case 'redraw':
		case 'follow':
		case 'complete':
		case 'next-theme':
			return stay(viewAction(ui, action, context));
	}
}

type ViewAction = `view-${ViewName}`;

function isViewAction(action: ScreenAction): action is ViewAction {
	return action.startsWith('view-');
}

function viewOf(action: ViewAction): ViewName {
	return allViews.find(view => `view-${view}` === action) ?? 'servers';
}
