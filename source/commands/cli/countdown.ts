import {type LoginState} from '../../state/person-event.ts';
import {type Clock, type Timer} from '../../util/clock.ts';

/** One line that counts the time left of a login, drawn over itself each second. */
export type Countdown = {
	readonly show: (login: LoginState) => void;
	/** Ends the line. */
	readonly stop: () => void;
};

/** Opens a countdown that writes to a terminal; nothing is drawn before a login waits for a person. */
export function createCountdown(clock: Clock, write: (text: string) => void): Countdown {
	let waiting: LoginState | undefined;
	let timer: Timer | undefined;
	const draw = () => {
		if (waiting?.expiresAt === undefined) {
			return;
		}

		const seconds = Math.max(0, Math.ceil((waiting.expiresAt - clock.now()) / 1000));
		const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
		const asked = waiting.polls ? `, asked ${waiting.polls} times` : '';
		// Back to the begin of the line, and clear it.
		write(`\r\u001B[KWaiting for you, ${left} left${asked}`);
		timer?.cancel();
		timer = clock.after(1000, draw);
	};

	const stop = () => {
		timer?.cancel();
		if (waiting) {
			write('\r\u001B[K');
		}

		waiting = undefined;
	};

	return {
		show(login) {
			// A redirect may be pasted: the line that is typed on is not to be drawn over.
			if (login.state === 'awaiting-device') {
				waiting = login;
				draw();
			} else {
				stop();
			}
		},
		stop,
	};
}
