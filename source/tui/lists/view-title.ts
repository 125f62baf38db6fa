import {type Snapshot} from '../../state/snapshot.ts';
import {listViewProfile, hasProfiles} from '../state/profiles.ts';
import {listPosition} from './selection.ts';
import {type UiState} from '../state/ui-state.ts';
import {own, signs} from '../text/status-text.ts';
import {follows, type ViewName, viewNames} from '../state/view-names.ts';
import {viewRows} from './view-rows.ts';

const names: Readonly<Record<ViewName, string>> = {
	servers: 'Servers',
	approvals: 'Approvals',
	events: 'Events',
	log: 'Log',
	runs: 'Runs and inbox',
	jobs: 'Jobs',
	routes: 'Routes',
	calls: 'Calls under way',
	parts: 'Parts',
	logins: 'Logins',
	tools: 'Tools',
	rules: 'Remembered approvals',
};

/** The title of a view: its digit and name, how it follows, how much its filter leaves. */
export function viewTitle(view: ViewName, ui: UiState, snapshot: Snapshot): string {
	const filter = ui.filters[view] ?? '';
	const all = viewRows(view, snapshot, '').length;
	const {rows, index, following} = listPosition(ui, view, snapshot);
	const newer = rows.length - 1 - index;
	return [
		viewName(view),
		hasProfiles(snapshot) ? (listViewProfile(view, snapshot) ?? '') : '',
		follows(view) ? (following ? 'following' : `paused${newer > 0 ? `, ${newer} newer ${signs.more}` : ''}`) : '',
		filter === '' ? `${all}` : `filter: ${filter} (${rows.length} of ${all})`,
	]
		.filter(part => part !== '')
		.join(own` · `);
}

/** A view by its digit, where it has one, and its name. */
function viewName(view: ViewName): string {
	const digit = viewNames.findIndex(name => name === view) + 1;
	return digit === 0 ? names[view] : `${digit} ${names[view]}`;
}

/** What an empty list says. */
export function emptyText(view: ViewName, ui: UiState): string {
	if ((ui.filters[view] ?? '') !== '') {
		return own`nothing passes the filter · Esc clears it`;
	}

	switch (view) {
		case 'servers':
			return own`no tool servers · a adds one`;
		case 'approvals':
			return 'nothing was asked yet';
		case 'events':
			return 'nothing came in yet';
		case 'log':
			return 'the log is empty';
		case 'runs':
			return own`no runs yet · n starts one`;
		case 'jobs':
			return own`no scheduled jobs · sluice cron create`;
		case 'routes':
			return own`no webhook routes · sluice webhook subscribe NAME`;
		case 'calls':
			return 'no call is under way';
		case 'parts':
			return 'nothing was told yet';
		case 'logins':
			return own`no login is under way · L on a server begins one`;
		case 'tools':
			return own`asking the gateway …`;
		case 'rules':
			return 'no approval is remembered';
	}
}
