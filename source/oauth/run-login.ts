import {type Publish} from '../state/event.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {login} from './login.ts';
import {loginEvent} from './login-event.ts';
import {type LoginOrder, type LoginTools} from './login-order.ts';
import {isOver, type LoginEvent, type LoginState, nextLoginState} from './login-state.ts';
import {oauthFailure} from './oauth-failure.ts';

/** How a login ended. */
export type LoginEnd = Extract<LoginState, {kind: 'succeeded' | 'failed' | 'cancelled'}>;

/** What is to be done. */
export type LoginStart = Pick<LoginOrder, 'target' | 'challenge' | 'document'>;

export type LoginsOptions = LoginTools & {
	readonly publish: Publish;
	/** For a person who came over SSH; undefined for everyone else. */
	readonly tunnelCommand: (redirectUri: string) => string | undefined;
};

/** A login that is under way. */
export type RunningLogin = {
	readonly flow: LoginOrder['flow'];
	/** Never rejects. */
	readonly end: Promise<LoginEnd>;
	readonly cancel: () => void;
	/** Takes the redirect that a person pasted; false when it is not the one that is awaited. */
	readonly accept: (pasted: string) => boolean;
};

/** Runs one login and publishes each of its states; nothing begins before `after` is over. */
export function runLogin(
	start: LoginStart & {readonly flow: LoginOrder['flow']; readonly after: Promise<unknown> | undefined},
	options: LoginsOptions,
): RunningLogin {
	const {publish, tunnelCommand, ...tools} = options;
	const {after, ...order} = start;
	const {server} = order.target;
	const abort = new AbortController();
	let state: LoginState = {kind: 'discovering'};
	let accept: RunningLogin['accept'] = () => false;
	const show = () => publish(loginEvent({server, flow: order.flow, state}, tunnelCommand));
	const tell = (event: LoginEvent) => {
		const next = nextLoginState(state, event);
		if (next !== state) {
			state = next;
			show();
		}
	};

	const remark = (text: string) =>
		publish({type: 'log', level: 'warning', area: 'login', text: safeText(`server ${server}: ${text}`)});

	const onCallback: LoginOrder['onCallback'] = take => {
		accept = take;
	};

	const walk = async (): Promise<LoginEnd> => {
		await after;
		show();
		try {
			await login({...order, signal: abort.signal, tell, remark, onCallback}, tools);
		} catch (error) {
			const {aborted} = abort.signal;
			tell(aborted ? {kind: 'cancelled', reason: 'called off'} : {kind: 'failed', problem: oauthFailure(error)});
		}

		return isOver(state) ? state : {kind: 'failed', problem: new Problem('internal')};
	};

	return {flow: order.flow, end: walk(), cancel: () => abort.abort(), accept: pasted => accept(pasted)};
}
