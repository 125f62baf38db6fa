import {expect, test} from 'vitest';
import {createTokenFetch} from '../../source/oauth/protocol/oauth-fetch.ts';

/** The requests that reach the fetch behind it. */
async function send(url: string, init?: RequestInit) {
	const seen: Array<RequestInit | undefined> = [];
	const fetch = createTokenFetch(
		async (_, passed) => {
			seen.push(passed);
			return new Response('');
		},
		{tokenEndpoint: 'https://as.example/token', oauth: {userAgent: 'mine'}},
	);
	await fetch(url, init);
	return {redirect: seen[0]?.redirect, userAgent: new Headers(seen[0]?.headers).get('user-agent')};
}

test.each<[string, string, {redirect: string | undefined; userAgent: string | null}]>([
	['POST', 'https://as.example/token', {redirect: 'error', userAgent: 'mine'}],
	['POST', 'https://as.example/token?x=1', {redirect: 'error', userAgent: null}],
	['POST', 'https://as.example/register', {redirect: 'error', userAgent: null}],
	['GET', 'https://as.example/.well-known/oauth-authorization-server', {redirect: undefined, userAgent: null}],
])('%s %s: what is posted follows no redirect, not even within the origin', async (method, url, expected) => {
	expect(await send(url, {method})).toEqual(expected);
});
