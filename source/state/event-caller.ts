import {type AnswerBody} from '../util/templates/answer-body.ts';

/** The target of messages to the sender of an event, who waits for the result. No route can name it. */
export const callerTarget = 'caller';

/** The sender of an event that gets the result besides the targets of its route. */
export type EventCaller = {
	/** Its request waits until then for the result, in milliseconds since the epoch. */
	readonly waitsUntil: number;
	/** The body of the answer to its request. */
	readonly body: AnswerBody;
	/** The place of a later answer; absent: there is none. */
	readonly later?: LaterAddress;
};

/** The place of an answer after the request. `url` is a secret: it lets anybody answer. `preset` is a name of `config/webhooks/presets`. */
export type LaterAddress =
	/** `validUntil`: milliseconds since the epoch. */
	| {readonly kind: 'address'; readonly preset: string; readonly url: string; readonly validUntil: number}
	| {readonly kind: 'platform'; readonly preset: string; readonly platform: string; readonly chat: string}
	/** The request named a place to which nothing is sent. */
	| {readonly kind: 'refused'; readonly preset: string; readonly reason: string};

/** The end of the response that had the result. `cut`: it may have arrived; `gone`: nothing of it was written. */
export type ResponseEnd = 'flushed' | 'cut' | 'gone';
