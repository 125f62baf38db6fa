import {type Snapshot} from '../../state/snapshot.ts';
import {hasProfiles} from '../state/profiles.ts';
import {listPosition} from '../state/selection.ts';
import {type UiState} from '../state/ui-state.ts';
import {own, signs} from '../text/status-text.ts';
import {follows, viewLabel, type ViewName, views} from '../lists/view-table.ts';
import {viewRows} from '../lists/view-rows.ts';

/** The title of a view: its digit and name, how it follows, how much its filter leaves. */
export function viewTitle(view: ViewName, ui: UiState, snapshot: Snapshot): string {
	const filter = ui.filters[view] ?? '';
	const all = viewRows(view, snapshot, '').length;
	const {rows, index, following} = listPosition(ui, view, snapshot);
	const newer = rows.length - 1 - index;
	return [
		viewLabel(view),
		hasProfiles(snapshot) ? (views[view].profile?.(snapshot) ?? '') : '',
		follows(view) ? (following ? 'following' : `paused${newer > 0 ? `, ${newer} newer ${signs.more}` : ''}`) : '',
		filter === '' ? `${all}` : `filter: ${filter} (${rows.length} of ${all})`,
	]
		.filter(part => part !== '')
		.join(own` · `);
}

/** What an empty list says. */
export function emptyText(view: ViewName, ui: UiState): string {
	return (ui.filters[view] ?? '') === '' ? views[view].empty : own`nothing passes the filter · Esc clears it`;
}
