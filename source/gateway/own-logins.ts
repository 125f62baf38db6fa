import {createInMemoryClient} from '../control/in-memory-client.ts';
import {type GatewayClient} from '../state/gateway-call.ts';
import {Problem} from '../util/problem.ts';
import {commandCaller} from './api/handler-context.ts';
import {loginMethods} from './api/logins.ts';
import {openLoginService} from './services/login-service.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Opens the login methods for the servers of a configuration; their logins end with `close`. Nothing connects. */
export function openLogins(context: ProfileContext) {
	const logins = openLoginService(context, {onLoggedIn: () => undefined});
	return {methods: loginMethods({caller: commandCaller, context, logins}), close: logins.stop};
}

/** Logins that end with this process. */
export type LoginClient = Pick<GatewayClient, 'call'> & {readonly close: () => Promise<void>};

/** Opens a client of the same for a configuration that is in no file. */
export function openLoginClient(context: ProfileContext): LoginClient {
	const {methods, close} = openLogins(context);
	const ending = new AbortController();
	const {call} = createInMemoryClient({handlersOf: () => methods, signal: ending.signal});
	return {
		call,
		async close() {
			ending.abort(new Problem('cancelled'));
			await close();
		},
	};
}
