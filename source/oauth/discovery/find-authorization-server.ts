import {buildDiscoveryUrls} from '@modelcontextprotocol/client';
import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type OauthFetch} from '../protocol/oauth-fetch.ts';
import {metadataIn} from '../protocol/tolerant-response.ts';
import {type AuthorizationServer, authorizationServerSchema} from '../protocol/authorization-server.ts';
import {type Resource} from './resource.ts';
import {quoted} from '../../util/safe-text.ts';

type Search = {readonly flow: LoginFlow; readonly fetch: OauthFetch['fetch']; readonly signal: AbortSignal};

/**
Tries the authorization servers in order and returns the first one whose metadata is valid and which supports the flow
(docs/logins.md, Device flow). Rejects with all reasons, and with the code of the first one more specific than `login_failed`.
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

/** The authorization server at an address, or why it cannot be used. Rejects only with the reason of the signal. */
async function findServer(address: string, resource: Resource, search: Search): Promise<AuthorizationServer | Problem> {
	const {flow, fetch, signal} = search;
	signal.throwIfAborted();
	try {
		const {authorizationServersAre: named} = resource;
		const found =
			(await fetchMetadata({address, issuers: issuersOf(address, resource, flow), named}, fetch)) ??
			assumedAuthorizationServer(resource, flow);
		return found ? (lacks(found, flow) ?? found) : new Problem('login_failed', {message: 'it has no metadata'});
	} catch (error) {
		signal.throwIfAborted();
		return error instanceof Problem ? error : new Problem('login_failed', {cause: error});
	}
}

/** The issuers allowed in the metadata of `address`. Only for a browser login may an address end in a slash that its issuer lacks, as many servers write it. */
function issuersOf(address: string, resource: Resource, flow: LoginFlow): readonly string[] {
	if (resource.authorizationServersAre === 'assumed') {
		return [address, `${address}/`];
	}

	return flow === 'browser' && address.endsWith('/') ? [address, address.slice(0, -1)] : [address];
}

/** An authorization server named by the tool server, and the issuers allowed in its metadata. */
type NamedAuthorizationServer = {
	readonly address: string;
	readonly issuers: readonly string[];
	readonly named: Resource['authorizationServersAre'];
};

/**
Fetches the metadata of an authorization server (RFC 8414, then OpenID Connect Discovery). Its issuer must equal one of `issuers` exactly.
Undefined: there is no metadata. Rejects with `issuer_mismatch` naming both, with `login_failed` when the metadata is unusable, and with the problems of the fetch.
*/
export async function fetchMetadata(
	named: NamedAuthorizationServer,
	fetch: OauthFetch['fetch'],
): Promise<AuthorizationServer | undefined> {
	const {address} = named;
	if (!URL.canParse(address)) {
		throw new Problem('login_failed', {message: 'its address is not valid'});
	}

	let answered: 'nothing' | 'something else' = 'nothing';
	for (const {url} of buildDiscoveryUrls(address)) {
		const answer = await fetch(url, {headers: {accept: 'application/json'}});
		const metadata = answer.ok ? metadataIn(await answer.text()) : undefined;
		// A page, or JSON about something else: many servers answer every address so.
		if (metadata && (Object.hasOwn(metadata, 'issuer') || Object.hasOwn(metadata, 'token_endpoint'))) {
			return parseMetadata(metadata, named);
		}

		answered = answer.ok ? 'something else' : answered;

		if (answer.status >= 500 && answer.status !== 502) {
			throw new Problem('login_failed', {message: `its metadata answered ${answer.status}`});
		}
	}

	// A server that names none may well answer every address with its page, and have the endpoints of old.
	if (answered === 'something else' && named.named === 'named') {
		throw new Problem('login_failed', {
			message: 'its metadata cannot be used: the answer is a web page or other JSON',
		});
	}

	return undefined;
}

function parseMetadata(metadata: JsonObject, named: NamedAuthorizationServer): AuthorizationServer {
	const parsed = authorizationServerSchema.safeParse(metadata);
	if (!parsed.success) {
		const key = parsed.error.issues[0]?.path.join('.') ?? '';
		throw new Problem('login_failed', {message: `its metadata cannot be used: \`${key}\` is missing or not valid`});
	}

	const {issuer} = parsed.data;
	if (!named.issuers.includes(issuer)) {
		throw new Problem('issuer_mismatch', {message: mismatchText(issuer, named)});
	}

	return parsed.data;
}

/** Names both addresses, and the key that its operator corrects (RFC 8414, 3.3: the two must be identical). */
function mismatchText(issuer: string, {address, named}: NamedAuthorizationServer): string {
	const withoutSlash = (text: string) => text.replace(/\/$/u, '');
	const slash = withoutSlash(issuer) === withoutSlash(address) ? '; only the slash at the end differs' : '';
	return named === 'named'
		? `its metadata has \`issuer\` ${shown(issuer)}, but the tool server names ${shown(address)}${slash}. \`authorization_servers\` in the metadata of the tool server must be exactly the issuer. Ask its operator to correct it`
		: `its metadata has \`issuer\` ${shown(issuer)} instead of ${shown(address)}, the origin of the tool server. The tool server must name its authorization server under \`authorization_servers\` in its metadata. Ask its operator to correct it`;
}

/** MCP servers of 2025-03-26 may have no metadata: their endpoints have fixed paths at their own origin. */
function assumedAuthorizationServer(resource: Resource, flow: LoginFlow): AuthorizationServer | undefined {
	const [origin] = resource.authorizationServers;
	if (flow !== 'browser' || resource.authorizationServersAre !== 'assumed' || origin === undefined) {
		return undefined;
	}

	return {
		issuer: origin,
		authorization_endpoint: `${origin}/authorize`,
		token_endpoint: `${origin}/token`,
		registration_endpoint: `${origin}/register`,
	};
}

/** The feature that an authorization server lacks for a flow; undefined if none. There is no fallback to another flow (docs/logins.md, Device flow). */
function lacks(server: AuthorizationServer, flow: LoginFlow): Problem | undefined {
	switch (flow) {
		case 'device':
			return lackOfDevice(server);
		case 'browser':
			return lackOfBrowser(server);
	}
}

/** The type of the device grant (RFC 8628, 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

function lackOfDevice(server: AuthorizationServer): Problem | undefined {
	if (server.device_authorization_endpoint === undefined) {
		return unsupported('it does not support device login (no `device_authorization_endpoint`)');
	}

	return server.grant_types_supported && !server.grant_types_supported.includes(deviceGrant)
		? unsupported('it does not offer the `device_code` grant')
		: undefined;
}

function unsupported(what: string): Problem {
	return new Problem('device_login_unsupported', {message: `${what}; use \`--flow browser\` instead`});
}

function lackOfBrowser(server: AuthorizationServer): Problem | undefined {
	if (server.authorization_endpoint === undefined) {
		return new Problem('login_failed', {
			message: 'it does not support browser login; use `--flow device` instead',
		});
	}

	if (server.response_types_supported && !server.response_types_supported.includes('code')) {
		return new Problem('login_failed', {message: 'it does not offer authorization codes'});
	}

	const methods = server.code_challenge_methods_supported;
	return methods && !methods.includes('S256')
		? new Problem('login_failed', {message: 'it does not offer PKCE with S256'})
		: undefined;
}

function shown(text: string): string {
	return quoted(text, {maximumCharacters: 200});
}
