import {type LoginFlow} from '../config/oauth-entry.ts';
import {Problem} from '../util/problem.ts';
import {type LoginEnd, type LoginsOptions, type LoginStart, runLogin, type RunningLogin} from './run-login.ts';

/** The logins of one profile: several at once, one for each server. */
export type Logins = {
	/** Starts a login, or joins the one of the same flow that is under way; one of the other flow is cancelled. Never rejects. */
	readonly start: (order: LoginStart & {readonly flow?: LoginFlow}) => Promise<LoginEnd>;
	/** Calls a login off, at once. */
	readonly cancel: (server: string) => void;
	/** Takes the redirect that a person pasted. Throws `bad_usage` when it is not the one that is awaited. */
	readonly finish: (server: string, redirectUrl: string) => void;
	/** Calls every login off and waits until their ports are free. */
	readonly stop: () => Promise<void>;
};

/** Opens the logins of a profile; each of their states is published. */
export function createLogins(options: LoginsOptions): Logins {
	const running = new Map<string, RunningLogin>();
	/** Also those that were replaced and are still giving back their ports. */
	const open = new Set<Promise<LoginEnd>>();

	return {
		start(order) {
			const {server} = order.target;
			const flow = order.flow ?? order.target.oauth.flow;
			const before = running.get(server);
			if (before?.flow === flow) {
				return before.end;
			}

			before?.cancel();
			const started = runLogin({...order, flow, after: before?.end}, options);
			running.set(server, started);
			open.add(started.end);
			const forget = () => {
				open.delete(started.end);
				if (running.get(server) === started) {
					running.delete(server);
				}
			};

			return started.end.finally(forget);
		},
		cancel: server => running.get(server)?.cancel(),
		finish(server, redirectUrl) {
			if (!running.get(server)?.accept(redirectUrl)) {
				throw new Problem('bad_usage', {
					message:
						'That is not the address that this login waits for. Copy the whole address that the browser ended at',
				});
			}
		},
		async stop() {
			for (const login of running.values()) {
				login.cancel();
			}

			await Promise.all(open);
		},
	};
}
