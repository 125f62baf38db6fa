import {
	checkResourceAllowed,
	discoverOAuthProtectedResourceMetadata,
	resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import {Problem} from '../../util/problem.ts';
import {type OauthFetch} from '../protocol/oauth-fetch.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {listOfTexts, metadataResponse} from '../protocol/tolerant-response.ts';
import {quoted} from '../../util/safe-text.ts';

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

const maxServers = 10;

/**
Fetches the metadata of the protected resource (RFC 9728). A server without any is its own authorization server.
Rejects with `issuer_mismatch` when the metadata describes another server, and with `address_refused` when its address is not allowed.
*/
export async function findResource(
	serverUrl: URL,
	resourceMetadataUrl: string | undefined,
	fetch: OauthFetch['fetch'],
): Promise<Resource> {
	// The well-known places are asked too when there is none at the address that the server names.
	const metadata =
		(resourceMetadataUrl !== undefined && (await readMetadata(serverUrl, resourceMetadataUrl, fetch))) ||
		(await readMetadata(serverUrl, undefined, fetch));
	if (!metadata) {
		return {scopes: [], ...assumed(serverUrl)};
	}

	const {resource, scopes_supported: scopes = [], authorization_servers: servers = []} = metadata;
	const requestedResource = resourceUrlFromServerUrl(serverUrl);
	if (!isAbout(requestedResource, resource)) {
		const named = quoted(resource, {maximumCharacters: 200});
		throw new Problem('issuer_mismatch', {
			message: `The metadata of the server describes ${named}, not ${requestedResource.href}`,
		});
	}

	return {
		indicator: resource,
		scopes,
		...(servers.length > 0
			? {authorizationServers: servers.slice(0, maxServers).map(String), authorizationServersAre: 'named'}
			: assumed(serverUrl)),
	};
}

/** The metadata at an address, or at the well-known places; undefined: there is none. Rejects with Problem. */
async function readMetadata(serverUrl: URL, resourceMetadataUrl: string | undefined, fetch: OauthFetch['fetch']) {
	const tolerant: OauthFetch['fetch'] = async (url, init) => metadataResponse(await fetch(url, init), membersOf);
	return discoverOAuthProtectedResourceMetadata(serverUrl, {resourceMetadataUrl}, tolerant).catch((error: unknown) => {
		if (error instanceof Problem) {
			throw error;
		}

		return undefined;
	});
}

/** The members that Sluice reads: one of another type would cost the others. Undefined: it is no metadata of a resource. */
function membersOf({resource, authorization_servers: servers, scopes_supported: scopes}: JsonObject) {
	if (typeof resource !== 'string') {
		return undefined;
	}

	const addresses = listOfTexts(servers)?.filter(address => webAddressPattern.test(address) && URL.canParse(address));
	const named = listOfTexts(scopes);
	return {
		resource,
		...(addresses && {authorization_servers: addresses}),
		...(named && {scopes_supported: named}),
	};
}

const webAddressPattern = /^https?:/iu;

/** True if metadata about `resource` is about the server: of the same origin, and of its path or one above. One slash at the end makes no difference. */
function isAbout(requestedResource: URL, resource: string): boolean {
	const configuredResource = new URL(resource);
	configuredResource.pathname = configuredResource.pathname.replace(/\/$/u, '');
	return checkResourceAllowed({requestedResource, configuredResource});
}

function assumed(serverUrl: URL): Pick<Resource, 'authorizationServers' | 'authorizationServersAre'> {
	return {authorizationServers: [serverUrl.origin], authorizationServersAre: 'assumed'};
}
