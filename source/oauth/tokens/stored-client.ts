import {configuredClient} from '../discovery/client-identity.ts';
import {loginRequired} from '../login-required.ts';
import {type LoginTarget} from '../login-target.ts';
import {type TokenRecord} from './token-record.ts';

/** The client that stored tokens belong to; a configured one has its secret in the configuration. Throws `login_required` when another client is configured now. */
export function storedClient({client}: TokenRecord, {server, oauth}: LoginTarget): TokenRecord['client'] {
	if (client.kind !== 'configured') {
		return client;
	}

	if (client.client_id !== oauth.clientId) {
		throw loginRequired(server, 'the tokens belong to another client than the configured one');
	}

	return configuredClient(oauth.clientId, oauth);
}
