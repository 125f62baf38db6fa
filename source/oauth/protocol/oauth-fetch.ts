import {type OauthConfig} from '../../config/servers/oauth-entry.ts';
import {isLocalHost, type Lookup, reachOf} from '../../net/address-guard.ts';
import {type GuardedFetch, openGuardedFetch} from '../../net/guarded-fetch.ts';
import {networkReason} from '../../net/network-failure.ts';
import {readTlsOptions, type TlsChoice} from '../../net/tls-options.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {tolerantResponse} from './tolerant-response.ts';

/** The fetch for all requests of one login except those to the tool server itself. */
export type OauthFetch = GuardedFetch;

export type OauthFetchOptions = {
	readonly clock: Clock;
	/** The address of the tool server: its network decides which addresses metadata may name. */
	readonly serverUrl: URL;
	readonly tls: TlsChoice;
	/** The folder that `~` in paths refers to. */
	readonly home: string;
	readonly lookup?: Lookup;
};

const limitBytes = 1024 * 1024;
const limitMilliseconds = 30_000;

/**
Creates the fetch for metadata, registration and tokens. The tool server chooses the addresses, so they are limited: https, or http on this machine and at the server's own
origin; loopback only for a server on this machine, private networks only for a server in one; no redirect to another origin; a megabyte and half a minute for each response.
The certificates of the entry apply here too, but its client certificate is sent only to the server's own origin.
*/
export async function openOauthFetch(options: OauthFetchOptions): Promise<OauthFetch> {
	const {clock, serverUrl, tls, home, lookup} = options;
	const reach = await reachOf(serverUrl.hostname, lookup);
	const common = {reach, redirects: 'origin', limitBytes, lookup} as const;
	const others = openGuardedFetch({...common, tls: await readTlsOptions({verification: tls.verification}, home)});
	const own = tls.clientCertificate ? openGuardedFetch({...common, tls: await readTlsOptions(tls, home)}) : others;

	return {
		async fetch(address, init = {}) {
			const url = new URL(address);
			if (url.protocol === 'http:' && !isLocalHost(url.hostname) && url.origin !== serverUrl.origin) {
				throw new Problem('address_refused', {message: `An address is not allowed: ${url.origin} is not https`});
			}

			const limit = openDeadline(clock, limitMilliseconds, {
				...(init.signal && {signal: init.signal}),
				reason: () => new Problem('fetch_failed', {message: `${url.origin} did not answer in time`}),
			});
			const {fetch} = url.origin === serverUrl.origin ? own : others;
			try {
				const answer = await fetch(url, {...init, signal: limit.signal});
				// The body is small and read completely; reading it here applies the same deadline.
				const body = await answer.arrayBuffer();
				return new Response(isBodiless(answer.status) ? null : body, answer);
			} catch (error) {
				limit.signal.throwIfAborted();
				throw unreached(error, url);
			} finally {
				limit.cancel();
			}
		},
		async close() {
			await Promise.all([others.close(), own.close()]);
		},
	};
}

/** Names the server that did not answer, and why; a query or a path may hold secrets, so its origin is all that is named. */
function unreached(error: unknown, {origin}: URL): unknown {
	if (!(error instanceof Problem) || error.code !== 'fetch_failed') {
		return error;
	}

	const reason = networkReason(error);
	const message = reason === undefined ? `${origin} did not answer` : `${origin} cannot be reached: ${reason}`;
	return new Problem('fetch_failed', {
		message,
		...(error.detail !== undefined && {detail: error.detail}),
		cause: error,
	});
}

function isBodiless(status: number): boolean {
	return status === 204 || status === 205 || status === 304;
}

/**
The fetch for a client's requests to its authorization server: a POST follows no redirect; `user_agent` and `token_params` are sent to the token endpoint
only, never with discovery, registration or MCP traffic (docs/logins.md, Tokens). What is answered to a POST is put into the form that libraries take; see `tolerantResponse`.
*/
export function createTokenFetch(
	fetch: OauthFetch['fetch'],
	options: {readonly tokenEndpoint: string; readonly oauth: Pick<OauthConfig, 'userAgent' | 'tokenParams'>},
): OauthFetch['fetch'] {
	const {userAgent, tokenParams = {}} = options.oauth;
	const tokenEndpoint = new URL(options.tokenEndpoint).href;
	return async (url, init = {}) => {
		const headers = new Headers(init.headers);
		const isForTokens = new URL(url).href === tokenEndpoint;
		if (userAgent !== undefined && isForTokens) {
			headers.set('user-agent', userAgent);
		}

		const posts = (init.method ?? 'GET').toUpperCase() !== 'GET';
		const body = isForTokens ? withParameters(init.body, tokenParams) : init.body;
		return posts
			? tolerantResponse(await fetch(url, {...init, ...(body && {body}), headers, redirect: 'error'}))
			: fetch(url, {...init, headers});
	};
}

/** The form with more parameters; none replaces one that it has. */
function withParameters(body: RequestInit['body'], parameters: Readonly<Record<string, string>>): RequestInit['body'] {
	if (!(body instanceof URLSearchParams)) {
		return body;
	}

	const added = Object.entries(parameters).filter(([name]) => !body.has(name));
	return new URLSearchParams([...body, ...added]);
}
