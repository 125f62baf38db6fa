import {type AuthorizationServer} from '../discovery/authorization-server.ts';
import {type LoginTarget} from '../login-target.ts';
import {type OauthFetch, type OauthFetchOptions, openOauthFetch} from '../oauth-fetch.ts';
import {createTokenFetch} from './token-fetch.ts';

/** What requests beside a login need. */
export type TokenEndpointOptions = Pick<OauthFetchOptions, 'clock' | 'lookup'>;

/** Gives `use` the fetch for the token endpoint of an authorization server that is known already. */
export async function withTokenEndpoint<Result>(
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
