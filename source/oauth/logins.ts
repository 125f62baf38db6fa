import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {type LoginState} from '../state/person-event.ts';
import {createInFlight} from '../util/in-flight.ts';
import {Problem} from '../util/problem.ts';
import {type LoginEnd, type LoginsOptions, type LoginStart, runLogin, type RunningLogin} from './run-login.ts';

/** The logins of one profile: several at once, one for each server. */
export type Logins = {
	/**
	Starts a login, or joins the one of the same flow that is under way; one of the other flow is cancelled. The signal says that its caller does not
	wait for it any more: the last one who goes calls it off. Never rejects.
	*/
	readonly start: (
		request: LoginStart & {readonly flow?: LoginFlow; readonly signal?: AbortSignal | undefined},
	) => Promise<LoginEnd>;
	/** The login of a server that is under way. */
	readonly current: (server: string) => LoginState | undefined;
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
	const waiting = createWaiting();
	/** Also those that were replaced and are still giving back their ports. */
	const open = createInFlight();

	return {
		start({signal, ...request}) {
			const {server} = request.target;
			const flow = request.flow ?? request.target.oauth.flow;
			const before = running.get(server);
			if (before?.flow === flow) {
				waiting.enter(before, signal);
				return before.end;
			}

			before?.cancel();
			const started = runLogin({...request, flow, after: before?.end}, options);
			running.set(server, started);
			waiting.enter(started, signal);
			const forget = () => {
				if (running.get(server) === started) {
					running.delete(server);
				}
			};

			return open.track(started.end).finally(forget);
		},
		current: server => running.get(server)?.current(),
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

			await open.whenEmpty();
		},
	};
}

/** Counts who waits for each login. Who brings no signal stays to its end. */
function createWaiting() {
	const counts = new WeakMap<RunningLogin, number>();
	return {
		enter(login: RunningLogin, signal: AbortSignal | undefined) {
			counts.set(login, (counts.get(login) ?? 0) + 1);
			const leave = () => {
				const left = (counts.get(login) ?? 0) - 1;
				counts.set(login, left);
				if (left === 0) {
					login.cancel();
				}
			};

			if (signal?.aborted) {
				leave();
				return;
			}

			signal?.addEventListener('abort', leave, {once: true});
			void login.end.then(() => signal?.removeEventListener('abort', leave));
		},
	};
}
