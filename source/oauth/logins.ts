import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {createInFlight} from '../util/in-flight.ts';
import {type Publish} from '../state/event.ts';
import {type LoginState as LoginStateEvent} from '../state/person-event.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type LoginRequest, type LoginTools} from './login-request.ts';
import {type AcceptPasted, type Pasted} from './flows/pasted-redirect.ts';
import {isOver, loginEvent, type LoginEvent, type LoginState, nextLoginState} from './flows/login-state.ts';
import {login} from './login.ts';
import {oauthFailure} from './protocol/oauth-failure.ts';

/** The logins of one profile: several at once, one per server. */
export type Logins = {
	/**
	Starts a login, or joins a running one of the same flow; one of the other flow is cancelled. The signal aborts when its
	caller stops waiting: the login is cancelled when no other caller waits, and goes on without this one when one does. Never rejects.
	*/
	readonly start: (
		request: LoginStart & {readonly flow?: LoginFlow; readonly signal?: AbortSignal | undefined},
	) => Promise<LoginEnd>;
	/** The running login of a server. */
	readonly current: (server: string) => LoginStateEvent | undefined;
	/** Cancels a login, at once. */
	readonly cancel: (server: string) => void;
	/** Accepts a pasted redirect. Throws `bad_usage` when it is not the expected one. */
	readonly finish: (server: string, redirectUrl: string) => void;
	/** Cancels all logins and waits until their ports are free. */
	readonly stop: () => Promise<void>;
};

type LoginsOptions = LoginTools & {
	readonly publish: Publish;
	/** The port forwarding command for a person on SSH; undefined for everyone else. */
	readonly tunnelCommand: (redirectUri: string) => string | undefined;
};

/** One login to run. */
export type LoginStart = Pick<LoginRequest, 'target' | 'challenge' | 'document'> & {
	/** The process that opens the browser. Default: this one, if it can. */
	readonly opener?: 'this process' | 'the caller' | undefined;
};

/** The outcome of a login. */
export type LoginEnd = Extract<LoginState, {kind: 'succeeded' | 'failed' | 'cancelled'}>;

/** Creates the logins of a profile; each of their states is published. */
export function createLogins(options: LoginsOptions): Logins {
	const running = new Map<string, RunningLogin>();
	const waiting = createWaiting();
	/** Includes replaced logins that still have to close their ports. */
	const open = createInFlight();

	return {
		start({signal, ...request}) {
			const {server} = request.target;
			const flow = request.flow ?? request.target.oauth.flow;
			const before = running.get(server);
			if (before?.flow === flow) {
				return waiting.enter(before, signal);
			}

			before?.cancel();
			const begun = runLogin({...request, flow, after: before?.end}, options);
			const forget = () => {
				if (running.get(server) === started) {
					running.delete(server);
				}
			};
			const started = {...begun, end: open.track(begun.end).finally(forget)};
			running.set(server, started);
			return waiting.enter(started, signal);
		},
		current: server => running.get(server)?.current(),
		cancel: server => running.get(server)?.cancel(),
		finish(server, redirectUrl) {
			const pasted = running.get(server)?.accept(redirectUrl) ?? 'no redirect';
			if (pasted !== 'taken') {
				throw new Problem('bad_usage', {message: pastedTexts[pasted]});
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

const pastedTexts = {
	'of another login':
		'That address belongs to another login. Open the address of this login, and paste the address where the browser ends up',
	'no redirect':
		'That is not the address of this login. Paste the whole address where the browser ended up, or the code in it',
} as const satisfies Record<Exclude<Pasted, 'taken'>, string>;

/** Counts the callers that wait for each login. A caller without a signal waits until it ends. */
function createWaiting() {
	const counts = new WeakMap<RunningLogin, number>();
	return {
		/** Resolves with the end of the login, or earlier when its caller leaves it to others. */
		enter(login: RunningLogin, signal: AbortSignal | undefined): Promise<LoginEnd> {
			counts.set(login, (counts.get(login) ?? 0) + 1);
			const {promise: leaving, resolve} = Promise.withResolvers<LoginEnd>();
			const leave = () => {
				const left = (counts.get(login) ?? 0) - 1;
				counts.set(login, left);
				if (left === 0) {
					login.cancel();
				} else {
					resolve({kind: 'cancelled', reason: 'by request'});
				}
			};

			if (signal?.aborted) {
				leave();
			} else {
				signal?.addEventListener('abort', leave, {once: true});
				void login.end.then(() => signal?.removeEventListener('abort', leave));
			}

			return Promise.race([login.end, leaving]);
		},
	};
}

/** A running login. */
type RunningLogin = {
	readonly flow: LoginRequest['flow'];
	/** Its published state. */
	readonly current: () => LoginStateEvent;
	/** Never rejects. */
	readonly end: Promise<LoginEnd>;
	readonly cancel: () => void;
	readonly accept: AcceptPasted;
};

/** Runs one login and publishes each of its states; starts after `after` has settled. */
function runLogin(
	start: LoginStart & {readonly flow: LoginRequest['flow']; readonly after: Promise<unknown> | undefined},
	options: LoginsOptions,
): RunningLogin {
	const {publish, tunnelCommand, openBrowser, ...others} = options;
	const {after, opener = 'this process', ...request} = start;
	const tools = {...others, ...(openBrowser && opener === 'this process' && {openBrowser})};
	const {server} = request.target;
	const abort = new AbortController();
	let state: LoginState = {kind: 'discovering'};
	let accept: RunningLogin['accept'] = () => 'no redirect';
	const current = () => loginEvent({server, flow: request.flow, state}, tunnelCommand);
	const show = () => publish(current());
	const dispatch = (event: LoginEvent) => {
		const next = nextLoginState(state, event);
		if (next !== state) {
			state = next;
			show();
		}
	};

	const warn = (text: string) =>
		publish({type: 'log', level: 'warning', area: 'login', text: safeText(`server ${server}: ${text}`)});

	const onCallback: LoginRequest['onCallback'] = take => {
		accept = take;
	};

	const run = async (): Promise<LoginEnd> => {
		await after;
		show();
		try {
			await login({...request, signal: abort.signal, dispatch, warn, onCallback}, tools);
		} catch (error) {
			const {aborted} = abort.signal;
			dispatch(aborted ? {kind: 'cancelled', reason: 'by request'} : {kind: 'failed', problem: oauthFailure(error)});
		}

		return isOver(state) ? state : {kind: 'failed', problem: new Problem('internal')};
	};

	return {flow: request.flow, current, end: run(), cancel: () => abort.abort(), accept: pasted => accept(pasted)};
}
