import {type LoginReport} from '../control/login-wire.ts';
import {type LoginService, openLoginService} from './services/login-service.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from './profiles/profile-context.ts';

/** The logins of a profile, held by a running gateway or by this process. The person who logs in is at this terminal. */
export type LoginAccess = Pick<LoginService, 'start' | 'cancel' | 'finish' | 'forget'> & {
	readonly heldBy: 'gateway' | 'process';
	readonly servers: ReturnType<LoginService['servers']>;
	/** Reports each state of each login, and what a person should know beside them. */
	readonly listen: (listener: (report: LoginReport) => void) => () => void;
};

/** The logins of this process. Reads the configuration; nothing connects. Rejects with the first problem of one that cannot be used. */
export async function openLoginAccess(runtime: RuntimeContext): Promise<OwnLogins> {
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	return ownLogins(context);
}

/** Logins that end with this process. */
export type OwnLogins = LoginAccess & {readonly close: () => Promise<void>};

/** The logins to the servers of a configuration that is loaded. */
export function ownLogins(context: ProfileContext): OwnLogins {
	const logins = openLoginService(context, {onLoggedIn: () => undefined});
	return {
		heldBy: 'process',
		servers: logins.servers(),
		start: logins.start,
		cancel: logins.cancel,
		finish: logins.finish,
		forget: logins.forget,
		listen: listener =>
			context.eventBus.listen(event => {
				if (event.type === 'login.state' || (event.type === 'log' && event.area === 'login')) {
					listener(event);
				}
			}),
		close: logins.stop,
	};
}
