import {type GatewayCall} from '../../state/gateway-call.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type KeyPress} from '../state/key-press.ts';
import {isTextMode} from '../state/mode.ts';
import {initialUiState, type LocalAct, type Step, type UiContext, type UiState} from '../state/ui-state.ts';
import {type FullReader} from '../state/full-reader.ts';
import {createKeyGuard, type KeyGuard} from './key-guard.ts';
import {awaitedPress, createPressTimer} from './second-press.ts';
import {type UiEvent, uiStep} from './ui-step.ts';

/** Owner of the dashboard's state: takes keys, the core's events and the ends of calls, and makes calls. */
export type Controller = {
	readonly getState: () => UiState;
	readonly subscribe: (listener: () => void) => () => void;
	/** The presses of one event of the keyboard. */
	readonly press: (keyPresses: readonly KeyPress[]) => void;
	/** Anything else that can happen to the dashboard. */
	readonly dispatch: (event: Exclude<UiEvent, {type: 'key-press'}>) => void;
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
	readonly clock: Clock;
	/** True while the terminal has not accepted the last bytes. */
	readonly isBlocked: () => boolean;
	/** Writes to the terminal, after the last frame. */
	readonly write: (text: string) => void;
	/** Called once when the terminal does not report its position. */
	readonly onSilent: () => void;
	readonly readOnly: boolean;
	/** The state of the dashboard at its start. */
	readonly preferences?: Pick<UiState, 'theme' | 'view' | 'sort'>;
};

/** Keys typed before the first frame could be read are not meant for it. */
export const typeAheadMilliseconds = 300;
const toastMilliseconds = 10_000;
/** Milliseconds that a pending action stays on the screen until its outcome is known. */
const awaitedMilliseconds = 60_000;

/** Creates the state of a dashboard. `close` ends its timers. */
export function createController(options: ControllerOptions): Controller {
	const {store, clock, readOnly, readFull, jobControl} = options;
	const openedAt = clock.elapsed();
	const listeners = new Set<() => void>();
	const notify = () => listeners.forEach(listener => listener());
	let ui: UiState = {...initialUiState, ...options.preferences};
	let closed = false;

	const guard = createKeyGuard({...options, changed: () => changed()});
	const toasts = createToastTimer(clock, id => apply({type: 'toast-ended', id}));
	const presses = createPressTimer(clock, () => apply({type: 'press-lapsed'}));
	const apply = (event: UiEvent) => {
		if (closed) {
			return;
		}

		const before = ui;
		const step = uiStep(ui, event, {snapshot: store.getSnapshot(), readOnly, readFull, jobControl});
		ui = step.ui;
		guard.show(ui, store.getSnapshot());
		toasts.follow(before, ui);
		presses.follow(awaitedPress(ui), ui.mode.kind === 'confirm' || guard.isSeen());
		carryOut(step, options);
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
			const isEarly = clock.elapsed() - openedAt < typeAheadMilliseconds;
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
		...guardParts(guard),
		isArmed: () => guard.readiness() === 'ready',
		close() {
			closed = true;
			toasts.cancel();
			presses.cancel();
			guard.close();
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

/** The part of the guard that the terminal speaks to. */
function guardParts({committed, framePainted, answered, awaitsReply, resumed}: KeyGuard) {
	return {committed, framePainted, answered, awaitsReply, resumed};
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
