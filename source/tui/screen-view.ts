import {type UiState, withMode} from './ui-state.ts';
import {boardNames, type ViewName, viewNames} from './view-names.ts';

/** The window with another view, as a list. */
export function openView(ui: UiState, view: ViewName): UiState {
	return boardNames.some(name => name === view)
		? openBoard(ui, view)
		: withMode({...ui, view, handCall: undefined}, {kind: 'browse'});
}

/** The window with a list that belongs to another one; leaving it leads back there. */
export function openBoard(ui: UiState, view: ViewName): UiState {
	const home = viewNames.some(name => name === ui.view) ? ui.view : ui.home;
	return withMode({...ui, view, home, handCall: undefined}, {kind: 'browse'});
}

/** The view after or before this one, in the order of the digits. */
export function neighbourView({view, home}: UiState, distance: 1 | -1): ViewName {
	const place = viewNames.findIndex(name => name === view);
	const from = place === -1 ? viewNames.findIndex(name => name === home) : place;
	return viewNames.at((from + distance) % viewNames.length) ?? 'servers';
}
