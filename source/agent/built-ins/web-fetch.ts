import {type Reach} from '../../net/address-guard.ts';
import {openGuardedFetch} from '../../net/guarded-fetch.ts';

/** The complete response of a URL. `url` is the one after redirects. */
export type WebResponse = {
	readonly status: number;
	readonly url: string;
	/** Without parameters, in lower case. */
	readonly contentType: string;
	readonly bytes: Uint8Array;
};

export type WebRequest = {
	readonly url: string;
	readonly method?: 'GET' | 'POST';
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** The reach of the request: a URL chosen by a model never reaches this machine or its networks. */
	readonly reach: Reach;
	readonly signal: AbortSignal;
};

/** Makes one request of the built-in tools. Rejects with `address_refused`, `fetch_failed`, or the reason of the signal. */
export type WebFetch = (request: WebRequest) => Promise<WebResponse>;

const largestBytes = 5 * 1024 * 1024;

/** The requests of the built-in tools: every URL is checked at every redirect, nothing is stored between requests. */
export const webFetch: WebFetch = async ({url, method = 'GET', headers, body, reach, signal}) => {
	const guarded = openGuardedFetch({reach, redirects: 'web', limitBytes: largestBytes});
	try {
		const answer = await guarded.fetch(url, {method, headers: {...headers}, body, signal});
		const contentType = (answer.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
		return {status: answer.status, url: answer.url, contentType, bytes: await answer.bytes()};
	} finally {
		await guarded.close();
	}
};
