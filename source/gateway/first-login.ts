import {type Desk} from '../approvals/desk.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {hasLocalDisplay} from '../oauth/open-browser.ts';
import {type Foundation} from './foundation.ts';
import {type LoginWing} from './login-wing.ts';

/** The one login that nobody ordered. */
export type FirstLogin = {
	/** A person is there, for approvals too; the returned function says that they left. */
	readonly attachConsole: () => () => void;
	readonly close: () => void;
};

/**
Opens the browser once for a server that was never logged in to, while a person is at a console and a display is at hand (spec/decisions.md, D13).
A device login, a second try, and anything without a person or a display is left to a key or a command.
*/
export function openFirstLogin(
	{hall, paths, environment, current}: Foundation,
	logins: Pick<LoginWing, 'start' | 'hasTokens'>,
	desk: Pick<Desk, 'attachConsole' | 'hasConsole'>,
): FirstLogin {
	const waiting = new Set<string>();
	const tried = new Set<string>();

	const isMeant = (server: string) => {
		const config = current().config.servers.find(({name}) => name === server);
		return config !== undefined && opensBrowser(config);
	};

	const open = async (server: string) => {
		if (!desk.hasConsole() || tried.has(server) || !isMeant(server) || !hasLocalDisplay(environment.variables)) {
			return;
		}

		tried.add(server);
		if (!(await logins.hasTokens(server))) {
			await logins.start(server, {document: 'as-marked'});
		}
	};

	// Whatever keeps a login from being started is told when a person starts it.
	const tryAll = () => [...waiting].forEach(server => void open(server).catch(() => undefined));
	const endListening = hall.listen(event => {
		if (event.type !== 'server.state' || event.profile !== paths.profile) {
			return;
		}

		if (event.state === 'needs-login') {
			waiting.add(event.server);
			tryAll();
		} else {
			waiting.delete(event.server);
		}
	});

	return {
		attachConsole() {
			const detach = desk.attachConsole();
			tryAll();
			return detach;
		},
		close: endListening,
	};
}

function opensBrowser({transport}: ServerConfig): boolean {
	return transport.kind !== 'stdio' && transport.oauth?.flow === 'browser';
}
