import {type Snapshot} from '../state/snapshot.ts';
import {listPosition} from './selection.ts';
import {type UiState} from './ui-state.ts';
import {follows, type ViewName, viewNames, viewRows} from './view-rows.ts';
import {signs} from './status-words.ts';

const names: Readonly<Record<ViewName, string>> = {
	servers: 'Servers',
	approvals: 'Approvals',
	events: 'Events',
	log: 'Log',
	runs: 'Runs and inbox',
};

/** The title of a view: its digit and name, how it follows, how much its filter leaves. */
export function viewTitle(view: ViewName, ui: UiState, snapshot: Snapshot): string {
	const filter = ui.filters[view] ?? '';
	const all = viewRows(view, snapshot, '').length;
	const {rows, index, following} = listPosition(ui, view, snapshot);
	const newer = rows.length - 1 - index;
	return [
		`${viewNames.indexOf(view) + 1} ${names[view]}`,
		follows(view) ? (following ? 'following' : `paused${newer > 0 ? `, ${newer} newer ${signs.more}` : ''}`) : '',
		filter === '' ? `${all}` : `filter: ${filter} (${rows.length} of ${all})`,
	]
		.filter(part => part !== '')
		.join(' · ');
}

/** What an empty list says. */
export function emptyWords(view: ViewName, ui: UiState): string {
	if ((ui.filters[view] ?? '') !== '') {
		return 'nothing passes the filter · Esc clears it';
	}

	switch (view) {
		case 'servers':
			return 'no tool servers · a adds one';
		case 'approvals':
			return 'nothing was asked yet';
		case 'events':
			return 'nothing came in yet';
		case 'log':
			return 'the log is empty';
		case 'runs':
			return 'no runs yet';
	}
}
