import {type Clock} from '../../../source/util/clock.ts';

/** One pretended platform on loopback; refuses whatever the platform's documentation refuses, and says why in `faults`. */
export type PlatformSimulator = {
	readonly baseUrl: string;
	/** Keys of platforms.<target> that reach this simulator (base_url, token, account, webhook_url …), as a person would write them. */
	readonly settings: Readonly<Record<string, unknown>>;
	/** A chat that exists. A webhook that is bound to its chat has one name for it, which the request does not carry. */
	readonly chatId: string;
	/** Another chat that exists; the same one where a webhook is bound to its chat. */
	readonly otherChatId: string;
	/** `deliver_extra` keys of a thread that exists, where the platform has threads. */
	readonly thread?: Readonly<Record<string, string>>;
	/** `deliver_extra` keys without which nothing can be sent to these chats. */
	readonly extra?: Readonly<Record<string, string>>;
	/** Messages as a user of the platform would see them, in order (a repeated key does not add one where the platform promises that). */
	readonly received: readonly ReceivedMessage[];
	/** The faults of the requests. A key the platform would silently ignore is a fault too. */
	readonly faults: readonly string[];
	/** Requests that tried to send a message (token and who-am-I requests not counted). */
	readonly requests: () => number;
	/** The next answers to right requests, before the normal one. */
	readonly plan: (...troubles: PlatformTrouble[]) => void;
	readonly close: () => Promise<void>;
};

/** One message. `thread` is the platform's id of the thread or of the message answered. */
export type ReceivedMessage = {
	readonly chat: string;
	readonly text: string;
	readonly thread?: string;
	readonly repeatKey?: string;
	/** Of a mail. */
	readonly subject?: string;
};

/** Troubles a platform tells in an answer of its own shape. */
export type ToldTrouble =
	/** Its own 429 shape, or its shape inside a 200. */
	| {kind: 'rate-limited'; waitSeconds: number}
	/** Its "chat not found". */
	| {kind: 'rejected'}
	| {kind: 'server-error'}
	/** An error inside a 200 where the platform does that, else its 400. */
	| {kind: 'hidden-error'};

export type PlatformTrouble =
	| ToldTrouble
	/** Accepts the connection and never answers; the message is not taken. */
	| {kind: 'silence'}
	/** The message is taken, then the socket is destroyed. */
	| {kind: 'hang-up-after-taking'};

export type PlatformOptions = {
	/** The clock that the times of signatures are compared with; the wall clock unless a test stands still. */
	readonly clock?: Pick<Clock, 'now'>;
};

export type OpenPlatform = (options?: PlatformOptions) => Promise<PlatformSimulator>;
