import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {type LoginState as LoginStateEvent} from '../state/person-event.ts';
import {safeText} from '../util/safe-text.ts';
import {type LoginState} from './login-state.ts';

/** A login as it is published. */
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
