import {extractWWWAuthenticateParams} from '@modelcontextprotocol/client';
import {openServerFetch} from '../../net/server-fetch.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {type LoginTarget} from '../login-target.ts';

/** What a server said when it refused a request (RFC 6750, RFC 9728): where its metadata stands, and which scope it wants. */
export type Challenge = {
	readonly resourceMetadataUrl?: string;
	readonly scope?: string;
	/** The token is good, but not for this. */
	readonly insufficientScope: boolean;
};

/** Reads the challenge of a 401 or 403. */
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

/** Any request does: a server that wants a login says so before it looks at what is asked. */
const ping = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});

/** Asks the server without a token what it wants; undefined when it does not say. Rejects with `file_missing` or `config_invalid` of its entry, and with the reason of the signal. */
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
		// A server that is down, or answers nothing of use, may still have its metadata in the usual place.
		options.signal.throwIfAborted();
		return undefined;
	} finally {
		limit.cancel();
		await serverFetch.close();
	}
}
