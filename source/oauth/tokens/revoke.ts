import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type AuthorizationServer, isSameAuthorizationServer} from '../protocol/authorization-server.ts';
import {askOpenid, configureOpenid} from '../flows/openid.ts';
import {type LoginTarget} from '../protocol/login-target.ts';
import {answerProblem, oauthFailure} from '../protocol/oauth-failure.ts';
import {createTokenFetch, type OauthFetch, openOauthFetch} from '../protocol/oauth-fetch.ts';
import {storedClient, type TokenEndpointOptions} from './refresh.ts';
import {type TokenRecord} from '../protocol/token-record.ts';

/** The result of a revocation at the server that issued the tokens. */
export type Revocation =
	| {readonly kind: 'revoked'; readonly issuer: string}
	/** It has no endpoint for that. */
	| {readonly kind: 'not-possible'}
	| {readonly kind: 'failed'; readonly issuer: string; readonly why: string};

/** A person waits for it. */
const limitMilliseconds = 10_000;

/**
Revokes tokens at the server that issued them (RFC 7009; docs/logins.md, Log out): the refresh token first, which ends the whole grant on most servers.
Takes ten seconds at the longest. Never rejects.
*/
export async function revokeTokens(
	record: TokenRecord,
	target: Omit<LoginTarget, 'url'>,
	options: TokenEndpointOptions,
): Promise<Revocation> {
	const {issuer} = record.authorizationServer;
	try {
		return await withinLimit(options.clock, signal => revokeAll(record, target, {...options, signal}));
	} catch (error) {
		return {kind: 'failed', issuer, why: oauthFailure(error).message};
	}
}

async function revokeAll(
	record: TokenRecord,
	target: Omit<LoginTarget, 'url'>,
	{clock, lookup, signal}: TokenEndpointOptions & {readonly signal: AbortSignal},
): Promise<Revocation> {
	const {tokens, serverUrl} = record;
	const {tls, home, oauth} = target;
	const {fetch, close} = await openOauthFetch({
		clock,
		serverUrl: new URL(serverUrl),
		tls,
		home,
		...(lookup && {lookup}),
	});
	try {
		const fetchInTime: OauthFetch['fetch'] = (url, init) => fetch(url, {...init, signal});
		const authorizationServer = await withEndpoint(record.authorizationServer, fetchInTime);
		if (!authorizationServer) {
			return {kind: 'not-possible'};
		}

		const {issuer, token_endpoint: tokenEndpoint} = authorizationServer;
		const tokenFetch = createTokenFetch(fetchInTime, {tokenEndpoint, oauth: {...oauth, tokenParams: {}}});
		const openid = await import('openid-client');
		const configuration = configureOpenid(openid, storedClient(record, target), {
			authorizationServer,
			fetch: tokenFetch,
		});
		for (const [hint, token] of [
			['refresh_token', tokens.refresh_token],
			['access_token', tokens.access_token],
		] as const) {
			const request = () => openid.tokenRevocation(configuration, token ?? '', {token_type_hint: hint});
			const asked = token === undefined ? undefined : await askOpenid(openid, request);
			// A server that does not revoke access tokens ends them with the refresh token, or lets them run out.
			if (asked?.kind === 'refused' && !(hint === 'access_token' && asked.error === 'unsupported_token_type')) {
				throw answerProblem(asked.error, asked.description);
			}
		}

		return {kind: 'revoked', issuer};
	} finally {
		await close();
	}
}

/**
The authorization server with its endpoint for revocation. A login that was made before Sluice stored that, or before the server had one, has none: the metadata
of the same issuer is read again for it, and for nothing else. Undefined: there is none. Rejects with the problems of the metadata.
*/
async function withEndpoint(
	known: AuthorizationServer,
	fetch: OauthFetch['fetch'],
): Promise<AuthorizationServer | undefined> {
	if (known.revocation_endpoint !== undefined) {
		return known;
	}

	const {fetchMetadata} = await import('../discovery/find-authorization-server.ts');
	const {issuer} = known;
	const found = await fetchMetadata({address: issuer, issuers: [issuer], named: 'named'}, fetch);
	if (found?.revocation_endpoint === undefined) {
		return undefined;
	}

	if (!isSameAuthorizationServer(known, found)) {
		throw new Problem('issuer_mismatch', {message: 'Its metadata now names a token endpoint at another address'});
	}

	return {...known, revocation_endpoint: found.revocation_endpoint};
}

async function withinLimit<Value>(clock: Clock, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
	const reason = () => new Problem('fetch_failed', {message: 'The authorization server did not answer in time'});
	const limit = openDeadline(clock, limitMilliseconds, {reason});
	try {
		return await untilAborted(work(limit.signal), limit.signal);
	} finally {
		limit.cancel();
	}
}
