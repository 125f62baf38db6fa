import {type LoginReport} from '../../control/login-wire.ts';
import {type RuntimeContext, loadProfile, refuseUnusable} from '../profiles/profile-context.ts';
import {type LoginService, openLoginService} from '../login-service.ts';

/** The logins of a profile, of a running gateway or of this process: the person who logs in sits at this very terminal. */
export type LoginAccess = Pick<LoginService, 'start' | 'cancel' | 'finish' | 'forget'> & {
	readonly heldBy: 'gateway' | 'process';
	readonly servers: ReturnType<LoginService['servers']>;
	/** Tells each state of each login, and what a person should know beside them. */
	readonly listen: (listener: (told: LoginReport) => void) => () => void;
	readonly close: () => Promise<void> | void;
};

/** The logins of this process. Reads the configuration; nothing connects. Rejects with the first problem of one that cannot be used. */
export async function openLoginAccess(runtime: RuntimeContext): Promise<LoginAccess> {
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	const logins = openLoginService(context, {onLoggedIn: () => undefined});
	return {
		heldBy: 'process',
		servers: logins.servers(),
		start: logins.start,
		cancel: logins.cancel,
		finish: logins.finish,
		forget: logins.forget,
		listen: listener =>
			runtime.eventBus.listen(event => {
				if (event.type === 'login.state' || (event.type === 'log' && event.area === 'login')) {
					listener(event);
				}
			}),
		close: logins.stop,
	};
}
