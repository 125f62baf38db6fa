import {type Snapshot} from '../../state/snapshot.ts';
import {viewRows} from '../lists/view-rows.ts';
import {keyNames} from '../state/key-names.ts';
import {columnRoot, type Mode, type RowMode, shownMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {selectedRow} from '../state/selection.ts';
import {isRefused, type UiContext, type UiState} from '../state/ui-state.ts';
import {columnSizes, hasColumns, type Size} from '../text/layout.ts';
import {type Line} from '../text/span.ts';
import {hasContent, callOfMode, rowPage} from './row-page.ts';

/** The page beside the list: what is read there, or that of the picked row, of equal ones the newest; undefined where the screen has one column, or no row. */
export function besidePage({ui, snapshot, size}: Pick<Screen, 'ui' | 'snapshot' | 'size'>): Mode | undefined {
	if (!hasColumns(size)) {
		return undefined;
	}

	const mode = shownMode(ui.mode);
	if (columnRoot(mode)) {
		return mode;
	}

	const row = mode.kind === 'browse' || mode.kind === 'filter' ? selectedRow(ui, snapshot) : undefined;
	return row && pageOf(row.fold?.newest.id ?? row.id, ui, snapshot);
}

/** The page of a row as it was left, or from its beginning. */
function pageOf(rowId: string, {view, column}: UiState, snapshot: Snapshot): RowMode {
	const fresh = rowPage(view, rowId, {snapshot, behind: {kind: 'browse'}});
	const kept = column?.view === view && column.mode.id === rowId ? column.mode : undefined;
	return kept && (kept.kind === fresh.kind || snapshot.console.state === 'lost') ? kept : {...fresh, place: 'column'};
}

/** The page beside the list for which the gateway is still to be asked; undefined where all of it is there, was refused, or is on its way. */
export function lackedPage(ui: UiState, snapshot: Snapshot): RowMode | undefined {
	if (!hasColumns(ui.size) || ui.column?.state === 'asking' || snapshot.console.state === 'lost') {
		return undefined;
	}

	const mode = besidePage({ui, snapshot, size: ui.size});
	const root = mode && columnRoot(mode);
	if (!root || root !== mode || hasContent(root, ui.view, snapshot)) {
		return undefined;
	}

	const call = callOfMode(root, ui.view, snapshot);
	const isAsked = ui.column?.state === 'answered' && ui.column.view === ui.view && ui.column.mode.id === root.id;
	return !call || isAsked || isRefused(ui, call) ? undefined : root;
}

/** The size at which an open page is laid out: that of its column while it is read beside its list. */
export function pageSize(ui: UiState, {snapshot, readOnly}: Pick<UiContext, 'snapshot' | 'readOnly'>): Size {
	const mode = shownMode(ui.mode);
	if (!hasColumns(ui.size) || !columnRoot(mode)) {
		return ui.size;
	}

	const {page} = columnSizes(ui.size);
	const above = linesAbove(mode, {ui, snapshot, readOnly, size: page, now: 0}).length;
	return above === 0 ? page : {...page, rows: page.rows - above - 1};
}

/** The details of the row itself, above the trace beside its list: at most a third of the screen. */
export function linesAbove(
	mode: Mode,
	{ui, snapshot, readOnly, size, now}: Pick<Screen, 'ui' | 'snapshot' | 'readOnly' | 'size' | 'now'>,
): readonly Line[] {
	const row = mode.kind === 'trace' ? viewRows(ui.view, snapshot, '').find(({id}) => id === mode.id) : undefined;
	const lines = row?.detail(size.columns, now, keyNames({readOnly, snapshot})) ?? [];
	return lines.slice(0, Math.floor(size.rows / 3));
}

/** The screens of the two columns: the list, and the page beside it. */
export function columnScreens(screen: Screen, page: Mode): {readonly list: Screen; readonly page: Screen} {
	const sizes = columnSizes(screen.size);
	const partOf = (size: Size, mode: Mode): Screen => ({...screen, size, ui: {...screen.ui, size, mode}});
	return {list: partOf(sizes.list, shownMode(screen.ui.mode)), page: partOf(sizes.page, page)};
}
