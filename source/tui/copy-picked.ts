import {type Snapshot} from '../state/snapshot.ts';
import {loginOf} from './login-keys.ts';
import {pickedId} from './picked-row.ts';
import {type UiState, withToast} from './ui-state.ts';
import {viewRows} from './view-rows.ts';
import {copy} from './window-wishes.ts';

/** Copies what the picked row is known by: a name, an id, an address. */
export function copyPicked(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	const login = mode.kind === 'login' ? loginOf(mode, {snapshot}) : undefined;
	const text =
		mode.kind === 'login'
			? (login?.verificationUri ?? login?.authorizationUrl)
			: viewRows(ui.view, snapshot, '').find(({id}) => id === pickedId(ui, snapshot))?.copy;
	return text === undefined || text === '' ? withToast(ui, 'there is nothing to copy', 'busy') : copy(ui, text);
}
