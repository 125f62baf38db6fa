import {hasLocalDisplay, notOpened, openBrowser, showInBrowser, tunnelCommand} from '../../oauth/flows/open-browser.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type QuestionAnswer} from '../../state/person-answers.ts';
import {type LoginState} from '../../state/person-event.ts';

/** A login as a gateway sends it: an event, a row or, without a profile, a note. */
type SentLogin = Pick<LoginState, 'server' | 'state' | 'authorizationUrl' | 'redirectUri' | 'tunnelCommand'> & {
	readonly profile?: string;
};

/** The tasks of this terminal for logins that it starts at a gateway. */
export type ConsoleLogins = {
	readonly browser: Exclude<BrowserPlace, 'gateway'>;
	/** Notes the logins that this console starts. */
	readonly started: (login: {readonly profile?: string | undefined; readonly server: string}) => void;
	/** Opens the browser for such a login, once for each address, and answers the login as it looks from this terminal. */
	readonly received: <Login extends SentLogin>(login: Login) => Login;
	/** Opens the page that an accepted answer wants to have opened. */
	readonly answered: (answer: QuestionAnswer) => Promise<void>;
	/** The connection is lost: whatever goes on there was not started here. */
	readonly forget: () => void;
};

/**
Creates the logins of an attached console or of a command: its process has the display of the person at it, and knows how they came here over SSH, where the
gateway knows neither (docs/logins.md, Start a login).
*/
export function createConsoleLogins(options: {
	readonly variables: Readonly<Record<string, string>>;
	readonly warn: (text: string) => void;
	readonly open?: typeof openBrowser;
}): ConsoleLogins {
	const {variables, warn, open = openBrowser} = options;
	const browser = hasLocalDisplay(variables) ? 'console' : 'nowhere';
	/** The address that was opened last, by login. */
	const started = new Map<string, string | undefined>();
	const openOnce = (name: string, {server, authorizationUrl: url}: SentLogin) => {
		if (browser === 'nowhere' || url === undefined || !started.has(name) || started.get(name) === url) {
			return;
		}

		started.set(name, url);
		open(url, variables).catch(() => warn(`server ${server}: no browser could be opened; open the address yourself`));
	};

	return {
		browser,
		started: login => started.set(loginName(login), undefined),
		received(login) {
			const name = loginName(login);
			openOnce(name, login);
			if (login.state === 'succeeded' || login.state === 'failed' || login.state === 'cancelled') {
				started.delete(name);
			}

			const {tunnelCommand: _, ...rest} = login;
			const tunnel = login.redirectUri === undefined ? undefined : tunnelCommand(variables, login.redirectUri);
			// The members of the login, all but the one that is said of another terminal.
			return (tunnel === undefined ? rest : {...rest, tunnelCommand: tunnel}) as typeof login;
		},
		async answered(answer) {
			const address = answer.kind === 'accept' ? answer.open : undefined;
			if (address !== undefined && !(await showInBrowser(address, variables, open))) {
				warn(notOpened);
			}
		},
		forget: () => started.clear(),
	};
}

function loginName({profile = '', server}: {readonly profile?: string | undefined; readonly server: string}): string {
	return JSON.stringify([profile, server]);
}
