import {createInterface} from 'node:readline';
import {parseLoginReport} from '../../control/login-wire.ts';
import {type ParamsOf, type ResultOf} from '../../state/api.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {type LoginState} from '../../state/person-event.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {toProblem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {createConsoleLogins} from '../gateway/console-logins.ts';
import {countdownText, loginText, type TerminalSize} from './login-text.ts';

/** One login, and the environment of the terminal that opens its browser. */
type WatchedLogin = ParamsOf<'mcp.login'> & {readonly variables: Readonly<Record<string, string>>};

/** Runs one login and shows it; a line that is pasted is taken for its redirect. Ctrl-C cancels it. Rejects with the problem of a login that failed. */
export async function watchLogin(
	context: Pick<CommandContext, 'clock' | 'stdout' | 'stderr' | 'signal'>,
	{call}: Pick<GatewayClient, 'call'>,
	{variables, ...login}: WatchedLogin,
): Promise<ResultOf<'mcp.login'>> {
	const {server} = login;
	const warn = (text: string) => context.stderr(`sluice: ${text}\n`);
	const logins = createConsoleLogins({variables, warn});
	const own = new AbortController();
	const countdown = terminalSize() && createCountdown(context.clock, context.stdout);
	let shown: LoginState['state'] | undefined;
	let endLines: (() => void) | undefined;

	const show = (state: LoginState) => {
		if (state.state !== shown) {
			context.stdout(loginText(state, terminalSize()));
			shown = state.state;
		}

		countdown?.show(state);
		if (state.state === 'awaiting-redirect') {
			endLines ??= onTypedLine(paste);
		}
	};

	const cancel = () => own.abort();
	const paste = (line: string) => {
		if (line.trim().toLowerCase() === 'cancel') {
			cancel();
		} else if (line.trim() !== '') {
			const redirect = call('mcp.login.finish', {server, redirect_url: line});
			redirect.catch((error: unknown) => context.stderr(`${toProblem(error).message}\n`));
		}
	};

	const onNote = (note: unknown) => {
		const report = parseLoginReport(note);
		if (report?.type === 'log') {
			warn(report.text);
		} else if (report) {
			show(logins.received(report));
		}
	};

	logins.started({server});
	context.signal.addEventListener('abort', cancel, {once: true});
	try {
		return await call('mcp.login', login, {signal: own.signal, onNote});
	} catch (error) {
		if (own.signal.aborted) {
			// A gateway is not heard any more: the connection has ended, which cancels the login.
			return {outcome: 'cancelled', reason: 'by request'};
		}

		throw error;
	} finally {
		context.signal.removeEventListener('abort', cancel);
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
