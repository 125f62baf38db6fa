import {type ServerConfig} from '../config/server-entry.ts';
import {type ServerLogin} from '../mcp/authorized-fetch.ts';
import {openCredentials} from '../oauth/open-credentials.ts';
import {toLoginTarget} from '../oauth/to-login-target.ts';
import {type TokenStore} from '../oauth/token-store.ts';
import {type Foundation} from './foundation.ts';

/** What connections of a server send; undefined for servers without `auth`. Throws `config_invalid`. */
export function serverLogin(
	config: ServerConfig,
	options: Pick<Foundation, 'clock' | 'environment' | 'expand'> & {
		readonly store: TokenStore;
		/** What the server asked for when it refused a request. */
		readonly onChallenge: ServerLogin['onChallenge'];
	},
): ServerLogin | undefined {
	const {clock, environment, expand, store, onChallenge} = options;
	const target = toLoginTarget(config, {expand, home: environment.home});
	return target && {server: config.name, credentials: openCredentials(target, {clock, store}), onChallenge};
}
