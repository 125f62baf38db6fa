import {type LoginAccess} from '../../gateway/access/open-login-access.ts';
import {type LoginState} from '../../state/person-event.ts';
import {toProblem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {createCountdown} from '../cli/countdown.ts';
import {type LoginTerminal} from './login-terminal.ts';
import {loginText} from './login-text.ts';

type LoginOptions = Parameters<LoginAccess['start']>[1];

/** Runs one login and shows it; what a person pastes is taken for its redirect. Ctrl-C calls it off. Rejects when there is nothing to log in to. */
export async function watchLogin(
	server: string,
	options: LoginOptions,
	place: {readonly context: CommandContext; readonly access: LoginAccess; readonly terminal: LoginTerminal},
): ReturnType<LoginAccess['start']> {
	const {context, access, terminal} = place;
	const countdown = terminal.size() && createCountdown(context.clock, context.stdout);
	let shown: LoginState['state'] | undefined;
	let endLines: (() => void) | undefined;

	const show = (login: LoginState) => {
		if (login.state !== shown) {
			context.stdout(loginText(login, terminal.size()));
			shown = login.state;
		}

		countdown?.show(login);
		if (login.state === 'awaiting-redirect') {
			endLines ??= terminal.onLine(paste);
		}
	};

	const paste = (line: string) => {
		if (line.trim() !== '') {
			access.finish(server, line).catch((error: unknown) => context.stderr(`${toProblem(error).message}\n`));
		}
	};

	const endListening = access.listen(told => {
		if (told.type === 'log') {
			context.stderr(`sluice: ${told.text}\n`);
		} else if (told.server === server) {
			show(told);
		}
	});
	const cancel = () => access.cancel(server);
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
