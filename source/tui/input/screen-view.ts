import {type UiState, withMode} from '../state/ui-state.ts';
import {listViewNames, type ViewName, viewNames} from '../state/view-names.ts';

/** The window with another view, as a list. */
export function showView(ui: UiState, view: ViewName): UiState {
	return listViewNames.some(name => name === view)
		? showListView(ui, view)
		: withMode({...ui, view, manualCall: undefined}, {kind: 'browse'});
}

/** The window with a list that belongs to another one; leaving it leads back there. */
export function showListView(ui: UiState, view: ViewName): UiState {
	const home = viewNames.some(name => name === ui.view) ? ui.view : ui.home;
	return withMode({...ui, view, home, manualCall: undefined}, {kind: 'browse'});
}

/** The view after or before this one, in the order of the digits. */
export function neighbourView({view, home}: UiState, distance: 1 | -1): ViewName {
	const place = viewNames.findIndex(name => name === view);
	const from = place === -1 ? viewNames.findIndex(name => name === home) : place;
	return viewNames.at((from + distance) % viewNames.length) ?? 'servers';
}
