import {type Snapshot} from '../state/snapshot.ts';
import {type ScreenAction} from './keymap.ts';
import {openReview} from './review-mode.ts';
import {selectedRow, toggleFollow} from './selection.ts';
import {completeText} from './text-keys.ts';
import {emptyField, type UiContext, type UiState, withMode, withToast} from './ui-state.ts';
import {type ViewName, viewNames} from './view-rows.ts';

/** The window after a key that changes what is looked at. */
export function screenStep(ui: UiState, action: ScreenAction, context: UiContext): UiState {
	switch (action) {
		case 'view-servers':
		case 'view-approvals':
		case 'view-events':
		case 'view-log':
		case 'view-runs':
			return openView(ui, viewOf(action));
		case 'next-view':
			return openView(ui, neighbourView(ui.view, 1));
		case 'previous-view':
			return openView(ui, neighbourView(ui.view, -1));
		case 'open':
			return openSelected(ui, context.snapshot);
		case 'back':
			return goBack(ui);
		case 'review':
			return reviewOldest(ui, context.snapshot);
		case 'palette':
			return withMode(ui, {kind: 'palette', field: emptyField});
		case 'filter':
			return withMode(ui, {kind: 'filter', field: {value: ui.filters[ui.view] ?? '', revision: 0}});
		case 'help':
			return withMode(ui, {kind: 'help', scroll: 0, behind: ui.mode});
		case 'redraw':
			return {...ui, redraws: ui.redraws + 1};
		case 'follow':
			return toggleFollow(ui, context.snapshot);
		case 'complete':
			return completeText(ui, context);
	}
}

function viewOf(action: `view-${ViewName}`): ViewName {
	return viewNames.find(view => `view-${view}` === action) ?? 'servers';
}

function openView(ui: UiState, view: ViewName): UiState {
	return withMode({...ui, view}, {kind: 'browse'});
}

function neighbourView(view: ViewName, distance: 1 | -1): ViewName {
	return viewNames.at((viewNames.indexOf(view) + distance) % viewNames.length) ?? 'servers';
}

function openSelected(ui: UiState, snapshot: Snapshot): UiState {
	const row = selectedRow(ui, snapshot);
	const card = ui.view === 'approvals' ? snapshot.approvals.find(({id}) => id === row?.id) : undefined;
	if (card) {
		return withMode(ui, openReview(card, ui.size));
	}

	return row ? withMode(ui, {kind: 'detail', id: row.id, scroll: 0}) : ui;
}

function reviewOldest(ui: UiState, snapshot: Snapshot): UiState {
	const [card] = snapshot.approvals;
	return card ? withMode(ui, openReview(card, ui.size)) : withToast(ui, 'nothing waits for an approval');
}

/** Leaves the nearest thing that can be left; a filter is the last one. */
function goBack(ui: UiState): UiState {
	const {mode} = ui;
	switch (mode.kind) {
		case 'browse':
			return ui.filters[ui.view] ? {...ui, filters: {...ui.filters, [ui.view]: ''}} : {...ui, toast: undefined};
		case 'filter':
			return withMode({...ui, filters: {...ui.filters, [ui.view]: ''}}, {kind: 'browse'});
		case 'help':
		case 'confirm':
			return withMode(ui, mode.behind);
		case 'deny-message':
			return withMode(ui, mode.review);
		case 'detail':
		case 'review':
		case 'palette':
		case 'add-server':
			return withMode(ui, {kind: 'browse'});
	}
}
