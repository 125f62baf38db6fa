import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type LoginState as LoginStateEvent} from '../../state/person-event.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The states of one login. Times are milliseconds since the epoch. */
export type LoginState =
	| {readonly kind: 'discovering'}
	| {readonly kind: 'registering'}
	| ({readonly kind: 'awaiting-redirect'} & AwaitedRedirect)
	| ({readonly kind: 'awaiting-device'; readonly polls: number; readonly nextPollAt: number} & AwaitedDevice)
	| {readonly kind: 'exchanging'}
	| {readonly kind: 'succeeded'}
	| {readonly kind: 'failed'; readonly problem: Problem}
	| {readonly kind: 'cancelled'; readonly reason: string};

/** Browser flow: the address to open, and where the redirect goes. */
export type AwaitedRedirect = {
	readonly authorizationUrl: string;
	readonly redirectUri: string;
	readonly expiresAt: number;
};

/** Device flow: the address to visit, and the code to enter there. Texts are safe to show. */
export type AwaitedDevice = {
	readonly verificationUri: string;
	/** The same address with the code in it. */
	readonly verificationUriComplete?: string;
	readonly userCode: string;
	readonly expiresAt: number;
};

export type LoginEvent =
	/** The authorization server is known; the client is being identified to it. */
	| {readonly kind: 'found'}
	| {readonly kind: 'redirect-awaited'; readonly awaited: AwaitedRedirect}
	| {readonly kind: 'device-awaited'; readonly awaited: AwaitedDevice; readonly nextPollAt: number}
	/** The server answered `authorization_pending` or `slow_down`. */
	| {readonly kind: 'polled'; readonly nextPollAt: number}
	/** The redirect arrived: its code is exchanged for tokens. */
	| {readonly kind: 'redirected'}
	/** The server refused the client document: the flow restarts with a registration. */
	| {readonly kind: 'document-refused'}
	| {readonly kind: 'succeeded'}
	| {readonly kind: 'failed'; readonly problem: Problem}
	| {readonly kind: 'cancelled'; readonly reason: string};

/** The next state. An event without meaning in a state, and any event after the end, returns the same object. */
export function nextLoginState(state: LoginState, event: LoginEvent): LoginState {
	if (isOver(state)) {
		return state;
	}

	switch (event.kind) {
		case 'found':
			return state.kind === 'discovering' ? {kind: 'registering'} : state;
		case 'redirect-awaited':
			return state.kind === 'registering' ? {kind: 'awaiting-redirect', ...event.awaited} : state;
		case 'device-awaited':
			return state.kind === 'registering'
				? {kind: 'awaiting-device', ...event.awaited, polls: 0, nextPollAt: event.nextPollAt}
				: state;
		case 'polled':
			return state.kind === 'awaiting-device'
				? {...state, polls: state.polls + 1, nextPollAt: event.nextPollAt}
				: state;
		case 'redirected':
			return state.kind === 'awaiting-redirect' ? {kind: 'exchanging'} : state;
		case 'document-refused':
			return state.kind === 'exchanging' ? {kind: 'registering'} : state;
		case 'succeeded':
			// A device login gets its tokens from the last poll; there is no code to exchange.
			return state.kind === 'exchanging' || state.kind === 'awaiting-device' ? {kind: 'succeeded'} : state;
		case 'failed':
			return {kind: 'failed', problem: event.problem};
		case 'cancelled':
			return {kind: 'cancelled', reason: event.reason};
	}
}

/** True when the login has ended. */
export function isOver(state: LoginState): state is Extract<LoginState, {kind: 'succeeded' | 'failed' | 'cancelled'}> {
	return state.kind === 'succeeded' || state.kind === 'failed' || state.kind === 'cancelled';
}

/** The published form of a login. */
export function loginEvent(
	login: {readonly server: string; readonly flow: LoginFlow; readonly state: LoginState},
	tunnelCommand: (redirectUri: string) => string | undefined,
): LoginStateEvent {
	const {server, flow, state} = login;
	const common = {type: 'login.state', server, flow, state: state.kind} as const;
	switch (state.kind) {
		case 'discovering':
		case 'registering':
		case 'exchanging':
		case 'succeeded':
			return common;
		case 'awaiting-redirect': {
			const {authorizationUrl, redirectUri, expiresAt} = state;
			const tunnel = tunnelCommand(redirectUri);
			return {
				...common,
				authorizationUrl,
				redirectUri,
				expiresAt,
				...(tunnel !== undefined && {tunnelCommand: tunnel}),
			};
		}

		case 'awaiting-device': {
			const {kind: _, ...awaited} = state;
			return {...common, ...awaited};
		}

		case 'failed':
			return {...common, reason: safeText(state.problem.message, {maximumCharacters: 1000})};
		case 'cancelled':
			return {...common, reason: state.reason};
	}
}
