import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {askOpenid, configureOpenid} from '../flows/openid.ts';
import {type LoginTarget} from '../login-target.ts';
import {answerProblem, oauthFailure} from '../oauth-failure.ts';
import {createTokenFetch, openOauthFetch} from '../oauth-fetch.ts';
import {storedClient, type TokenEndpointOptions} from './refresh.ts';
import {type TokenRecord} from './token-record.ts';

/** What became of tokens at the server that issued them. */
export type Revocation =
	| {readonly kind: 'revoked'; readonly issuer: string}
	/** It has no endpoint for that, or had none at the time of the login. */
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
	const {issuer, revocation_endpoint: endpoint} = record.authorizationServer;
	if (endpoint === undefined) {
		return {kind: 'not-possible'};
	}

	try {
		await withinLimit(options.clock, signal => revokeAll(record, target, {...options, signal}));
		return {kind: 'revoked', issuer};
	} catch (error) {
		return {kind: 'failed', issuer, why: oauthFailure(error).message};
	}
}

async function revokeAll(
	record: TokenRecord,
	target: Omit<LoginTarget, 'url'>,
	{clock, lookup, signal}: TokenEndpointOptions & {readonly signal: AbortSignal},
): Promise<void> {
	const {authorizationServer, tokens, serverUrl} = record;
	const {tls, home, oauth} = target;
	const {fetch, close} = await openOauthFetch({
		clock,
		serverUrl: new URL(serverUrl),
		tls,
		home,
		...(lookup && {lookup}),
	});
	try {
		const tokenEndpoint = authorizationServer.token_endpoint;
		const tokenFetch = createTokenFetch(fetch, {tokenEndpoint, userAgent: oauth.userAgent});
		const openid = await import('openid-client');
		const configuration = configureOpenid(openid, storedClient(record, target), {
			authorizationServer,
			fetch: (url, init) => tokenFetch(url, {...init, signal}),
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
	} finally {
		await close();
	}
}

async function withinLimit(clock: Clock, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
	const reason = () => new Problem('fetch_failed', {message: 'The authorization server did not answer in time'});
	const limit = openDeadline(clock, limitMilliseconds, {reason});
	try {
		await untilAborted(work(limit.signal), limit.signal);
	} finally {
		limit.cancel();
	}
}
