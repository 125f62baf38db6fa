import {createInterface} from 'node:readline';
import {type LoginAccess} from '../../gateway/own-logins.ts';
import {type LoginState} from '../../state/person-event.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {toProblem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {countdownText, loginText, type TerminalSize} from './login-text.ts';

type LoginOptions = NonNullable<Parameters<LoginAccess['start']>[1]>;

/** Runs one login and shows it; what a person pastes is taken for its redirect. Ctrl-C calls it off. Rejects when there is nothing to log in to. */
export async function watchLogin(
	context: Pick<CommandContext, 'clock' | 'stdout' | 'stderr' | 'signal'>,
	access: LoginAccess,
	{server, ...options}: LoginOptions & {readonly server: string},
): ReturnType<LoginAccess['start']> {
	const countdown = terminalSize() && createCountdown(context.clock, context.stdout);
	let shown: LoginState['state'] | undefined;
	let endLines: (() => void) | undefined;

	const show = (login: LoginState) => {
		if (login.state !== shown) {
			context.stdout(loginText(login, terminalSize()));
			shown = login.state;
		}

		countdown?.show(login);
		if (login.state === 'awaiting-redirect') {
			endLines ??= onTypedLine(paste);
		}
	};

	const cancel = () => access.cancel(server);
	const paste = (line: string) => {
		if (line.trim().toLowerCase() === 'cancel') {
			cancel();
		} else if (line.trim() !== '') {
			access.finish(server, line).catch((error: unknown) => context.stderr(`${toProblem(error).message}\n`));
		}
	};

	const endListening = access.listen(report => {
		if (report.type === 'log') {
			context.stderr(`sluice: ${report.text}\n`);
		} else if (report.server === server) {
			show(report);
		}
	});
	context.signal.addEventListener('abort', cancel, {once: true});
	try {
		return await access.start(server, options);
	} finally {
		context.signal.removeEventListener('abort', cancel);
		endListening();
		endLines?.();
		countdown?.stop();
	}
}

/** One line that counts the time left of a login, drawn over itself each second. */
type Countdown = {
	readonly show: (login: LoginState) => void;
	/** Ends the line. */
	readonly stop: () => void;
};

/** Opens a countdown that writes to a terminal; nothing is drawn before a login waits for a person. */
function createCountdown(clock: Clock, write: (text: string) => void): Countdown {
	let waiting: LoginState | undefined;
	let timer: Timer | undefined;
	const draw = () => {
		if (waiting?.expiresAt === undefined) {
			return;
		}

		const {columns} = process.stdout;
		// Back to the begin of the line, and clear it.
		write(`\r\u001B[K${countdownText(waiting, {now: clock.now(), columns})}`);
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

/** The size of the terminal; undefined when stdout is none. */
function terminalSize(): TerminalSize | undefined {
	return process.stdout.isTTY ? {columns: process.stdout.columns, rows: process.stdout.rows} : undefined;
}

/** Hands on each line that is typed or pasted, until the returned function is called. */
function onTypedLine(listener: (line: string) => void): () => void {
	const reader = createInterface({input: process.stdin});
	reader.on('line', listener);
	return () => reader.close();
}
