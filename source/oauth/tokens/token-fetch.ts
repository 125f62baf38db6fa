import {type OauthFetch} from '../oauth-fetch.ts';

/**
The fetch for requests of a client to its authorization server: what is posted follows no redirect, and `user_agent` stands on requests to the token endpoint
alone, never on discovery, registration or MCP traffic (docs/logins.md, Tokens).
*/
export function createTokenFetch(
	fetch: OauthFetch['fetch'],
	options: {readonly tokenEndpoint: string; readonly userAgent: string | undefined},
): OauthFetch['fetch'] {
	const tokenEndpoint = new URL(options.tokenEndpoint).href;
	return (url, init = {}) => {
		const headers = new Headers(init.headers);
		if (options.userAgent !== undefined && new URL(url).href === tokenEndpoint) {
			headers.set('user-agent', options.userAgent);
		}

		const posts = (init.method ?? 'GET').toUpperCase() !== 'GET';
		return fetch(url, {...init, headers, ...(posts && {redirect: 'error'})});
	};
}
