import {type OauthConfig} from '../../source/config/servers/oauth-entry.ts';
import {type LoginTools} from '../../source/oauth/login-request.ts';
import {createLogins, type Logins} from '../../source/oauth/logins.ts';
import {type LoginTarget} from '../../source/oauth/protocol/login-target.ts';
import {openTokenStore, type TokenStore} from '../../source/oauth/tokens/token-store.ts';
import {type LoginState} from '../../source/state/person-event.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {systemClock} from '../../source/util/clock.ts';
import {onTestFinished} from 'vitest';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** Logins as a gateway has them, with every event they publish. */
export type ObservedLogins = {
	readonly logins: Logins;
	readonly store: TokenStore;
	readonly directory: string;
	readonly events: GatewayEventBody[];
	/** The state of a login once it fits. */
	readonly until: (fits: (state: LoginState) => boolean) => Promise<LoginState>;
};

/** Opens logins on a folder of their own. */
export function openObservedLogins(options: Partial<LoginTools> = {}): ObservedLogins {
	const directory = temporaryDirectory();
	const clock = options.clock ?? systemClock;
	const store = openTokenStore({directory, clock, learn: () => undefined});
	const events: GatewayEventBody[] = [];
	const listeners = new Set<() => void>();
	const logins = createLogins({
		clock,
		store,
		checkDocument: async () => undefined,
		tunnelCommand: () => undefined,
		publish(event) {
			events.push(event);
			listeners.forEach(listener => listener());
		},
		...options,
	});
	onTestFinished(logins.stop);
	const find = (fits: (state: LoginState) => boolean) =>
		events.find((event): event is LoginState => event.type === 'login.state' && fits(event));
	return {
		logins,
		store,
		directory,
		events,
		until: fits =>
			new Promise((resolve, reject) => {
				const look = () => {
					const found = find(fits);
					if (found) {
						listeners.delete(look);
						clearTimeout(timer);
						resolve(found);
					}
				};

				const timer = setTimeout(() => reject(new Error(JSON.stringify(events, undefined, 1))), 25_000);
				listeners.add(look);
				look();
			}),
	};
}

/** Starts a login at a server. */
export function logIn(observed: ObservedLogins, url: string, flow: 'browser' | 'device' = 'browser') {
	return observed.logins.start({target: loginTarget(url, {flow}), challenge: undefined, document: 'try-again'});
}

/** A server to log in to. */
export function loginTarget(url: string, oauth: Partial<OauthConfig> = {}, server = 'one'): LoginTarget {
	return {
		server,
		url: new URL(url),
		headers: {},
		tls: {verification: {kind: 'system'}},
		home: '/nowhere',
		oauth: {flow: 'browser', timeoutSeconds: 300, identification: 'document', ...oauth},
	};
}
