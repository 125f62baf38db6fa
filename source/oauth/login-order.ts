import {type LoginFlow} from '../config/oauth-entry.ts';
import {type Lookup} from '../net/address-guard.ts';
import {type Clock} from '../util/clock.ts';
import {type Challenge} from './challenge.ts';
import {type CheckDocument} from './check-document.ts';
import {type LoginEvent} from './login-state.ts';
import {type LoginTarget} from './login-target.ts';
import {type TokenStore} from './token-store.ts';

/** What logins of any server need. */
export type LoginTools = {
	readonly clock: Clock;
	readonly store: TokenStore;
	readonly checkDocument: CheckDocument;
	/** Opens a browser of this machine; absent where none is to be opened. */
	readonly openBrowser?: (url: string) => Promise<void>;
	readonly lookup?: Lookup;
};

/** One login, as it was ordered. */
export type LoginOrder = {
	readonly target: LoginTarget;
	readonly flow: LoginFlow;
	/** try-again: the marker `cimd-off` is cleared first (spec/mcp-servers.md, States and transitions). */
	readonly document: 'try-again' | 'as-marked';
	/** What the server said when it last refused a request; undefined: it is asked. */
	readonly challenge: Challenge | undefined;
	readonly signal: AbortSignal;
	readonly tell: (event: LoginEvent) => void;
	/** What a person should know beside the states. */
	readonly remark: (text: string) => void;
	/** Browser flow: takes the way to hand in a redirect that a person pasted. */
	readonly onCallback: (accept: (pasted: string) => boolean) => void;
};
