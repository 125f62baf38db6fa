import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {type Lookup} from '../net/address-guard.ts';
import {type Clock} from '../util/clock.ts';
import {type Challenge} from './discovery/challenge.ts';
import {type CheckDocument} from './discovery/check-document.ts';
import {type LoginEvent} from './login-state.ts';
import {type LoginTarget} from './login-target.ts';
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
	/** What the server said when it last refused a request; undefined: it is asked. */
	readonly challenge: Challenge | undefined;
	readonly signal: AbortSignal;
	readonly dispatch: (event: LoginEvent) => void;
	/** What a person should know beside the states. */
	readonly warn: (text: string) => void;
	/** Browser flow: takes the way to hand in a redirect that a person pasted. */
	readonly onCallback: (accept: (pasted: string) => boolean) => void;
};
