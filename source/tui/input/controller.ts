import {type GatewayCall} from '../../state/gateway-call.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {lackedPage} from '../pages/page-column.ts';
import {type KeyPress} from '../state/key-press.ts';
import {type BackgroundQuery, createBackgroundQuery} from '../terminal/background-query.ts';
import {type TerminalReport} from '../terminal/control-sequences.ts';
import {type TerminalReply} from '../terminal/position-reports.ts';
import {isTextMode} from '../state/mode.ts';
import {type SettingName} from '../state/display-settings.ts';
import {initialUiState, type LocalAct, type Step, type UiContext, type UiState} from '../state/ui-state.ts';
import {type FullReader} from '../state/full-reader.ts';
import {createRestTimer} from './column-actions.ts';
import {createKeyGuard, type KeyGuard} from './key-guard.ts';
import {awaitedPress, createPressTimer} from '../state/second-press.ts';
import {type UiEvent, uiStep} from './ui-step.ts';

/** Owner of the dashboard's state: takes keys, the core's events and the ends of calls, and makes calls. */
export type Controller = {
	readonly getState: () => UiState;
	readonly subscribe: (listener: () => void) => () => void;
	/** The presses of one event of the keyboard. */
	readonly press: (keyPresses: readonly KeyPress[]) => void;
	/** Anything else that can happen to the dashboard. */
	readonly dispatch: (event: Exclude<UiEvent, {type: 'key-press'}>) => void;
	/** The terminal reported something that is no key. */
	readonly reported: (report: TerminalReport) => void;
	/** The tree that was committed last shows this screen. */
	readonly committed: (screen: string) => void;
	/** A frame of the committed tree was handed to the terminal. */
	readonly framePainted: () => void;
	/** The terminal answered; and whether it still owes an answer. */
	readonly answered: KeyGuard['answered'];
	readonly awaitsReply: () => boolean;
	/** The terminal is ours again after a pause; to be called before anything is drawn. */
	readonly resumed: () => void;
	/** True if a key would decide now. For the status line. */
	readonly isArmed: () => boolean;
	readonly close: () => void;
};

export type ControllerOptions = {
	/** The part of the store that is read. */
	readonly store: {
		readonly getSnapshot: () => UiContext['snapshot'];
		readonly subscribe: (listener: () => void) => () => void;
	};
	/** Makes a call; its end is dispatched. */
	readonly make: (call: GatewayCall) => void;
	readonly act: (act: LocalAct) => void;
	readonly readFull?: FullReader | undefined;
	readonly jobControl?: UiContext['jobControl'];
	readonly ownKeys?: UiContext['ownKeys'];
	readonly clock: Clock;
	/** True while the terminal has not accepted the last bytes. */
	readonly isBlocked: () => boolean;
	/** Writes to the terminal, after the last frame. */
	readonly write: (text: string) => void;
	/** Called once when the terminal does not report its position. */
	readonly onSilent: () => void;
	readonly readOnly: boolean;
	/** The state of the dashboard at its start. */
	readonly preferences?: Partial<Pick<UiState, SettingName | 'view' | 'sort'>>;
	/** Without colours, the terminal is not asked for its background. */
	readonly colors?: 'used' | 'unused';
	/** The row of the list that is drawn in a cell of the screen. */
	readonly rowAt?: (column: number, row: number) => string | undefined;
};

/** Keys typed before the first frame could be read are not meant for it. */
export const typeAheadMilliseconds = 300;
const toastMilliseconds = 10_000;
/** Milliseconds that a pending action stays on the screen until its outcome is known. */
const awaitedMilliseconds = 60_000;

/** Creates the state of a dashboard. `close` ends its timers. */
export function createController(options: ControllerOptions): Controller {
	const {store, clock, readOnly, readFull, jobControl, ownKeys} = options;
	const typeAhead = createTypeAhead(clock);
	const listeners = new Set<() => void>();
	const notify = () => listeners.forEach(listener => listener());
	let ui: UiState = {...initialUiState, ...options.preferences};
	let closed = false;
	const background = createBackgroundFollower(options, {getUi: () => ui, onEnd: () => changed()});
	const guard = createKeyGuard({...options, isReplyAwaited: background.isAwaited, changed: () => changed()});
	const toasts = createToastTimer(clock, id => apply({type: 'toast-ended', id}));
	const presses = createPressTimer(clock, () => apply({type: 'press-lapsed'}));
	const rest = createRestTimer(clock, () => apply({type: 'cursor-rested'}));
	const apply = (event: UiEvent) => {
		if (closed) {
			return;
		}

		const before = ui;
		const step = uiStep(ui, event, {snapshot: store.getSnapshot(), readOnly, readFull, jobControl, ownKeys});
		ui = step.ui;
		guard.show(ui, store.getSnapshot());
		toasts.follow(before, ui);
		presses.follow(awaitedPress(ui), ui.mode.kind === 'confirm' || guard.isSeen());
		rest.follow(ui.view, lackedPage(ui, store.getSnapshot()));
		carryOut(step, options);
		background.follow(before, event);
		if (ui !== before) {
			notify();
		}
	};

	const changed = () => {
		if (guard.isSeen()) {
			apply({type: 'screen-seen'});
		}

		notify();
	};

	const unsubscribe = store.subscribe(() => apply({type: 'snapshot'}));
	return {
		getState: () => ui,
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		press(keyPresses) {
			const isEarly = typeAhead.isEarly();
			const readiness = guard.readiness();
			guard.touched();
			for (const keyPress of keyPresses.filter(({name}) => !isEarly || name === 'ctrl+c')) {
				const isSent = keyPress.name === 'enter' && isTextMode(ui.mode);
				apply({type: 'key-press', keyPress, readiness});
				if (isSent && !isTextMode(ui.mode)) {
					// The rest of a chunk whose Enter sent a line was meant as text, too.
					return;
				}
			}
		},
		dispatch(event) {
			if (event.type === 'pasted') {
				guard.touched();
			}

			apply(event);
		},
		...terminalParts({guard, background, apply, getUi: () => ui, rowAt: options.rowAt, typeAhead}),
		close() {
			closed = true;
			[toasts, presses, rest].forEach(timer => timer.cancel());
			[background, guard].forEach(part => part.close());
			unsubscribe();
			listeners.clear();
		},
	};
}

