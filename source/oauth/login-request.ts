import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {type Lookup} from '../net/address-guard.ts';
import {type Clock} from '../util/clock.ts';
import {type AuthorizationServer} from './discovery/authorization-server.ts';
import {type Challenge} from './discovery/challenge.ts';
import {type CheckDocument} from './discovery/client-document.ts';
import {type AcceptPasted} from './flows/pasted-redirect.ts';
import {type LoginEvent} from './login-state.ts';
import {type LoginTarget} from './login-target.ts';
import {type OauthFetch} from './oauth-fetch.ts';
import {type TokenRecord} from './tokens/token-record.ts';
import {type TokenStore} from './tokens/token-store.ts';

/** Shared options of all logins. */
export type LoginTools = {
	readonly clock: Clock;
	readonly store: TokenStore;
	readonly checkDocument: CheckDocument;
	/** Opens a browser on this machine; absent when none should be opened. */
	readonly openBrowser?: (url: string) => Promise<void>;
	readonly lookup?: Lookup;
};

/** The request for one login. */
export type LoginRequest = {
	readonly target: LoginTarget;
	readonly flow: LoginFlow;
	/** try-again: clears the marker `cimd-off` first (docs/tool-servers.md, States). */
	readonly document: 'try-again' | 'as-marked';
	/** The challenge of the last refused request; undefined: request one from the server. */
	readonly challenge: Challenge | undefined;
	readonly signal: AbortSignal;
	readonly dispatch: (event: LoginEvent) => void;
	/** Warns the person, beside the published states. */
	readonly warn: (text: string) => void;
	/** Browser flow: called with a function that accepts a pasted redirect. */
	readonly onCallback: (accept: AcceptPasted) => void;
};

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
