import {type LogRow, type Snapshot} from '../../state/snapshot.ts';
import {followAnswered} from '../approval/follow-answered.ts';
import {outcomeOf} from '../state/outcome.ts';
import {type UiState, withToast} from '../state/ui-state.ts';

/** The window brought in line with the core: what is settled leaves the screen, a refusal is told. */
export function reconcile(ui: UiState, snapshot: Snapshot): UiState {
	return followAnswered(showTrouble(showOutcome(ui, snapshot), snapshot), snapshot);
}

/** What was under way and has ended is told as ended. */
function showOutcome(ui: UiState, snapshot: Snapshot): UiState {
	const outcome = ui.toast?.awaited && outcomeOf(ui.toast.awaited, snapshot);
	return outcome ? withToast(ui, outcome.text, outcome.tone) : ui;
}

/** A refused order comes back as a log line, so the newest warning or error is shown for a moment. */
function showTrouble(ui: UiState, snapshot: Snapshot): UiState {
	const newest = snapshot.log.at(-1)?.seq ?? 0;
	if (newest <= ui.seenLog) {
		return ui;
	}

	const trouble = newestTrouble(snapshot.log, ui.seenLog);
	const seen = {...ui, seenLog: newest};
	return trouble
		? withToast(seen, `${trouble.area}: ${trouble.text}`, trouble.level === 'error' ? 'bad' : 'busy')
		: seen;
}

function newestTrouble(log: readonly LogRow[], seen: number): LogRow | undefined {
	const found = log.findLast(row => row.seq <= seen || row.level === 'warning' || row.level === 'error');
	return found && found.seq > seen ? found : undefined;
}
