import {type CheckDocument} from './check-document.ts';
import {chooseIdentity, type IdentityWishes} from './client-identity.ts';
import {type OauthFetch} from './oauth-fetch.ts';
import {register} from './register.ts';
import {type KnownClient} from './token-record.ts';

/** Makes Sluice known to the authorization server. Rejects with Problem and with the errors of the SDK; see `oauthFailure`. */
export async function identify(
	wishes: IdentityWishes & {readonly scope: string | undefined},
	tools: {
		readonly fetch: OauthFetch['fetch'];
		readonly checkDocument: CheckDocument;
		readonly signal: AbortSignal;
		/** What a person should know about the choice. */
		readonly remark: (text: string) => void;
	},
): Promise<KnownClient> {
	const {fetch, checkDocument, signal, remark} = tools;
	const identity = chooseIdentity(wishes);
	if (identity.kind === 'known') {
		return identity.client;
	}

	if (identity.kind === 'document') {
		const fault = await checkDocument(identity.url, fetch, signal);
		if (fault === undefined) {
			return {kind: 'document', client_id: identity.url, token_endpoint_auth_method: 'none'};
		}

		remark(`the client document ${identity.url} cannot be used (${fault}); Sluice registers itself instead`);
	}

	return register(wishes, fetch);
}
