import {type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {uncertainId} from '../lists/uncertain-rows.ts';
import {loginId} from '../lists/login-rows.ts';
import {hasProfiles} from './profiles.ts';
import {selectedRow} from './selection.ts';
import {serverId} from '../lists/server-rows.ts';
import {type UiState} from './ui-state.ts';
import {follows, views} from '../lists/view-table.ts';

/** The id of the row a key is meant for: the one that is open, or the selected one. */
export function pickedId(ui: UiState, snapshot: Snapshot): string | undefined {
	return ui.mode.kind === 'detail' ? ui.mode.id : selectedRow(ui, snapshot)?.id;
}

/** The server a key is meant for: the picked one, or that of a picked login or uncertain call. */
export function pickedServer(ui: UiState, snapshot: Snapshot): Pick<ServerRow, 'server' | 'profile'> | undefined {
	const id = pickedId(ui, snapshot);
	return (
		snapshot.servers.find(row => ui.view === 'servers' && serverId(row) === id) ??
		snapshot.logins.find(row => ui.view === 'logins' && loginId(row) === id) ??
		snapshot.uncertain.find(row => ui.view === 'approvals' && uncertainId(row) === id)
	);
}

/**
The profile a key or a typed word without a name of its own is meant for: that of the picked row or open list. Undefined is the gateway's first one:
where there is no other, and where the row was picked by whatever came in last.
*/
export function pickedProfile(ui: UiState, snapshot: Snapshot): string | undefined {
	const isFirstSelection = follows(ui.view) && ui.selected[ui.view] === undefined;
	if (!hasProfiles(snapshot) || isFirstSelection) {
		return undefined;
	}

	return views[ui.view].profile?.(snapshot) ?? selectedRow(ui, snapshot)?.fields()['profile'];
}
