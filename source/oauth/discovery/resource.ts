import {
	checkResourceAllowed,
	discoverOAuthProtectedResourceMetadata,
	resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type OauthFetch} from '../oauth-fetch.ts';
import {withoutNulls} from '../tolerant-answer.ts';

/** The tool server as an OAuth resource. */
export type Resource = {
	/** The resource indicator (RFC 8707), exactly as the server writes it; absent for servers without metadata. */
	readonly indicator?: string;
	readonly scopes: readonly string[];
	/** Addresses of authorization servers, the preferred one first. */
	readonly authorizationServers: readonly string[];
	/** assumed: the server names none, so its own origin is assumed. */
	readonly authorizationServersAre: 'named' | 'assumed';
};

const mostServers = 10;

/**
Fetches the metadata of the protected resource (RFC 9728). A server without any is its own authorization server.
Rejects with `issuer_mismatch` when the metadata describes another server, and with `address_refused` when its address is not allowed.
*/
export async function findResource(
	serverUrl: URL,
	resourceMetadataUrl: string | undefined,
	fetch: OauthFetch['fetch'],
): Promise<Resource> {
	const tolerant: OauthFetch['fetch'] = async (url, init) => withoutNulls(await fetch(url, init));
	const metadata = await discoverOAuthProtectedResourceMetadata(serverUrl, {resourceMetadataUrl}, tolerant).catch(
		(error: unknown) => {
			if (error instanceof Problem) {
				throw error;
			}

			return undefined;
		},
	);
	if (!metadata) {
		return {scopes: [], ...assumed(serverUrl)};
	}

	const {resource, scopes_supported: scopes = [], authorization_servers: servers = []} = metadata;
	const requestedResource = resourceUrlFromServerUrl(serverUrl);
	if (!checkResourceAllowed({requestedResource, configuredResource: resource})) {
		const named = safeText(resource, {maximumCharacters: 200});
		throw new Problem('issuer_mismatch', {
			message: `The metadata of the server is about ${named}, not about ${requestedResource.href}`,
		});
	}

	return {
		indicator: resource,
		scopes,
		...(servers.length > 0
			? {authorizationServers: servers.slice(0, mostServers).map(String), authorizationServersAre: 'named'}
			: assumed(serverUrl)),
	};
}

function assumed(serverUrl: URL): Pick<Resource, 'authorizationServers' | 'authorizationServersAre'> {
	return {authorizationServers: [serverUrl.origin], authorizationServersAre: 'assumed'};
}
