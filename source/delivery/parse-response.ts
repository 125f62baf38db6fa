import {type JsonObject, type JsonValue, isJsonObject, ownMember} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {type Call, type Reply} from './http-call.ts';
import {type SendOutcome} from './send-outcome.ts';

/** What the answer of a platform says besides its status. Only the platform's own mark of success means "sent". */
export type Reading = {
	/** The platform's mark that it accepted the message. */
	readonly isTaken: boolean;
	/** The platform's message, or its error code. */
	readonly words?: string;
	/** Set when the answer says "too fast", whatever its status: how long to wait, 0 when it does not say. */
	readonly waitSeconds?: number;
	/** The access token is no longer good. */
	readonly isTokenStale?: boolean;
};

/** When a platform says "too fast", but not how long to wait. */
const usualWaitSeconds = 2;

/** The outcome of a request: from its status, from an error inside a 200, and how long to wait. `read` knows the platform's own shape. */
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
		return isTaken ? {kind: 'sent'} : {kind: 'refused', detail: `${detail} (the answer does not confirm the message)`};
	}

	// A proxy gave up on a platform that may have taken the message.
	return status === 502 || status === 504 ? {kind: 'unknown', detail} : {kind: 'refused', detail};
}

/** Seconds of a Retry-After header; 0 when there is none. */
function retryAfter(headers: Headers): number {
	const seconds = Number(headers.get('retry-after') ?? '');
	return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** A member as text, at a path; empty when there is none. */
export function textAt(json: JsonObject, ...path: readonly string[]): string {
	let value: JsonValue | undefined = json;
	for (const name of path) {
		value = isJsonObject(value) ? ownMember(value, name) : undefined;
	}

	return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
