import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {type Lookup} from '../net/address-guard.ts';
import {type Clock} from '../util/clock.ts';
import {type AuthorizationServer} from './discovery/authorization-server.ts';
import {type Challenge} from './discovery/challenge.ts';
import {type CheckDocument} from './discovery/client-document.ts';
import {type LoginEvent} from './login-state.ts';
import {type LoginTarget} from './login-target.ts';
import {type OauthFetch} from './oauth-fetch.ts';
import {type TokenRecord} from './tokens/token-record.ts';
import {type TokenStore} from './tokens/token-store.ts';

/** What logins of any server need. */
export type LoginTools = {
	readonly clock: Clock;
	readonly store: TokenStore;
	readonly checkDocument: CheckDocument;
	/** Opens a browser of this machine; absent where none is to be opened. */
	readonly openBrowser?: (url: string) => Promise<void>;
	readonly lookup?: Lookup;
};

/** One login, as it was requested. */
export type LoginRequest = {
	readonly target: LoginTarget;
	readonly flow: LoginFlow;
	/** try-again: the marker `cimd-off` is cleared first (docs/tool-servers.md, States). */
	readonly document: 'try-again' | 'as-marked';
	/** The challenge of the last refused request; undefined: the server is asked for it. */
	readonly challenge: Challenge | undefined;
	readonly signal: AbortSignal;
	readonly dispatch: (event: LoginEvent) => void;
	/** Warns the person beside the published states. */
	readonly warn: (text: string) => void;
	/** Browser flow: called with the function that accepts a redirect that a person pasted. */
	readonly onCallback: (accept: (pasted: string) => boolean) => void;
};

/** What both flows need: one login whose authorization server is known. */
export type LoginSteps = {
	readonly target: LoginTarget;
	readonly clock: Clock;
	/** For this login alone: limited to the addresses it may reach, and it knows the token endpoint. */
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
	/** Warns the person beside the published states. */
	readonly warn: (text: string) => void;
};
