import {type UiState, withMode} from '../state/ui-state.ts';
import {isNumbered} from '../lists/view-table.ts';

/** Leaves the nearest thing that can be left; the filter of a list goes before the list. */
export function goBack(ui: UiState): UiState {
	const {mode} = ui;
	switch (mode.kind) {
		case 'browse':
			return leaveList(ui);
		case 'filter':
			return withMode({...ui, filters: {...ui.filters, [ui.view]: ''}}, {kind: 'browse'});
		case 'help':
		case 'confirm':
		case 'page':
		case 'prompt':
		case 'form':
		case 'form-text':
			return withMode(ui, mode.behind);
		case 'deny-message':
			return withMode(ui, mode.review);
		case 'hand-call':
			return withMode({...ui, manualCall: undefined}, {kind: 'browse'});
		case 'settled':
			return withMode(ui, ui.manualCall ?? {kind: 'browse'});
		case 'detail':
		case 'review':
		case 'proposal':
		case 'login':
		case 'palette':
		case 'add-server':
			return withMode(ui, {kind: 'browse'});
	}
}

function leaveList(ui: UiState): UiState {
	if (ui.filters[ui.view]) {
		return {...ui, filters: {...ui.filters, [ui.view]: ''}};
	}

	return {...ui, toast: undefined, view: isNumbered(ui.view) ? ui.view : ui.home};
}
