import {type ServerRow, type Snapshot} from '../state/snapshot.ts';
import {uncertainId} from './uncertain-rows.ts';
import {loginId} from './login-rows.ts';
import {selectedRow} from './selection.ts';
import {serverId} from './server-rows.ts';
import {type UiState} from './ui-state.ts';

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
