import {type RouteRow, type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {uncertainId} from '../../state/entities/uncertain.ts';
import {type ListRow} from '../lists/list-row.ts';
import {foldedRows, listedIndex} from '../lists/folds.ts';
import {loginId} from '../lists/login-rows.ts';
import {overviewRouteId} from '../lists/overview-rows.ts';
import {routeId} from '../../state/entities/route.ts';
import {serverId} from '../../state/entities/server.ts';
import {viewRows} from '../lists/view-rows.ts';
import {follows, type ViewName, views} from '../lists/view-table.ts';
import {pageRows} from '../text/layout.ts';
import {hasProfiles} from './profiles.ts';
import {openRowId} from './mode.ts';
import {type UiState} from './ui-state.ts';
import {type Move} from './keymap.ts';

/** The rows of a list as they are listed, equal ones folded, the selected one, and whether it follows the newest. */
export type ListPosition = {
	readonly rows: readonly ListRow[];
	readonly index: number;
	readonly following: boolean;
};

/** Only the list's own order, either way round, folds equal rows: in another one, their differing values place them. */
function listedRows({filters, sort, openFolds}: UiState, view: ViewName, snapshot: Snapshot): readonly ListRow[] {
	const rows = viewRows(view, snapshot, filters[view] ?? '', sort[view]);
	return (sort[view]?.by ?? 'own') === 'own' ? foldedRows(view, rows, openFolds[view]) : rows;
}

/** The list of a view. When the picked row is gone, the first one is picked. */
export function listPosition(ui: UiState, view: ViewName, snapshot: Snapshot): ListPosition {
	const rows = listedRows(ui, view, snapshot);
	const selected = ui.selected[view];
	if (selected === undefined) {
		const first = views[view].start?.(rows) ?? 0;
		const following = follows(view, ui.sort);
		return {rows, index: following ? rows.length - 1 : first, following};
	}

	return {rows, index: listedIndex(rows, selected) ?? 0, following: false};
}

/** The dashboard after a filter was entered or left, however that happened: the row that was picked under it stays picked. */
export function withSameRow(before: UiState, after: UiState, snapshot: Snapshot): UiState {
	const {view} = after;
	const isEntered = before.mode.kind === 'filter' && after.mode.kind === 'browse';
	const isLeft = (after.filters[view] ?? '') === '';
	const isFiltered = before.view === view && (before.filters[view] ?? '') !== '';
	if (!isFiltered || !(isEntered || isLeft) || after.selected[view] !== before.selected[view]) {
		return after;
	}

	const {rows, index, following} = listPosition(before, view, snapshot);
	const picked = rows[index];
	return following || !picked ? after : select(after, picked.id);
}

/** The selected row of the current view. */
export function selectedRow(ui: UiState, snapshot: Snapshot): ListRow | undefined {
	const {rows, index} = listPosition(ui, ui.view, snapshot);
	return rows[index];
}

/** Moves the selection. Moving up from the newest row pauses, moving to the end follows again. */
export function moveSelection(ui: UiState, move: Move, snapshot: Snapshot): UiState {
	const {rows, index} = listPosition(ui, ui.view, snapshot);
	const last = rows.length - 1;
	if (move === 'bottom' && follows(ui.view, ui.sort)) {
		return select(ui, undefined);
	}

	const target = Math.min(last, Math.max(0, movedBy(move, {position: index, last, page: pageRows(ui.size)})));
	return target < 0 || (target === index && ui.selected[ui.view] === undefined) ? ui : select(ui, rows[target]?.id);
}

/** Opens the fold of the selected row or closes it; another one that was open is closed. */
export function toggleFold(ui: UiState, {id, fold}: ListRow): UiState {
	const open = fold?.state === 'closed' ? fold.newest.id : undefined;
	return select({...ui, openFolds: {...ui.openFolds, [ui.view]: open}}, id);
}

/** The list with its open fold closed, and that picked in place of its rows; undefined where none is open. */
export function withoutOpenFold(ui: UiState, snapshot: Snapshot): UiState | undefined {
	if (ui.openFolds[ui.view] === undefined) {
		return undefined;
	}

	const {rows, index, following} = listPosition(ui, ui.view, snapshot);
	const head = rows.find(({fold}) => fold?.state === 'open');
	if (!head?.fold) {
		return undefined;
	}

	const closed = {...ui, openFolds: {...ui.openFolds, [ui.view]: undefined}};
	const isIn = [head, ...head.fold.rows].some(row => row === rows[index]);
	return isIn && !following ? select(closed, head.id) : closed;
}

/** Picks the next row with a problem; after the last one, the first. */
export function selectNextTrouble(ui: UiState, snapshot: Snapshot): UiState {
	const {rows, index} = listPosition(ui, ui.view, snapshot);
	const next = [...rows.slice(index + 1), ...rows].find(({trouble}) => trouble);
	return next ? select(ui, next.id) : ui;
}

/** Pauses or resumes following. Views without new rows at their end stay as they are. */
export function toggleFollow(ui: UiState, snapshot: Snapshot): UiState {
	if (!follows(ui.view, ui.sort)) {
		return ui;
	}

	const {rows, following} = listPosition(ui, ui.view, snapshot);
	return select(ui, following ? rows.at(-1)?.id : undefined);
}

/** The position after a move, not yet limited to the list. For scrolling too. */
export function movedBy(
	move: Move,
	at: {readonly position: number; readonly last: number; readonly page: number},
): number {
	switch (move) {
		case 'up':
			return at.position - 1;
		case 'down':
			return at.position + 1;
		case 'top':
			return 0;
		case 'bottom':
			return at.last;
		case 'page-up':
			return at.position - at.page;
		case 'page-down':
			return at.position + at.page;
	}
}

/** Picks the row of an id; undefined if the list does not show it. */
export function selectListed(ui: UiState, id: string, snapshot: Snapshot): UiState | undefined {
	return listPosition(ui, ui.view, snapshot).rows.some(row => row.id === id) ? select(ui, id) : undefined;
}

function select(ui: UiState, id: string | undefined): UiState {
	return {...ui, selected: {...ui.selected, [ui.view]: id}};
}

/** The row that is open, or the selected one; of equal rows that are folded, the newest. What it says may be shown or copied: a key that does something goes by `pickedId`. */
export function pickedRow(ui: UiState, snapshot: Snapshot): ListRow | undefined {
	const open = openRowId(ui.mode);
	if (open !== undefined) {
		return viewRows(ui.view, snapshot, '').find(({id}) => id === open);
	}

	const row = selectedRow(ui, snapshot);
	return row?.fold?.newest ?? row;
}

/** The id of the row a key is meant for: the one that is open, or the selected one. That of folded rows is none of theirs, so no key acts on one that is not listed. */
export function pickedId(ui: UiState, snapshot: Snapshot): string | undefined {
	return openRowId(ui.mode) ?? selectedRow(ui, snapshot)?.id;
}

/** The route a key is meant for: the picked one, of its own view or of the overview. */
export function pickedRoute(ui: UiState, snapshot: Snapshot): RouteRow | undefined {
	const id = pickedId(ui, snapshot);
	const idOf = ui.view === 'overview' ? overviewRouteId : routeId;
	return ui.view === 'overview' || ui.view === 'routes' ? snapshot.routes.find(row => idOf(row) === id) : undefined;
}

/** The server a key is meant for: the picked one, or that of a picked login or uncertain call. */
export function pickedServer(ui: UiState, snapshot: Snapshot): Pick<ServerRow, 'server' | 'profile'> | undefined {
	const id = pickedId(ui, snapshot);
	const isIn = (...views: readonly ViewName[]) => views.includes(ui.view);
	return (
		snapshot.servers.find(row => isIn('overview', 'you') && serverId(row) === id) ??
		snapshot.logins.find(row => isIn('logins', 'you') && loginId(row) === id) ??
		snapshot.uncertain.find(row => ui.view === 'you' && uncertainId(row) === id)
	);
}

/**
The profile a key or a typed word without a name of its own is meant for: that of the picked row or open list. Undefined is the gateway's first one:
where there is no other, and where the row was picked by whatever came in last.
*/
export function pickedProfile(ui: UiState, snapshot: Snapshot): string | undefined {
	const isFirstSelection = views[ui.view].follows === true && ui.selected[ui.view] === undefined;
	if (!hasProfiles(snapshot) || isFirstSelection) {
		return undefined;
	}

	return views[ui.view].profile?.(snapshot) ?? selectedRow(ui, snapshot)?.fields()['profile'];
}
