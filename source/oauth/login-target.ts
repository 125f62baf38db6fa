import {type OauthConfig} from '../config/servers/oauth-entry.ts';
import {type TlsChoice} from '../net/tls-choice.ts';

/** A server that logs in, with every variable reference replaced. */
export type LoginTarget = {
	readonly server: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly tls: TlsChoice;
	/** What `~` in paths stands for. */
	readonly home: string;
	readonly oauth: OauthConfig;
};
