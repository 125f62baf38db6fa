import {OAuthError, refreshAuthorization} from '@modelcontextprotocol/client';
import {Problem} from '../../util/problem.ts';
import {configuredClient} from '../discovery/client-identity.ts';
import {loginRequired} from '../protocol/login-required.ts';
import {type LoginTarget} from '../protocol/login-target.ts';
import {oauthFailure} from '../protocol/oauth-failure.ts';
import {createTokenFetch, type OauthFetchOptions, openOauthFetch} from '../protocol/oauth-fetch.ts';
import {toGranted, type TokenRecord} from '../protocol/token-record.ts';

/** Dependencies of requests outside a login. */
export type TokenEndpointOptions = Pick<OauthFetchOptions, 'clock' | 'lookup'>;

/**
Exchanges the refresh token for new tokens at the server that issued it: metadata is not fetched again, so nobody can redirect the token elsewhere.
A refresh token omitted from the response is retained. Rejects with `login_required` when it is refused and with `fetch_failed` when the server does not respond.
*/
export async function refresh(
	record: TokenRecord,
	target: LoginTarget,
	options: TokenEndpointOptions,
): Promise<TokenRecord> {
	const {authorizationServer, resource, tokens} = record;
	const {refresh_token: refreshToken} = tokens;
	if (refreshToken === undefined) {
		throw loginRequired(target.server, 'the access token has expired, and there is no refresh token');
	}

	const client = storedClient(record, target);
	const {token_endpoint: tokenEndpoint, issuer} = authorizationServer;
	const {url: serverUrl, tls, home, oauth} = target;
	const {clock, lookup} = options;
	try {
		const {fetch, close} = await openOauthFetch({clock, serverUrl, tls, home, ...(lookup && {lookup})});
		const tokenFetch = createTokenFetch(fetch, {tokenEndpoint, oauth});
		try {
			const answer = await refreshAuthorization(issuer, {
				metadata: {...authorizationServer, authorization_endpoint: tokenEndpoint, response_types_supported: ['code']},
				clientInformation: client,
				refreshToken,
				...(resource !== undefined && oauth.resource !== 'left-out' && {resource}),
				fetchFn: tokenFetch,
			});
			const {client: _, ...granted} = toGranted(answer, {client, now: clock.now(), before: tokens});
			const {expiresAt: __, ...unchanged} = record;
			return {...unchanged, ...granted};
		} finally {
			await close();
		}
	} catch (error) {
		throw refusal(error, target.server);
	}
}

/** The client of the stored tokens; the secret of a configured one comes from the configuration. Throws `login_required` when another client is configured now. */
export function storedClient(
	{client}: TokenRecord,
	{server, oauth}: Pick<LoginTarget, 'server' | 'oauth'>,
): TokenRecord['client'] {
	if (client.kind !== 'configured') {
		return client;
	}

	if (client.client_id !== oauth.clientId) {
		throw loginRequired(server, 'the tokens belong to another client than the configured one');
	}

	return configuredClient(oauth.clientId, oauth);
}

function refusal(error: unknown, server: string): Problem {
	const problem = oauthFailure(error);
	if (problem.code === 'fetch_failed' || problem.code === 'address_refused') {
		return problem;
	}

	return loginRequired(
		server,
		error instanceof OAuthError ? problem.message : 'the tokens could not be refreshed',
		problem,
	);
}
