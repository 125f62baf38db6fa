import {type UiState, withMode} from '../state/ui-state.ts';
import {isNumbered, numberedViews, type ViewName} from '../lists/view-table.ts';

/** The window with another view, as a list. */
export function showView(ui: UiState, view: ViewName): UiState {
	return isNumbered(view) ? withMode({...ui, view, manualCall: undefined}, {kind: 'browse'}) : showListView(ui, view);
}

/** The window with a list that belongs to another one; leaving it leads back there. */
export function showListView(ui: UiState, view: ViewName): UiState {
	const home = isNumbered(ui.view) ? ui.view : ui.home;
	return withMode({...ui, view, home, manualCall: undefined}, {kind: 'browse'});
}

/** The view after or before this one, in the order of the digits. */
export function neighbourView({view, home}: UiState, distance: 1 | -1): ViewName {
	const from = numberedViews.indexOf(isNumbered(view) ? view : home);
	return numberedViews.at((from + distance) % numberedViews.length) ?? 'servers';
}
