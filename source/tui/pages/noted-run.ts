import {type RunRow, type Snapshot} from '../../state/snapshot.ts';
import {isInboxItem} from '../../state/waiting.ts';
import {type Mode} from '../state/mode.ts';
import {pickedId} from '../state/selection.ts';
import {type UiState} from '../state/ui-state.ts';
import {traceEntries} from './trace-page.ts';

/**
The run that a note is written to: the one that is picked in the list of runs, or whose trace is open. Also one that has just ended, which refuses the
text: where no line opened, its letters would be keys. Undefined for an inbox item, which is answered.
*/
export function notedRun(ui: UiState, snapshot: Snapshot): RunRow | undefined {
	const id = tracedRunId(ui.mode, ui, snapshot) ?? (ui.view === 'runs' ? pickedId(ui, snapshot) : undefined);
	return snapshot.runs.find(run => run.runId === id && !isInboxItem(run));
}

function tracedRunId(mode: Mode, ui: UiState, snapshot: Snapshot): string | undefined {
	if (mode.kind === 'page') {
		return tracedRunId(mode.behind, ui, snapshot);
	}

	return mode.kind === 'trace' ? traceEntries(mode, ui.view, snapshot).trace?.runId : undefined;
}
