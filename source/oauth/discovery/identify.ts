import {type CheckDocument} from './check-document.ts';
import {chooseIdentity, type IdentityRequest} from './client-identity.ts';
import {type OauthFetch} from '../oauth-fetch.ts';
import {register} from './register.ts';
import {type KnownClient} from '../tokens/token-record.ts';

/** Makes Sluice known to the authorization server. Rejects with Problem and with the errors of the SDK; see `oauthFailure`. */
export async function identify(
	request: IdentityRequest & {readonly scope: string | undefined},
	tools: {
		readonly fetch: OauthFetch['fetch'];
		readonly checkDocument: CheckDocument;
		readonly signal: AbortSignal;
		/** What a person should know about the choice. */
		readonly warn: (text: string) => void;
	},
): Promise<KnownClient> {
	const {fetch, checkDocument, signal, warn} = tools;
	const identity = chooseIdentity(request);
	if (identity.kind === 'known') {
		return identity.client;
	}

	if (identity.kind === 'document') {
		const fault = await checkDocument(identity.url, fetch, signal);
		if (fault === undefined) {
			return {kind: 'document', client_id: identity.url, token_endpoint_auth_method: 'none'};
		}

		warn(`the client document ${identity.url} cannot be used (${fault}); Sluice registers itself instead`);
	}

	return register(request, fetch);
}
