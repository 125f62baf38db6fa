import {type OauthConfig} from '../../config/servers/oauth-entry.ts';
import {Problem} from '../../util/problem.ts';
import {type AuthorizationServer, isSameAuthorizationServer} from '../protocol/authorization-server.ts';
import {type KnownClient, type TokenRecord} from '../protocol/token-record.ts';
import {scopeNames} from './choose-scope.ts';
import {defaultDocumentUrl, documentRedirects} from './client-document.ts';

/** The client identity of Sluice at an authorization server. */
export type ClientIdentity =
	/** A client that the server already knows: configured, or registered before. */
	| {readonly kind: 'known'; readonly client: KnownClient}
	/** The address of the client document, once it was fetched and checked. */
	| {readonly kind: 'document'; readonly url: string}
	| {readonly kind: 'register'};

/** The grants registered for each flow. */
export const flowGrants = {
	browser: ['authorization_code', 'refresh_token'],
	device: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
} as const satisfies Record<OauthConfig['flow'], readonly string[]>;

export type IdentityRequest = {
	readonly flow: OauthConfig['flow'];
	readonly oauth: OauthConfig;
	readonly authorizationServer: AuthorizationServer;
	/** Absent in the device flow. */
	readonly redirectUri?: string;
	/** The record of the last login. */
	readonly record: TokenRecord | undefined;
	/** The marker `cimd-off` is set. */
	readonly documentRefused: boolean;
	/** The scope to request. */
	readonly scope?: string | undefined;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

/**
Chooses the identity (docs/logins.md, Client identification). A configured client wins; a registration is reused only at the server that
issued it, for the same flow and redirect and no wider scope; the document only when the server supports it, and never in the device flow.
Throws `issuer_mismatch` when a configured client would be sent to another authorization server than the one it first logged in at. Pure.
*/
export function chooseIdentity(request: IdentityRequest): ClientIdentity {
	const {flow, oauth, authorizationServer, record, documentRefused} = request;
	if (oauth.clientId !== undefined) {
		refuseStranger(oauth.clientId, authorizationServer, record);
		return {kind: 'known', client: configuredClient(oauth.clientId, oauth)};
	}

	if (record && isUsableRegistration(record, request)) {
		return {kind: 'known', client: record.client};
	}

	const isDocument =
		mayNameDocument(flow, oauth) &&
		documentRedirects.includes(request.redirectUri ?? '') &&
		!documentRefused &&
		authorizationServer.client_id_metadata_document_supported === true;
	return isDocument ? {kind: 'document', url: oauth.clientMetadataUrl ?? defaultDocumentUrl} : {kind: 'register'};
}

/** True if the configuration allows the client document, with an authorization server that supports it. Pure. */
export function mayNameDocument(flow: OauthConfig['flow'], oauth: OauthConfig): boolean {
	return (
		flow === 'browser' &&
		oauth.identification === 'document' &&
		oauth.clientId === undefined &&
		oauth.clientName === undefined &&
		oauth.tokenEndpointAuthMethod === undefined
	);
}

/** The configured client, including its secret, which is never written to the token file. */
export function configuredClient(clientId: string, oauth: OauthConfig): KnownClient {
	return {
		kind: 'configured',
		client_id: clientId,
		...(oauth.clientSecret !== undefined && {client_secret: oauth.clientSecret}),
		...(oauth.tokenEndpointAuthMethod !== undefined && {token_endpoint_auth_method: oauth.tokenEndpointAuthMethod}),
	};
}

/** A configured client belongs to the first authorization server that it logged in at. */
function refuseStranger(clientId: string, server: AuthorizationServer, record: TokenRecord | undefined): void {
	if (
		record?.client.kind === 'configured' &&
		record.client.client_id === clientId &&
		!isSameAuthorizationServer(record.authorizationServer, server)
	) {
		const [before, now] = [record.authorizationServer, server].map(nameOf);
		throw new Problem('issuer_mismatch', {
			message: `The tool server now names the authorization server ${now} instead of ${before}. The configured client belongs to the old one`,
		});
	}
}

function nameOf({issuer, token_endpoint: tokenEndpoint}: AuthorizationServer): string {
	const {origin} = new URL(tokenEndpoint);
	return issuer.startsWith(origin) ? issuer : `${issuer} (tokens from ${origin})`;
}

function isUsableRegistration({client, authorizationServer, tokens}: TokenRecord, request: IdentityRequest): boolean {
	const {flow, redirectUri, now, oauth} = request;
	const expiresAt = (client.client_secret_expires_at ?? 0) * 1000;
	return (
		client.kind === 'registered' &&
		isSameAuthorizationServer(authorizationServer, request.authorizationServer) &&
		flowGrants[flow].every(grant => client.grant_types?.includes(grant)) &&
		(redirectUri === undefined || client.redirect_uris?.includes(redirectUri) === true) &&
		(expiresAt === 0 || expiresAt > now) &&
		coversScope(client.scope ?? tokens.scope, request.scope) &&
		// A client described in the configuration since then replaces the registered one.
		oauth.clientName === undefined &&
		oauth.tokenEndpointAuthMethod === undefined
	);
}

/** True if a client registered for the first scopes may request the second. */
function coversScope(registered: string | undefined, asked: string | undefined): boolean {
	const names = scopeNames(registered);
	return names.size === 0 || [...scopeNames(asked)].every(name => names.has(name));
}
