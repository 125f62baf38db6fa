import {type Send} from '../state/command.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {createArmingGate} from './arming-gate.ts';
import {type Stroke} from './stroke.ts';
import {hasField, strokeEvent} from './stroke-event.ts';
import {type UiEvent} from './ui-event.ts';
import {initialUiState, type UiContext, type UiState} from './ui-state.ts';
import {uiStep} from './ui-step.ts';

/** Owner of the window's state: takes what the keyboard and the core tell, sends orders. */
export type Controller = {
	readonly getState: () => UiState;
	readonly subscribe: (listener: () => void) => () => void;
	/** The presses of one event of the keyboard. */
	readonly press: (strokes: readonly Stroke[]) => void;
	/** Anything else that can happen to the window. */
	readonly tell: (event: Exclude<UiEvent, {type: 'stroke' | 'typed-ahead'}>) => void;
	/** The tree that was committed last shows this screen. */
	readonly committed: (screen: string) => void;
	/** A frame of the committed tree was handed to the terminal. */
	readonly framePainted: () => void;
	/** Whether a key would decide now. For the word on the screen. */
	readonly isArmed: () => boolean;
	readonly close: () => void;
};

export type ControllerOptions = {
	/** The store, as far as it is looked into. */
	readonly store: {
		readonly getSnapshot: () => UiContext['snapshot'];
		readonly subscribe: (listener: () => void) => () => void;
	};
	readonly send: Send;
	readonly clock: Clock;
	/** True while the terminal has not taken the last bytes. */
	readonly hold: () => boolean;
	readonly readOnly: boolean;
	readonly theme: UiState['theme'];
};

/** Keys typed before the first frame could be read are not meant for it. */
const typeAheadMilliseconds = 300;
const toastMilliseconds = 6000;

/** Opens the state of a window. */
export function createController(options: ControllerOptions): Controller {
	const {store, send, clock, readOnly} = options;
	const openedAt = clock.elapsed();
	const listeners = new Set<() => void>();
	const notify = () => listeners.forEach(listener => listener());
	let ui: UiState = {...initialUiState, theme: options.theme};
	let toastTimer: Timer | undefined;
	let closed = false;

	const gate = createArmingGate({clock, hold: options.hold, changed: notify});

	const apply = (event: UiEvent) => {
		if (closed) {
			return;
		}

		const before = ui;
		const step = uiStep(ui, event, {snapshot: store.getSnapshot(), readOnly});
		ui = step.ui;
		gate.show(ui, store.getSnapshot());
		const {toast} = ui;
		if (toast && toast.id !== before.toast?.id) {
			toastTimer?.cancel();
			toastTimer = clock.after(toastMilliseconds, () => apply({type: 'toast-ended', id: toast.id}));
		}

		for (const command of step.commands) {
			send(command);
		}

		if (ui !== before) {
			notify();
		}
	};

	const unsubscribe = store.subscribe(() => apply({type: 'snapshot'}));

	return {
		getState: () => ui,
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		press(strokes) {
			const isEarly = clock.elapsed() - openedAt < typeAheadMilliseconds;
			const readiness = gate.readiness();
			gate.touched();
			const hadField = hasField(ui);
			for (const stroke of strokes.filter(({name}) => !isEarly || name === 'ctrl+c')) {
				apply(strokeEvent(stroke, {ui, hadField, readiness}));
			}
		},
		tell(event) {
			if (event.type === 'pasted') {
				gate.touched();
			}

			apply(event);
		},
		committed: gate.committed,
		framePainted: gate.framePainted,
		isArmed: () => gate.readiness() === 'ready',
		close() {
			closed = true;
			toastTimer?.cancel();
			gate.close();
			unsubscribe();
			listeners.clear();
		},
	};
}
