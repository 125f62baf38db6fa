import {type Clock, sleep} from '../util/clock.ts';
import {type Controller} from './input/controller.ts';
import {type TerminalInput} from './terminal/terminal-input.ts';
import {type TerminalSwitches} from './terminal/terminal-switches.ts';
import {takeBackSequence, type TerminalOutput} from './terminal/terminal-output.ts';

/** Hands the terminal back until the returned value is resumed. */
export type SuspendTerminal = () => Promise<{readonly resume: () => Promise<void>}>;

/** Lets others use the terminal; `not-lent`: it is lent already, or nothing was drawn yet. */
export type HandOver = <Result>(use: () => Promise<Result>) => Promise<Result | 'not-lent'>;

export type HandOverOptions = {
	readonly clock: Clock;
	readonly controller: Pick<Controller, 'resumed' | 'awaitsReply'>;
	readonly input: Pick<TerminalInput, 'pause' | 'resume'>;
	readonly output: Pick<TerminalOutput, 'isBlocked' | 'retake'>;
	readonly switches: Pick<TerminalSwitches, 'giveBack' | 'takeAgain'>;
	/** Writes between the frames. */
	readonly write: (text: string) => void;
	/** Hands the terminal back; undefined before the first frame. */
	readonly suspendTerminal: () => SuspendTerminal | undefined;
	/** Sets the title of the terminal, which another program may have changed. */
	readonly titleSequence: () => string;
	/** Called when the terminal is lent, and when it is back. */
	readonly onHolder: (holder: 'dashboard' | 'other') => void;
};

const waitMilliseconds = 200;
const pollMilliseconds = 10;

/**
Creates the function that gives the terminal away, and takes it again with all its modes. Others begin once the terminal owes no reply, which would be typed
into their input, and has taken all bytes.
*/
export function createHandOver(options: HandOverOptions): HandOver {
	const {clock, controller, input, output, switches, write, onHolder} = options;
	let terminal: 'own' | 'lent' = 'own';
	return async use => {
		const suspendTerminal = options.suspendTerminal();
		if (!suspendTerminal || terminal === 'lent') {
			return 'not-lent';
		}

		terminal = 'lent';
		await waitWhile(() => controller.awaitsReply() && !output.isBlocked(), clock);
		switches.giveBack();
		const suspension = await suspendTerminal();
		input.pause();
		await waitWhile(output.isBlocked, clock);
		onHolder('other');
		try {
			return await use();
		} finally {
			onHolder('dashboard');
			output.retake();
			// Before anything is drawn again.
			controller.resumed();
			input.resume();
			write(takeBackSequence + options.titleSequence());
			switches.takeAgain();
			await suspension.resume();
			terminal = 'own';
		}
	};
}

async function waitWhile(isWaiting: () => boolean, clock: Clock): Promise<void> {
	const until = clock.elapsed() + waitMilliseconds;
	while (isWaiting() && clock.elapsed() < until) {
		await sleep(clock, pollMilliseconds);
	}
}