/** Makes the calls of a step and does its act. */
function carryOut({calls, act}: Step, options: Pick<ControllerOptions, 'make' | 'act'>): void {
	calls.forEach(call => options.make(call));
	if (act) {
		options.act(act);
	}
}

/** Keys that were typed before this screen, or for another program, are not meant for it. */
function createTypeAhead(clock: Clock) {
	let since = clock.elapsed();
	return {
		isEarly: () => clock.elapsed() - since < typeAheadMilliseconds,
		begin: () => void (since = clock.elapsed()),
	};
}

/** The requests for the background, which are sent while the theme follows it. */
type BackgroundFollower = BackgroundQuery & {
	/** Asks behind the first frame. */
	readonly framePainted: () => void;
	/** Asks when the theme was chosen, and when the window of a terminal that has answered comes back. */
	readonly follow: (before: UiState, event: UiEvent) => void;
};

function createBackgroundFollower(
	options: Pick<ControllerOptions, 'clock' | 'isBlocked' | 'write' | 'colors'>,
	{getUi, onEnd}: {readonly getUi: () => UiState; readonly onEnd: () => void},
): BackgroundFollower {
	const query = createBackgroundQuery({...options, onEnd});
	let isBegun = false;
	const ask = () => (getUi().theme === 'auto' && options.colors === 'used' ? query.ask() : undefined);
	return {
		...query,
		ask,
		framePainted() {
			if (!isBegun) {
				isBegun = true;
				ask();
			}
		},
		follow(before, event) {
			const {theme, background} = getUi();
			if (theme !== before.theme || (event.type === 'focus-in' && background !== 'unknown')) {
				ask();
			}
		},
	};
}

type TerminalSide = {
	readonly guard: KeyGuard;
	readonly background: BackgroundFollower;
	readonly apply: (event: UiEvent) => void;
	readonly getUi: () => UiState;
	readonly rowAt: ControllerOptions['rowAt'];
	readonly typeAhead: ReturnType<typeof createTypeAhead>;
};

/** The part of the controller that the terminal speaks to. */
function terminalParts(side: TerminalSide) {
	const {guard, background, apply, getUi} = side;
	return {
		committed: guard.committed,
		isArmed: () => guard.readiness() === 'ready',
		framePainted() {
			guard.framePainted();
			background.framePainted();
		},
		answered(reply: TerminalReply) {
			guard.answered(reply);
			if (getUi().terminal === 'unknown' && guard.isAnswering()) {
				apply({type: 'terminal-answered'});
			}
		},
		awaitsReply: () => guard.awaitsReply() || background.isOwed(),
		resumed() {
			side.typeAhead.begin();
			guard.resumed();
			background.ask();
		},
		reported: (report: TerminalReport) => takeReport(report, side),
	};
}

/** Takes a report of the terminal. The mouse counts as the keyboard: a hand is at it. */
function takeReport(report: TerminalReport, {guard, background, apply, rowAt}: TerminalSide): void {
	switch (report.type) {
		case 'focus-in':
		case 'focus-out':
		case 'input-lost':
			apply(report);
			break;
		case 'background':
			// One that nobody asked for, or that is too late, is not used.
			if (background.take()) {
				apply(report);
			}

			break;
		case 'color-scheme':
			apply({type: 'background', shade: report.shade});
			break;
		case 'wheel':
			guard.touched();
			apply(report);
			break;
		case 'click': {
			guard.touched();
			const id = rowAt?.(report.column, report.row);
			if (id !== undefined) {
				apply({type: 'row-clicked', id});
			}
		}
	}
}

/** Ends each toast after its time; a newer toast replaces an older one. */
function createToastTimer(clock: Clock, onEnd: (id: number) => void) {
	let timer: Timer | undefined;
	const cancel = () => timer?.cancel();
	return {
		cancel,
		follow({toast: before}: UiState, {toast}: UiState): void {
			if (toast && toast.id !== before?.id) {
				cancel();
				timer = clock.after(toast.awaited ? awaitedMilliseconds : toastMilliseconds, () => onEnd(toast.id));
			}
		},
	};
}
