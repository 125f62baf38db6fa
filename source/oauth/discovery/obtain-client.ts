import {registerClient} from '@modelcontextprotocol/client';
import {type LoginFlow, type OauthConfig} from '../../config/servers/oauth-entry.ts';
import {isJsonObject, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type OauthFetch} from '../protocol/oauth-fetch.ts';
import {type KnownClient} from '../protocol/token-record.ts';
import {type AuthorizationServer} from '../protocol/authorization-server.ts';
import {type CheckDocument} from './client-document.ts';
import {chooseIdentity, flowGrants, type IdentityRequest} from './client-identity.ts';

/** Obtains the client for an authorization server: a known one, the client document or a new registration. Rejects with Problem and with the errors of the SDK; see `oauthFailure`. */
export async function obtainClient(
	request: IdentityRequest & {readonly scope: string | undefined},
	tools: {
		readonly fetch: OauthFetch['fetch'];
		readonly checkDocument: CheckDocument;
		readonly signal: AbortSignal;
		/** Warns the person about a fallback. */
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

/** The metadata of a registration. */
type Registration = {
	readonly authorizationServer: AuthorizationServer;
	readonly flow: LoginFlow;
	readonly oauth: OauthConfig;
	readonly scope: string | undefined;
	readonly redirectUri?: string;
};

/**
Registers Sluice as a client (RFC 7591), for the grants of the flow. Rejects with `login_failed` when the server has no registration,
and with the errors of the SDK; see `oauthFailure`.
*/
async function register(registration: Registration, fetch: OauthFetch['fetch']): Promise<KnownClient> {
	const {authorizationServer, flow, oauth, scope, redirectUri} = registration;
	if (authorizationServer.registration_endpoint === undefined) {
		throw new Problem('login_failed', {
			message: 'The authorization server does not register clients. Register one there and set `oauth.client_id`',
		});
	}

	const redirects = redirectUri === undefined ? [] : [redirectUri];
	const grants = [...flowGrants[flow]];
	const information = await registerClient(authorizationServer.issuer, {
		metadata: {
			...authorizationServer,
			authorization_endpoint: authorizationServer.authorization_endpoint ?? authorizationServer.issuer,
			response_types_supported: authorizationServer.response_types_supported ?? ['code'],
		},
		clientMetadata: {
			client_name: oauth.clientName ?? 'Sluice',
			redirect_uris: redirects,
			grant_types: grants,
			response_types: flow === 'browser' ? ['code'] : [],
			token_endpoint_auth_method: oauth.tokenEndpointAuthMethod ?? methodFor(authorizationServer),
			application_type: 'native',
		},
		...(scope !== undefined && {scope}),
		fetchFn: async (url, init) => withSentRedirects(await fetch(url, init), redirects),
	});
	return {
		kind: 'registered',
		client_id: information.client_id,
		client_secret: information.client_secret,
		client_secret_expires_at: information.client_secret_expires_at,
		token_endpoint_auth_method: information.token_endpoint_auth_method,
		// Stored with the requested scope, even when the response omits it.
		redirect_uris: redirects,
		grant_types: grants,
		scope: scope ?? '',
	};
}

/** The members of a registration that Sluice reads. Many servers leave out what they were sent, or add members that are empty. */
const readMembers = ['client_id', 'client_secret', 'client_secret_expires_at', 'token_endpoint_auth_method'];

/** The registered client, with the redirects that were sent: the SDK takes no registration without them. */
async function withSentRedirects(answer: Response, redirects: readonly string[]): Promise<Response> {
	const text = await answer.text();
	const registered = parseJson(text);
	if (!answer.ok || !isJsonObject(registered)) {
		return new Response(text === '' ? null : text, answer);
	}

	const members = Object.entries(registered).filter(([name]) => readMembers.includes(name));
	return Response.json({...Object.fromEntries(members), redirect_uris: redirects});
}

/** A program on a person's machine is a public client (RFC 8252): it requests a secret only when the server supports nothing else. */
function methodFor({token_endpoint_auth_methods_supported: supported}: AuthorizationServer): string {
	return supported === undefined || supported.includes('none')
		? 'none'
		: (['client_secret_basic', 'client_secret_post'].find(method => supported.includes(method)) ?? 'none');
}
