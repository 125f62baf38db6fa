import {type Snapshot} from '../../state/snapshot.ts';
import {loginMode} from './login-keys.ts';
import {loginId} from '../lists/login-rows.ts';
import {selectedRow} from '../state/selection.ts';
import {type UiContext, withCommand, type Step, stay, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {waitingMode, oldestWaiting} from '../approval/waiting-mode.ts';
import {webhookEvent} from '../lists/event-rows.ts';

/** The whole of a text that goes on growing is read from its end. */
export const end = Number.MAX_SAFE_INTEGER;

/** Opens the selected row: what waits to be decided, a login, or all that is known about it. */
export function openSelected(ui: UiState, context: UiContext): Step {
	const {snapshot} = context;
	const row = selectedRow(ui, snapshot);
	if (!row) {
		return stay(ui);
	}

	const waiting = ui.view === 'approvals' ? waitingMode(row.id, ui, snapshot) : undefined;
	const login = ui.view === 'logins' ? snapshot.logins.find(candidate => loginId(candidate) === row.id) : undefined;
	if (waiting || login) {
		return stay(withMode(ui, waiting ?? loginMode(login ?? {server: '', profile: ''})));
	}

	const isRunning =
		ui.view === 'runs' && snapshot.runs.some(({runId, state}) => runId === row.id && state === 'running');
	const opened = withMode(ui, {kind: 'detail', id: row.id, scroll: isRunning ? end : 0});
	const event = ui.view === 'events' ? webhookEvent(row.id, snapshot) : undefined;
	return event
		? withCommand(opened, {type: 'show-event', eventId: event.eventId, profile: event.profile}, context)
		: stay(opened);
}

/** Opens what waits longest for a person. */
export function openWaiting(ui: UiState, snapshot: Snapshot): UiState {
	const mode = oldestWaiting(ui, snapshot);
	return mode ? withMode(ui, mode) : withToast(ui, 'nothing waits for an answer');
}
