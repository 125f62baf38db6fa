import {type Outgoing} from '../net/outgoing.ts';
import {type Clock, openDeadline} from '../util/clock.ts';
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../util/json-text.ts';
import {maskedText} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {type MessageEnd} from './channel.ts';

/** One request to the API of a platform, a POST with a JSON body unless `json` is absent. */
type PlatformRequest = {
	readonly url: URL;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: JsonValue;
	readonly signal: AbortSignal;
	/** The request ends after this time. Default: 15 seconds. */
	readonly limitMilliseconds?: number;
	readonly answerLimitBytes?: number;
};

/** An answer; `json` is empty when it is not a JSON object. */
export type PlatformReply = {
	readonly kind: 'reply';
	readonly status: number;
	readonly headers: Headers;
	readonly json: JsonObject;
};

/** `never-sent`: the request is invalid; `unreachable`: there was no connection for it; `lost`: it may have been processed. `detail` quotes no address. */
type NoReply = {readonly kind: 'never-sent' | 'unreachable' | 'lost'; readonly detail: string};

/** Makes one request. Never rejects. */
export type PlatformCall = (request: PlatformRequest) => Promise<PlatformReply | NoReply>;

/** The tools of a channel. */
export type ChannelTools = {
	readonly call: PlatformCall;
	readonly clock: Clock;
	/** 0 to 1, for the jitter of pauses. */
	readonly random: () => number;
};

const usualLimitMilliseconds = 15_000;

/** Creates the calls of a channel over its connections. Its tokens are masked in every answer, which might repeat the request. */
export function createPlatformCall(
	{request}: Pick<Outgoing, 'request'>,
	{clock, tokens}: {readonly clock: Clock; readonly tokens: readonly string[]},
): PlatformCall {
	const mask = (text: string) =>
		tokens.filter(Boolean).reduce((rest, token) => rest.replaceAll(token, maskedText), text);
	return async ({headers, json, signal, limitMilliseconds = usualLimitMilliseconds, ...rest}) => {
		const text = `it did not answer within ${limitMilliseconds / 1000} seconds`;
		const deadline = openDeadline(clock, limitMilliseconds, {signal, reason: () => new Error(text)});
		const answer = await request({
			...rest,
			method: json === undefined ? 'GET' : 'POST',
			headers: {
				'User-Agent': 'sluice',
				...(json === undefined ? {} : {'Content-Type': 'application/json; charset=utf-8'}),
				...headers,
			},
			...(json === undefined ? {} : {body: JSON.stringify(json)}),
			signal: deadline.signal,
		});
		deadline.cancel();
		if (answer.kind !== 'answer') {
			const isTooSlow = deadline.signal.aborted && !signal.aborted;
			return {kind: answer.kind, detail: isTooSlow ? text : answer.detail};
		}

		const value = parseJson(mask(answer.body));
		return {
			kind: 'reply',
			status: answer.status,
			headers: answer.headers,
			json: value !== undefined && isJsonObject(value) ? value : {},
		};
	};
}

/** The end of a send that got no answer of the platform itself: no reply, or one of a proxy in between. */
export function endWithoutAnswer(platform: string, reply: PlatformReply | NoReply): MessageEnd {
	const message = troubleText(platform, reply);
	const isUncertain = reply.kind === 'reply' ? reply.status < 300 || reply.status >= 500 : reply.kind === 'lost';
	return reply.kind === 'reply' && reply.status === 503
		? {kind: 'refused', message}
		: {kind: isUncertain ? 'uncertain' : 'refused', message};
}

/** The same for people: "Telegram cannot be reached: …". */
export function troubleText(platform: string, reply: PlatformReply | NoReply): string {
	return reply.kind === 'reply'
		? `${platform} answered with status ${reply.status} and without a result that Sluice can read`
		: `${platform} cannot be reached: ${reply.detail}`;
}

/** A platform's own words about an error, safe to show. */
export function quotedReason(text: unknown): string {
	return typeof text === 'string' && text !== '' ? `"${safeText(text, {maximumCharacters: 200})}"` : 'without a reason';
}
