import {type Clock} from '../util/clock.ts';
import {type AuthorizationServer} from './discovery/authorization-server.ts';
import {type CheckDocument} from './discovery/check-document.ts';
import {type LoginEvent} from './login-state.ts';
import {type LoginTarget} from './login-target.ts';
import {type OauthFetch} from './oauth-fetch.ts';
import {type TokenRecord} from './tokens/token-record.ts';

/** What both flows work with: one login whose authorization server is known. */
export type LoginSteps = {
	readonly target: LoginTarget;
	readonly clock: Clock;
	/** For this login alone: it knows how far it may reach and which address is the token endpoint. */
	readonly fetch: OauthFetch['fetch'];
	readonly checkDocument: CheckDocument;
	readonly authorizationServer: AuthorizationServer;
	/** The resource indicator. */
	readonly resource: string | undefined;
	readonly scope: string | undefined;
	/** What the last login left. */
	readonly record: TokenRecord | undefined;
	/** The marker `cimd-off` is set. */
	readonly documentRefused: boolean;
	readonly signal: AbortSignal;
	readonly dispatch: (event: LoginEvent) => void;
	/** What a person should know beside the states. */
	readonly warn: (text: string) => void;
};
