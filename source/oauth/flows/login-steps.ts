import {type Clock} from '../../util/clock.ts';
import {type CheckDocument} from '../discovery/client-document.ts';
import {type AuthorizationServer} from '../protocol/authorization-server.ts';
import {type LoginTarget} from '../protocol/login-target.ts';
import {type OauthFetch} from '../protocol/oauth-fetch.ts';
import {type TokenRecord} from '../protocol/token-record.ts';
import {type LoginEvent} from './login-state.ts';

/** Input of both flows: one login whose authorization server is known. */
export type LoginSteps = {
	readonly target: LoginTarget;
	readonly clock: Clock;
	/** The fetch of this login: limited to the addresses it may reach, and aware of the token endpoint. */
	readonly fetch: OauthFetch['fetch'];
	readonly checkDocument: CheckDocument;
	readonly authorizationServer: AuthorizationServer;
	/** The resource indicator. */
	readonly resource: string | undefined;
	readonly scope: string | undefined;
	/** The record of the last login. */
	readonly record: TokenRecord | undefined;
	/** The marker `cimd-off` is set. */
	readonly documentRefused: boolean;
	readonly signal: AbortSignal;
	readonly dispatch: (event: LoginEvent) => void;
	/** Warns the person, beside the published states. */
	readonly warn: (text: string) => void;
};
