import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {hasLocalDisplay} from '../../oauth/flows/open-browser.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type LoginService} from './login-service.ts';

/** The one login that nobody asked for. */
type FirstLogin = {
	/** A person is there; the returned function says that they left. `nowhere`: they do not sit at the display of this machine. */
	readonly addPerson: (browser?: BrowserPlace) => () => void;
	readonly close: () => void;
};

/**
Opens the browser once for a server that was never logged in to, while a person is at a console and a display is at hand (docs/logins.md, Start a login).
A device login, a second try, and anything without a person or a display is left to a key or a command.
*/
export function openFirstLogin(
	{eventBus, paths, environment, current}: ProfileContext,
	logins: Pick<LoginService, 'start' | 'hasTokens'>,
): FirstLogin {
	const waiting = new Set<string>();
	const tried = new Set<string>();
	/** Local consoles: their users may sit at the display of this machine. */
	const watching = new Set<object>();

	const isMeant = (server: string) => {
		const config = current().config.servers.find(({name}) => name === server);
		return config !== undefined && opensBrowser(config);
	};

	const open = async (server: string) => {
		if (watching.size === 0 || tried.has(server) || !isMeant(server) || !hasLocalDisplay(environment.variables)) {
			return;
		}

		tried.add(server);
		if (!(await logins.hasTokens(server))) {
			await logins.start(server, {document: 'as-marked'});
		}
	};

	// A failure here is dropped: the same login, started by a person, reports it.
	const tryAll = () => [...waiting].forEach(server => void open(server).catch(() => undefined));
	const endListening = eventBus.listen(event => {
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
		addPerson(browser = 'gateway') {
			const person = {};
			if (browser !== 'nowhere') {
				watching.add(person);
				tryAll();
			}

			return () => watching.delete(person);
		},
		close: endListening,
	};
}

function opensBrowser({transport}: ServerConfig): boolean {
	return transport.kind !== 'stdio' && transport.oauth?.flow === 'browser';
}
