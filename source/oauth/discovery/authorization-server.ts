import * as z from 'zod';

/** An address that may be asked or opened: never `file:`, `javascript:` or a text for a shell. */
const webAddress = z.url({protocol: /^https?$/u, hostname: /./u}).max(4096);

const texts = z.array(z.string()).optional();

/** What Sluice reads of the metadata of an authorization server (RFC 8414); the rest is left out. */
export const authorizationServerSchema = z.object({
	issuer: z.string().min(1),
	token_endpoint: webAddress,
	authorization_endpoint: webAddress.optional(),
	registration_endpoint: webAddress.optional(),
	device_authorization_endpoint: webAddress.optional(),
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
Whether two documents speak of one authorization server: the same issuer, and tokens from the same origin. What one of them gave is never
shown to the other, also when a document of the right issuer suddenly names a token endpoint elsewhere.
*/
export function isSameAuthorizationServer(first: AuthorizationServer, second: AuthorizationServer): boolean {
	return (
		first.issuer === second.issuer && new URL(first.token_endpoint).origin === new URL(second.token_endpoint).origin
	);
}
