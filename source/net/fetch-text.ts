import {Problem} from '../util/problem.ts';
import {type GuardedFetchOptions, openGuardedFetch} from './guarded-fetch.ts';

/** Fetches the text at an address, and rejects for anything but a 2xx. */
export type TextFetch = (url: string, options: {readonly signal: AbortSignal}) => Promise<string>;

/**
Creates the fetch of a small text at an address of the configuration or of a verified message: no redirect, and by default nothing but the internet.
It is used once a minute at most, so no connection is kept.
*/
export function createTextFetch({
	reach = 'internet',
	...options
}: Pick<GuardedFetchOptions, 'limitBytes' | 'tls' | 'lookup'> &
	Partial<Pick<GuardedFetchOptions, 'reach'>>): TextFetch {
	return async (url, {signal}) => {
		const guarded = openGuardedFetch({...options, reach, redirects: 'origin'});
		try {
			const response = await guarded.fetch(url, {signal, redirect: 'error'});
			if (!response.ok) {
				throw new Problem('fetch_failed', {message: `The address answered ${response.status}`});
			}

			return await response.text();
		} finally {
			await guarded.close();
		}
	};
}
