import {type Clock, type Timer} from '../../util/clock.ts';

/** Requests the colour of the terminal's background (xterm, Operating System Commands, `OSC 11`). */
export const backgroundRequest = '\u001B]11;?\u0007';

/** A request counts as outstanding for so long. */
export const replyMilliseconds = 150;

/** A reply that takes longer is not used: over a slow connection it takes longer than most, and so it does while a gateway starts. */
export const owedMilliseconds = 5000;

/** The requests for the background of one terminal. */
export type BackgroundQuery = {
	/** Sends a request, unless one is outstanding. */
	readonly ask: () => void;
	/** Takes a reply; false if nobody asked for it, or if it is too late. */
	readonly take: () => boolean;
	/** True while a request is outstanding. */
	readonly isAwaited: () => boolean;
	/** True while a reply may still come. */
	readonly isOwed: () => boolean;
	readonly close: () => void;
};

/** Creates the requests of one terminal. `onEnd` is called when a request is no longer outstanding without a reply. */
export function createBackgroundQuery(options: {
	readonly clock: Clock;
	/** True while the terminal has not accepted the last bytes. */
	readonly isBlocked: () => boolean;
	readonly write: (text: string) => void;
	readonly onEnd: () => void;
}): BackgroundQuery {
	const {clock, isBlocked, write, onEnd} = options;
	let timer: Timer | undefined;
	let owedUntil = 0;
	const end = () => {
		timer?.cancel();
		timer = undefined;
	};

	const wait = () => {
		timer = clock.after(replyMilliseconds, () => {
			// The request itself may still be waiting.
			if (isBlocked()) {
				wait();
				return;
			}

			end();
			onEnd();
		});
	};

	return {
		ask() {
			if (!timer) {
				owedUntil = clock.elapsed() + owedMilliseconds;
				write(backgroundRequest);
				wait();
			}
		},
		take() {
			const isOwed = clock.elapsed() < owedUntil;
			owedUntil = 0;
			end();
			return isOwed;
		},
		isAwaited: () => timer !== undefined,
		isOwed: () => clock.elapsed() < owedUntil,
		close: end,
	};
}
