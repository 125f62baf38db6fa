/** The decision about a response: accept it, follow its redirect, or refuse it. */
export type RedirectStep =
	| {readonly kind: 'take'}
	| {readonly kind: 'follow'; readonly url: URL; readonly keepsBody: boolean}
	| {readonly kind: 'refuse'; readonly reason: string};

/** The reach of redirects: within the origin, or to any web address. */
export type RedirectScope = 'origin' | 'web';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
Decides about a redirect. By default only redirects within the origin are followed, so that no configured header, session id or body
reaches another host; the reason of a refusal names the new address without its query.
*/
export function redirectStep(
	answer: {
		readonly from: URL;
		readonly method: string;
		readonly status: number;
		readonly location: string | null;
	},
	scope: RedirectScope = 'origin',
): RedirectStep {
	const {from, method, status, location} = answer;
	if (!redirectStatuses.has(status) || location === null) {
		return {kind: 'take'};
	}

	if (!URL.canParse(location, from.href)) {
		return {kind: 'refuse', reason: 'The server redirected to a text that is not an address'};
	}

	const url = new URL(location, from);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return {kind: 'refuse', reason: `The server redirected to a ${url.protocol} address, which is not http or https`};
	}

	if (url.origin !== from.origin && scope === 'origin') {
		return {
			kind: 'refuse',
			reason: `The server redirected to ${url.origin}${url.pathname}; if that is the right server, set \`url\` to that address`,
		};
	}

	// A redirect must not add credentials.
	url.username = url.origin === from.origin ? from.username : '';
	url.password = url.origin === from.origin ? from.password : '';
	const keepsMethod = method === 'GET' || method === 'HEAD' || status === 307 || status === 308;
	return {kind: 'follow', url, keepsBody: keepsMethod};
}
