import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {type Lookup} from '../net/address-guard.ts';
import {type Clock} from '../util/clock.ts';
import {type Challenge} from './discovery/challenge.ts';
import {type CheckDocument} from './discovery/client-document.ts';
import {type AcceptPasted} from './flows/pasted-redirect.ts';
import {type LoginEvent} from './flows/login-state.ts';
import {type LoginTarget} from './protocol/login-target.ts';
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
	/** try-again: clears the marker `cimd-off` first (docs/connections.md, States). */
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
