import {extractWWWAuthenticateParams} from '@modelcontextprotocol/client';
import {openServerFetch} from '../../net/server-fetch.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {type LoginTarget} from '../protocol/login-target.ts';

/** The challenge of a refused request (RFC 6750, RFC 9728): the address of the resource metadata, and the required scope. */
export type Challenge = {
	readonly resourceMetadataUrl?: string;
	readonly scope?: string;
	/** The token is valid, but its scope is insufficient. */
	readonly insufficientScope: boolean;
};

/** Parses the challenge of a 401 or 403. */
export function readChallenge(answer: Response): Challenge {
	const {resourceMetadataUrl, scope, error} = extractWWWAuthenticateParams(answer);
	return {
		...(resourceMetadataUrl && {resourceMetadataUrl: resourceMetadataUrl.href}),
		...(scope !== undefined && {scope}),
		insufficientScope: error === 'insufficient_scope',
	};
}

const limitBytes = 1024 * 1024;
const limitMilliseconds = 10_000;

/** Any request works: a server that requires a login refuses it before parsing it. */
const ping = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});

/** Sends a request without a token to get the server's challenge; undefined when there is none. Rejects with `file_missing` or `config_invalid` of its entry, and with the reason of the signal. */
export async function askChallenge(
	target: LoginTarget,
	options: {readonly clock: Clock; readonly signal: AbortSignal},
): Promise<Challenge | undefined> {
	const {url, headers, tls, home} = target;
	const serverFetch = await openServerFetch({url, headers, tls, home, messageLimitBytes: limitBytes});
	const limit = openDeadline(options.clock, limitMilliseconds, {
		signal: options.signal,
		reason: () => new Error('the server did not answer'),
	});
	try {
		const answer = await serverFetch.fetch(url, {
			method: 'POST',
			headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
			body: ping,
			signal: limit.signal,
		});
		await answer.body?.cancel();
		return answer.status === 401 ? readChallenge(answer) : undefined;
	} catch {
		// A server that is down or gives another response may still have metadata at the default address.
		options.signal.throwIfAborted();
		return undefined;
	} finally {
		limit.cancel();
		await serverFetch.close();
	}
}
