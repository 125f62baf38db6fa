import {type Snapshot} from '../state/snapshot.ts';
import {helpLines} from './help-lines.ts';
import {type Line, span} from './span.ts';
import {type UiState} from './ui-state.ts';
import {viewRows} from './view-rows.ts';

/** The text that is open for reading, as lines: a row's details or the help page. `now` is for ages in it. */
export function openText(ui: UiState, snapshot: Snapshot, now: number): readonly Line[] {
	const {mode} = ui;
	if (mode.kind === 'help') {
		return helpLines(ui.size.columns);
	}

	if (mode.kind !== 'detail') {
		return [];
	}

	const row = viewRows(ui.view, snapshot, '').find(({id}) => id === mode.id);
	return row?.detail(ui.size.columns, now) ?? [[span(' this row is no longer kept', 'dim')]];
}
