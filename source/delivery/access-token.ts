import {type Clock} from '../util/clock.ts';
import {parseDeliveryResponse, type Reading, textAt} from './parse-response.ts';
import {type JsonObject, isJsonObject} from '../util/json-text.ts';
import {type SendOutcome} from './send-outcome.ts';

/** A token from a platform's token endpoint, or why there is none. */
export type TokenResponse =
	| {readonly kind: 'token'; readonly token: string; readonly lifetimeSeconds: number}
	| Extract<SendOutcome, {kind: 'refused' | 'rate-limited' | 'unavailable'}>;

/** The access tokens of a profile's platforms, cached in memory while valid. */
export type AccessTokens = {
	/** The cached token for these credentials, else the result of `ask`. */
	readonly get: (credentials: string, ask: () => Promise<TokenResponse>) => Promise<TokenResponse>;
	/** Clears all tokens, because a platform refused one of them. */
	readonly forget: () => void;
};

/** Tokens are renewed early, so that they stay valid for the whole message. */
const marginSeconds = 120;

/** Creates the cache; `learn` gets each token as a secret to mask. */
export function createAccessTokens(clock: Clock, learn: (secret: string) => void): AccessTokens {
	const kept = new Map<string, {readonly answer: TokenResponse; readonly until: number}>();
	return {
		async get(credentials, ask) {
			const known = kept.get(credentials);
			if (known && clock.elapsed() < known.until) {
				return known.answer;
			}

			const answer = await ask();
			if (answer.kind === 'token') {
				learn(answer.token);
				kept.set(credentials, {answer, until: clock.elapsed() + (answer.lifetimeSeconds - marginSeconds) * 1000});
			}

			return answer;
		},
		forget: () => kept.clear(),
	};
}

/** Parses the response of a token endpoint. `members`: its names for the token and for the lifetime in seconds. */
export function readToken(
	answer: Parameters<typeof parseDeliveryResponse>[0],
	read: (json: JsonObject) => Reading,
	members: {readonly token: string; readonly lifetime: string},
): TokenResponse {
	const outcome = parseDeliveryResponse(answer, read);
	const json = answer.kind === 'reply' && isJsonObject(answer.json) ? answer.json : {};
	const token = textAt(json, members.token);
	switch (outcome.kind) {
		case 'sent':
			return {kind: 'token', token, lifetimeSeconds: Number(textAt(json, members.lifetime))};
		case 'rate-limited':
			return outcome;
		case 'refused':
		case 'stale-token':
			return {kind: 'refused', detail: `no access token: ${outcome.detail}`, cause: 'settings'};
		// The message itself was not sent yet.
		case 'unavailable':
		case 'unknown':
			return {kind: 'unavailable', detail: `no access token: ${outcome.detail}`};
	}
}
