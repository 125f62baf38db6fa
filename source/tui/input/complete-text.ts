import {type Snapshot} from '../../state/snapshot.ts';
import {suggestedCommands} from './palette.ts';
import {replaceText} from './text-keys.ts';
import {type UiState} from '../state/ui-state.ts';

/** The window after tab in a typed command: completed, when there is one that begins so. */
export function completeText(ui: UiState, snapshot: Snapshot): UiState {
	if (ui.mode.kind !== 'palette') {
		return ui;
	}

	const {value} = ui.mode.field;
	const found = suggestedCommands(value, snapshot).find(command => command.startsWith(value));
	return value === '' || found === undefined ? ui : replaceText(ui, found);
}
