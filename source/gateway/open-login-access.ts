import {type LoginFlow} from '../config/oauth-entry.ts';
import {type LoginState} from '../state/login-event.ts';
import {type Ground, layFoundation, refuseUnusable} from './foundation.ts';
import {type LoginWing, openLoginWing} from './login-wing.ts';

/** The logins of a profile in a process of their own: the person who logs in sits at this very terminal. */
export type LoginAccess = Pick<LoginWing, 'start' | 'cancel' | 'finish' | 'forget'> & {
	/** The servers that log in, in the order of the configuration; those that are switched off too. */
	readonly servers: ReadonlyArray<{readonly name: string; readonly flow: LoginFlow; readonly enabled: boolean}>;
	/** Tells each state of each login, and what a person should know beside them. */
	readonly listen: (listener: (told: LoginState | {readonly type: 'log'; readonly text: string}) => void) => () => void;
	readonly close: () => Promise<void>;
};

/** Reads the configuration; nothing connects. Rejects with the first problem of one that cannot be used. */
export async function openLoginAccess(ground: Ground): Promise<LoginAccess> {
	const foundation = await layFoundation(ground);
	refuseUnusable(foundation);
	const logins = openLoginWing(foundation, {onLoggedIn: () => undefined});
	const servers = foundation
		.current()
		.config.servers.flatMap(({name, transport, enabled}) =>
			transport.kind !== 'stdio' && transport.oauth ? [{name, flow: transport.oauth.flow, enabled}] : [],
		);
	return {
		servers,
		start: logins.start,
		cancel: logins.cancel,
		finish: logins.finish,
		forget: logins.forget,
		listen: listener =>
			ground.hall.listen(event => {
				if (event.type === 'login.state' || (event.type === 'log' && event.area === 'login')) {
					listener(event);
				}
			}),
		close: logins.stop,
	};
}
