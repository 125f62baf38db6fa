import {type JsonObject, type JsonValue, isJsonObject, ownMember} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {type Call, type Reply} from './http-call.ts';
import {type SendOutcome} from './send-outcome.ts';

/** The content of a platform's response, besides its status. Only the platform's own success marker means "sent". */
export type Reading = {
	/** The platform's marker that it accepted the message. */
	readonly isTaken: boolean;
	/** The platform's message, or its error code. */
	readonly words?: string;
	/** Set when the response says "too fast", whatever its status: how long to wait, 0 when unspecified. */
	readonly waitSeconds?: number;
	/** The access token is no longer valid. */
	readonly isTokenStale?: boolean;
};

/** The wait when a platform says "too fast" without a time. */
const usualWaitSeconds = 2;

/** The outcome of a request: from its status, from an error inside a 200, and from the requested wait. `read` parses the platform's own response format. */
export function parseDeliveryResponse(
	answer: Awaited<ReturnType<Call>>,
	read: (json: JsonObject, reply: Reply) => Reading,
): SendOutcome {
	if (answer.kind !== 'reply') {
		return answer;
	}

	const {status, headers, json} = answer;
	const {isTaken, words = '', waitSeconds, isTokenStale} = read(isJsonObject(json) ? json : {}, answer);
	const detail = `status ${status}${words === '' ? '' : `: ${safeText(words, {maximumCharacters: 500})}`}`;
	if (status === 429 || waitSeconds !== undefined) {
		return {kind: 'rate-limited', waitSeconds: waitSeconds || retryAfter(headers) || usualWaitSeconds, detail};
	}

	if (isTokenStale) {
		return {kind: 'stale-token', detail};
	}

	if (status >= 200 && status < 300) {
		return isTaken
			? {kind: 'sent'}
			: {kind: 'refused', detail: `${detail} (the answer does not confirm that the message was sent)`};
	}

	switch (status) {
		// A proxy timed out; the platform may have accepted the message.
		case 502:
		case 504:
			return {kind: 'unknown', detail};
		case 503:
			return {kind: 'unavailable', detail, waitSeconds: retryAfter(headers)};
		case 401:
		case 403:
		case 404:
			return {kind: 'refused', detail, cause: 'settings'};
		default:
			return {kind: 'refused', detail};
	}
}

/** Seconds of a Retry-After header (RFC 9110, 10.2.3); 0 when absent. A date counts from that of the response. */
function retryAfter(headers: Headers): number {
	const written = headers.get('retry-after') ?? '';
	const seconds = Number(written);
	const untilDate = (Date.parse(written) - Date.parse(headers.get('date') ?? '')) / 1000;
	const wait = Number.isFinite(seconds) ? seconds : untilDate;
	return Number.isFinite(wait) ? Math.max(0, wait) : 0;
}

/** The member at a path as text; empty when absent. */
export function textAt(json: JsonObject, ...path: readonly string[]): string {
	let value: JsonValue | undefined = json;
	for (const name of path) {
		value = isJsonObject(value) ? ownMember(value, name) : undefined;
	}

	return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
