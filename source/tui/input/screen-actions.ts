import {type Snapshot} from '../../state/snapshot.ts';
import {viewRows} from '../lists/view-rows.ts';
import {type UiContext, type UiState, withCopied, withToast} from '../state/ui-state.ts';
import {themeNames} from '../text/theme.ts';
import {pickedId} from '../state/selection.ts';
import {loginOf} from './login-actions.ts';
import {pickedCommand} from './trace-actions.ts';

/** Copies what the picked row is known by: a name, an id, an address. */
export function copyPicked(ui: UiState, {snapshot}: UiContext): UiState {
	const text = pickedText(ui, snapshot);
	return text === undefined || text === '' ? withToast(ui, 'there is nothing to copy', 'busy') : withCopied(ui, text);
}

function pickedText(ui: UiState, snapshot: Snapshot): string | undefined {
	if (ui.mode.kind === 'login') {
		const login = loginOf(ui.mode, snapshot);
		return login?.verificationUri ?? login?.authorizationUrl;
	}

	const command = pickedCommand(ui, snapshot);
	if (command !== undefined) {
		return command;
	}

	return viewRows(ui.view, snapshot, '').find(({id}) => id === pickedId(ui, snapshot))?.copy;
}

/** Changes to the next theme. */
export function nextTheme(ui: UiState): UiState {
	return withTheme(ui, themeNames[(themeNames.indexOf(ui.theme) + 1) % themeNames.length] ?? 'dark');
}

/** Changes to the theme of a name. */
export function withTheme(ui: UiState, name: string): UiState {
	const theme = themeNames.find(known => known === name);
	return theme === undefined
		? withToast(ui, `themes: ${themeNames.join(', ')}`, 'busy')
		: {...withToast(ui, `theme ${theme}`), theme};
}
