import {type ConsoleState} from '../../state/console-state.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {lostPage} from '../approval/settled.ts';
import {manualCallUnderWay} from '../pages/shown-text.ts';
import {type Mode} from '../state/mode.ts';
import {lossText} from './call-ends.ts';
import {loginMode} from './login-actions.ts';
import {type Step, stay, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';

/** The dashboard after its connection with the gateway was lost or is there again (docs/dashboard.md, Attached). */
export function followConsole(ui: UiState, snapshot: Snapshot): UiState {
	const {console} = snapshot;
	const before = ui.console;
	if (console === before) {
		return ui;
	}

	const seen = {...ui, console};
	if (console.state === 'lost' && before.state !== 'lost') {
		return afterLoss(seen, snapshot);
	}

	if (console.state !== 'attached') {
		return seen;
	}

	// Lines that the log had before are not reported to this window.
	const current = {...seen, seenLog: snapshot.log.at(-1)?.seq ?? 0};
	return isAgain(before, console)
		? withToast(current, uiText`attached again · process ${console.pid}`, 'good')
		: current;
}

function isAgain(before: ConsoleState, {number}: Extract<ConsoleState, {state: 'attached'}>): boolean {
	return before.state === 'lost' || (before.state === 'attached' && before.number !== number);
}

/** Nothing is left that a key could say yes to, or that waits for an end that nobody would report. */
function afterLoss(ui: UiState, snapshot: Snapshot): UiState {
	const {toast} = ui;
	const settled = withMode(ui, modeAfterLoss(ui, snapshot));
	const left: UiState = {...settled, manualCall: undefined};
	return toast?.awaited ? withToast(left, lossText(toast), 'busy') : left;
}

function modeAfterLoss(ui: UiState, snapshot: Snapshot): Mode {
	const {mode} = ui;
	if (mode.kind === 'confirm') {
		return mode.behind;
	}

	if (mode.kind === 'login') {
		return loginMode(mode);
	}

	return mode.kind === 'manual-call' && manualCallUnderWay(ui, snapshot)
		? lostPage({kind: 'call', id: mode.name}, snapshot)
		: mode;
}

/** A step whose calls nobody can take: it is as if the key had not been pressed, except for a line that says so. */
export function withoutConnection(ui: UiState, step: Step, {console}: Snapshot): Step {
	const asks = step.calls.length > 0 || step.act?.type === 'start-demo';
	if (!asks || console.state !== 'lost') {
		return step;
	}

	const {mode} = ui;
	const open = mode.kind === 'confirm' ? withMode(ui, mode.behind) : ui;
	return stay(withToast(open, noConnection, 'busy'));
}

/** The reply to a key while the connection is lost. */
export const noConnection = 'no connection with the gateway; nothing was done';
