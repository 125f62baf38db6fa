import {type Clock, type Timer} from '../../util/clock.ts';
import {type CallOptions} from '../validate-call.ts';

/** The callbacks of a call by which it says that it waits for a person. */
type WaitCallbacks = Pick<CallOptions, 'onAsking' | 'onHeld' | 'onQuestion'>;

/** The time in which a call waits for a person, for whatever reason. */
export type WaitTimer = {
	/** The same callbacks, and the timer goes on while one of them says so. */
	readonly watching: (watch: WaitCallbacks) => Required<WaitCallbacks>;
	/** Begins again. */
	readonly again: () => void;
	/** The call is over. */
	readonly end: () => void;
};

/** Creates it; `onLong` is called once the call has waited so many milliseconds in all. */
export function createWaitTimer(clock: Clock, milliseconds: number, onLong: () => void): WaitTimer {
	const reasons = new Set<keyof WaitCallbacks>();
	let left = milliseconds;
	let began = 0;
	let timer: Timer | undefined;
	const stop = () => {
		if (timer) {
			timer.cancel();
			timer = undefined;
			left -= clock.elapsed() - began;
		}
	};

	const start = () => {
		if (reasons.size > 0 && !timer) {
			began = clock.elapsed();
			timer = clock.after(Math.max(0, left), () => {
				timer = undefined;
				left = Number.POSITIVE_INFINITY;
				onLong();
			});
		}
	};

	const note = (reason: keyof WaitCallbacks, isWaiting: boolean) => {
		if (isWaiting) {
			reasons.add(reason);
		} else {
			reasons.delete(reason);
		}

		if (reasons.size === 0) {
			stop();
		} else if (Number.isFinite(left)) {
			start();
		}
	};

	return {
		watching: ({onAsking, onHeld, onQuestion}) => ({
			onAsking(isAsking, id) {
				note('onAsking', isAsking);
				onAsking?.(isAsking, id);
			},
			onHeld(isHeld) {
				note('onHeld', isHeld);
				onHeld?.(isHeld);
			},
			onQuestion(isOpen) {
				note('onQuestion', isOpen);
				onQuestion?.(isOpen);
			},
		}),
		again() {
			left = milliseconds;
			start();
		},
		end() {
			reasons.clear();
			stop();
		},
	};
}
