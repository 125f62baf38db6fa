import {type Publish} from '../state/event.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {login} from './login.ts';
import {loginEvent} from './login-event.ts';
import {type LoginRequest, type LoginTools} from './login-request.ts';
import {isOver, type LoginEvent, type LoginState, nextLoginState} from './login-state.ts';
import {oauthFailure} from './oauth-failure.ts';

/** How a login ended. */
export type LoginEnd = Extract<LoginState, {kind: 'succeeded' | 'failed' | 'cancelled'}>;

/** What is to be done. */
export type LoginStart = Pick<LoginRequest, 'target' | 'challenge' | 'document'> & {
	/** Who opens the browser; default: this process, where it may. */
	readonly opener?: 'this process' | 'the caller' | undefined;
};

export type LoginsOptions = LoginTools & {
	readonly publish: Publish;
	/** For a person who came over SSH; undefined for everyone else. */
	readonly tunnelCommand: (redirectUri: string) => string | undefined;
};

/** A login that is under way. */
export type RunningLogin = {
	readonly flow: LoginRequest['flow'];
	/** As it stands now. */
	readonly current: () => ReturnType<typeof loginEvent>;
	/** Never rejects. */
	readonly end: Promise<LoginEnd>;
	readonly cancel: () => void;
	/** Takes the redirect that a person pasted; false when it is not the one that is awaited. */
	readonly accept: (pasted: string) => boolean;
};

/** Runs one login and publishes each of its states; nothing begins before `after` is over. */
export function runLogin(
	start: LoginStart & {readonly flow: LoginRequest['flow']; readonly after: Promise<unknown> | undefined},
	options: LoginsOptions,
): RunningLogin {
	const {publish, tunnelCommand, openBrowser, ...others} = options;
	const {after, opener = 'this process', ...request} = start;
	const tools = {...others, ...(openBrowser && opener === 'this process' && {openBrowser})};
	const {server} = request.target;
	const abort = new AbortController();
	let state: LoginState = {kind: 'discovering'};
	let accept: RunningLogin['accept'] = () => false;
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
			dispatch(aborted ? {kind: 'cancelled', reason: 'called off'} : {kind: 'failed', problem: oauthFailure(error)});
		}

		return isOver(state) ? state : {kind: 'failed', problem: new Problem('internal')};
	};

	return {flow: request.flow, current, end: run(), cancel: () => abort.abort(), accept: pasted => accept(pasted)};
}
