import {OAuthError, refreshAuthorization} from '@modelcontextprotocol/client';
import {Problem} from '../../util/problem.ts';
import {type AuthorizationServer} from '../discovery/authorization-server.ts';
import {configuredClient} from '../discovery/client-identity.ts';
import {loginRequired} from '../login-required.ts';
import {type LoginTarget} from '../login-target.ts';
import {oauthFailure} from '../oauth-failure.ts';
import {createTokenFetch, type OauthFetch, type OauthFetchOptions, openOauthFetch} from '../oauth-fetch.ts';
import {toGranted, type TokenRecord} from './token-record.ts';

/** What requests beside a login need. */
export type TokenEndpointOptions = Pick<OauthFetchOptions, 'clock' | 'lookup'>;

/** Answers of a server that may be another one in a minute. */
const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
Exchanges the refresh token for new tokens, at the very server that gave it: metadata is not read again, so nobody can send the token elsewhere.
A refresh token that the answer leaves out is kept. Rejects with `login_required` when it is refused and with `fetch_failed` when the server does not answer.
*/
export async function refresh(
	record: TokenRecord,
	target: LoginTarget,
	options: TokenEndpointOptions,
): Promise<TokenRecord> {
	const {authorizationServer, resource, tokens} = record;
	const {refresh_token: refreshToken} = tokens;
	if (refreshToken === undefined) {
		throw loginRequired(target.server, 'the access token expired and there is no refresh token');
	}

	const client = storedClient(record, target);
	const {token_endpoint: tokenEndpoint, issuer} = authorizationServer;
	try {
		const answer = await withTokenEndpoint(authorizationServer, {...options, target}, fetch =>
			refreshAuthorization(issuer, {
				metadata: {...authorizationServer, authorization_endpoint: tokenEndpoint, response_types_supported: ['code']},
				clientInformation: client,
				refreshToken,
				...(resource !== undefined && {resource}),
				fetchFn: async (url, init) => rejectPassing(await fetch(url, init)),
			}),
		);
		const {client: _, ...granted} = toGranted(answer, {client, now: options.clock.now(), before: tokens});
		const {expiresAt: __, ...kept} = record;
		return {...kept, ...granted};
	} catch (error) {
		throw refusal(error, target.server);
	}
}

/** The client that stored tokens belong to; a configured one has its secret in the configuration. Throws `login_required` when another client is configured now. */
function storedClient({client}: TokenRecord, {server, oauth}: LoginTarget): TokenRecord['client'] {
	if (client.kind !== 'configured') {
		return client;
	}

	if (client.client_id !== oauth.clientId) {
		throw loginRequired(server, 'the tokens belong to another client than the configured one');
	}

	return configuredClient(oauth.clientId, oauth);
}

/** Gives `use` the fetch for the token endpoint of an authorization server that is known already. */
async function withTokenEndpoint<Result>(
	{token_endpoint: tokenEndpoint}: AuthorizationServer,
	options: TokenEndpointOptions & {readonly target: LoginTarget},
	use: (fetch: OauthFetch['fetch']) => Promise<Result>,
): Promise<Result> {
	const {target, clock, lookup} = options;
	const {url: serverUrl, tls, home, oauth} = target;
	const {fetch, close} = await openOauthFetch({clock, serverUrl, tls, home, ...(lookup && {lookup})});
	try {
		return await use(createTokenFetch(fetch, {tokenEndpoint, userAgent: oauth.userAgent}));
	} finally {
		await close();
	}
}

function rejectPassing(answer: Response): Response {
	if (passingStatuses.has(answer.status)) {
		throw new Problem('fetch_failed', {message: `The authorization server answered ${answer.status}`});
	}

	return answer;
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
