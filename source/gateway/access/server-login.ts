import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ServerLogin} from '../../mcp/transport/authorized-fetch.ts';
import {createCredentials} from '../../oauth/tokens/credentials.ts';
import {toLoginTarget} from '../../oauth/login-target.ts';
import {type TokenStore} from '../../oauth/tokens/token-store.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** What connections of a server send; undefined for servers without `auth`. Throws `config_invalid`. */
export function serverLogin(
	config: ServerConfig,
	options: Pick<ProfileContext, 'clock' | 'environment' | 'expand'> & {
		readonly store: TokenStore;
		/** What the server asked for when it refused a request. */
		readonly onChallenge: ServerLogin['onChallenge'];
	},
): ServerLogin | undefined {
	const {clock, environment, expand, store, onChallenge} = options;
	const target = toLoginTarget(config, {expand, home: environment.home});
	return target && {server: config.name, credentials: createCredentials(target, {clock, store}), onChallenge};
}
