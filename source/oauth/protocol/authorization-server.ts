import * as z from 'zod';
import {listOfTexts} from './tolerant-response.ts';

/** An address that is safe to request or to open in a browser: never `file:`, `javascript:` or shell text. */
const webAddress = z.url({protocol: /^https?$/u, hostname: /./u}).max(4096);

/** A list, which some servers write as one text; any other value counts as missing. */
const texts = z.preprocess(listOfTexts, z.array(z.string()).optional());

/** The members of authorization server metadata that Sluice reads (RFC 8414); the rest is dropped. */
export const authorizationServerSchema = z.object({
	issuer: z.string().min(1),
	token_endpoint: webAddress,
	authorization_endpoint: webAddress.optional(),
	registration_endpoint: webAddress.optional(),
	device_authorization_endpoint: webAddress.optional(),
	revocation_endpoint: webAddress.optional().catch(undefined),
	response_types_supported: texts,
	grant_types_supported: texts,
	code_challenge_methods_supported: texts,
	token_endpoint_auth_methods_supported: texts,
	scopes_supported: texts,
	client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
	authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
});

/** The metadata of an authorization server. */
export type AuthorizationServer = z.output<typeof authorizationServerSchema>;

/**
True if two documents describe one authorization server: the same issuer and the same origin of the token endpoint. What one of them issued is never
sent to the other, even when a document with the right issuer suddenly names a token endpoint elsewhere.
*/
export function isSameAuthorizationServer(first: AuthorizationServer, second: AuthorizationServer): boolean {
	return (
		first.issuer === second.issuer && new URL(first.token_endpoint).origin === new URL(second.token_endpoint).origin
	);
}
