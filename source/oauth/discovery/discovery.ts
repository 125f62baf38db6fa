import {
	checkResourceAllowed,
	discoverOAuthProtectedResourceMetadata,
	resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AuthorizationServer} from './authorization-server.ts';
import {assumedAuthorizationServer, lacks} from '../flows/flow-needs.ts';
import {fetchAuthorizationServer} from './fetch-authorization-server.ts';
import {type OauthFetch} from '../oauth-fetch.ts';
import {type Resource} from './resource.ts';

const mostServers = 10;

/**
Reads the metadata of the protected resource (RFC 9728). A server without any is its own authorization server.
Rejects with `issuer_mismatch` when the metadata is about another server, and with `address_refused` when it stands where it must not.
*/
export async function findResource(
	serverUrl: URL,
	resourceMetadataUrl: string | undefined,
	fetch: OauthFetch['fetch'],
): Promise<Resource> {
	const metadata = await discoverOAuthProtectedResourceMetadata(serverUrl, {resourceMetadataUrl}, fetch).catch(
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
		throw new Problem('issuer_mismatch', {
			message: `The metadata of the server is about ${shown(resource)}, not about ${requestedResource.href}`,
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

/** What a metadata document at `address` may be of. Only for a browser login may an address end in a slash that its issuer does not have, as many servers write it. */
function issuersOf(address: string, resource: Resource, flow: LoginFlow): readonly string[] {
	if (resource.authorizationServersAre === 'assumed') {
		return [address, `${address}/`];
	}

	return flow === 'browser' && address.endsWith('/') ? [address, address.slice(0, -1)] : [address];
}

type Search = {readonly flow: LoginFlow; readonly fetch: OauthFetch['fetch']; readonly signal: AbortSignal};

/**
Looks at the authorization servers in order and takes the first one whose metadata is its own and that offers what the flow needs
(docs/logins.md, Device flow). Rejects with the reasons of all; the code is that of the first one that says more than `login_failed`.
*/
export async function findAuthorizationServer(resource: Resource, options: Search): Promise<AuthorizationServer> {
	const addresses = resource.authorizationServers;
	const refusals: Problem[] = [];
	for (const address of addresses) {
		const found = await findServer(address, resource, options);
		if (!(found instanceof Problem)) {
			return found;
		}

		refusals.push(found);
	}

	const reasons = refusals.map(({message}, index) => `${shown(addresses[index] ?? '')}: ${message}`).join('; ');
	const {code} = refusals.find(refusal => refusal.code !== 'login_failed') ?? {code: 'login_failed'};
	throw new Problem(code, {message: `No authorization server of the tool server can be used. ${reasons}`});
}

/** The authorization server at an address, or why it will not do. Rejects only when it is called off. */
async function findServer(address: string, resource: Resource, search: Search): Promise<AuthorizationServer | Problem> {
	const {flow, fetch, signal} = search;
	signal.throwIfAborted();
	try {
		const named = {address, issuers: issuersOf(address, resource, flow)};
		const found = (await fetchAuthorizationServer(named, fetch)) ?? assumedAuthorizationServer(resource, flow);
		return found ? (lacks(found, flow) ?? found) : new Problem('login_failed', {message: 'it has no metadata'});
	} catch (error) {
		signal.throwIfAborted();
		return error instanceof Problem ? error : new Problem('login_failed', {cause: error});
	}
}

function shown(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}
