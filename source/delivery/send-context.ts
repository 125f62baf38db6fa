import {type Settings} from '../config/platforms/platform-settings.ts';
import {type Publish} from '../state/event.ts';
import {type AccessTokens} from './access-token.ts';
import {type Call} from './http-call.ts';

/** What a target may use. */
export type SendContext = {
	/** `platforms.<target>`, resolved; the keys the target cannot do without are there. */
	readonly settings: Settings;
	readonly call: Call;
	readonly accessTokens: AccessTokens;
	/** Milliseconds since the epoch, for signatures. */
	readonly now: () => number;
	readonly publish: Publish;
	/** Aborts when the attempt has taken too long, and when the gateway stops. */
	readonly signal: AbortSignal;
	/** A small JSON file of the profile that maps names to texts; empty when there is none. */
	readonly stateFile: (name: string) => Promise<Readonly<Record<string, string>>>;
	/** The variables of the profile. */
	readonly variables: (name: string) => string | undefined;
};
