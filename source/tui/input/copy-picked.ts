import {type Snapshot} from '../../state/snapshot.ts';
import {loginOf} from './login-keys.ts';
import {pickedId} from '../state/selection.ts';
import {type UiState, withToast} from '../state/ui-state.ts';
import {viewRows} from '../lists/view-rows.ts';
import {copy} from './theme-actions.ts';

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
