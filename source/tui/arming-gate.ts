import {type Snapshot} from '../state/snapshot.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {
	arm,
	type Arming,
	disarmed,
	quietMilliseconds,
	type Readiness,
	readableMilliseconds,
	readiness,
} from './arming.ts';
import {screenKey} from './screen-key.ts';
import {type UiState} from './ui-state.ts';

/** Keeps the arming of the deciding keys in step with what really is on the screen. */
export type ArmingGate = {
	/** The screen that is to be shown. */
	readonly show: (ui: UiState, snapshot: Snapshot) => void;
	readonly committed: (screen: string) => void;
	readonly framePainted: () => void;
	readonly touched: () => void;
	readonly readiness: () => Readiness;
	readonly close: () => void;
};

export type ArmingGateOptions = {
	readonly clock: Clock;
	readonly hold: () => boolean;
	/** Called when the keys may have become armed or disarmed by time alone. */
	readonly changed: () => void;
};

const drainPollMilliseconds = 50;

/** Opens a gate. A frame counts as painted only when the terminal has taken all of it. */
export function createArmingGate(options: ArmingGateOptions): ArmingGate {
	const {clock, hold, changed} = options;
	let arming: Arming = disarmed;
	let committedScreen = '';
	let drainTimer: Timer | undefined;
	let readyTimer: Timer | undefined;

	const now = (): Readiness => (hold() ? 'unpainted' : readiness(arming, clock.elapsed()));

	/** Has the word on the screen change when time alone makes the keys ready. */
	const awaitReady = () => {
		readyTimer?.cancel();
		if (arming.screen !== '' && now() !== 'ready') {
			readyTimer = clock.after(Math.max(readableMilliseconds, quietMilliseconds), () => {
				changed();
				awaitReady();
			});
		}
	};

	const painted = (screen: string) => {
		drainTimer?.cancel();
		if (screen === '' || screen !== arming.screen || arming.paintedAt !== undefined) {
			return;
		}

		if (hold()) {
			drainTimer = clock.after(drainPollMilliseconds, () => painted(screen));
			return;
		}

		arming = arm(arming, {type: 'painted', screen, at: clock.elapsed()});
		awaitReady();
	};

	return {
		show(ui, snapshot) {
			arming = arm(arming, {type: 'shown', screen: screenKey(ui, snapshot)});
		},
		committed(screen) {
			committedScreen = screen;
		},
		framePainted: () => painted(committedScreen),
		touched() {
			arming = arm(arming, {type: 'input', at: clock.elapsed()});
			awaitReady();
		},
		readiness: now,
		close() {
			drainTimer?.cancel();
			readyTimer?.cancel();
		},
	};
}
