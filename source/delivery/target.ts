import {type PlatformName} from '../config/platforms/platform-keys.ts';
import {type Settings} from '../config/platforms/platform-settings.ts';
import {type Publish} from '../state/event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type AccessTokens} from './access-token.ts';
import {type ChatRule} from './chat.ts';
import {type Call} from './http-call.ts';
import {type SendOutcome} from './send-outcome.ts';
import {type TextLimit} from './split-text.ts';

/** A value of `deliver`. */
export type TargetName = 'log' | PlatformName;

/** One piece of a message that fits into one message of the platform. Every text in it may come from outside. */
export type Part = {
	/** Markdown, as the model or the template wrote it; its code fences are whole. */
	readonly text: string;
	/** The recipient, checked against the target's grammar; empty if the target needs no chat. */
	readonly chat: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly route: string;
	/** Which part of its message this is, from 0. */
	readonly index: number;
	/** 24 hexadecimal digits that are the same for every attempt at this part and for no other part. */
	readonly repeatKey: string;
};

/** What a target may use. */
export type SendContext = {
	/** `platforms.<target>`, resolved; required keys are set. */
	readonly settings: Settings;
	readonly call: Call;
	readonly accessTokens: AccessTokens;
	/** Milliseconds since the epoch, for signatures. */
	readonly now: () => number;
	readonly publish: Publish;
	/** Aborts when the attempt has taken too long, and when the gateway stops. */
	readonly signal: AbortSignal;
	/** A small JSON file of the profile that maps names to texts; empty when there is none. */
	readonly stateFile: (name: string) => Promise<Readonly<Record<string, string>>>;
	/** The variables of the profile. */
	readonly variables: (name: string) => string | undefined;
};

/**
One platform for messages. It formats and sends one part and returns the outcome. It never splits, repeats, waits or logs: `deliver.ts` and
`send-message.ts` do.
*/
export type DeliveryTarget = {
	readonly name: TargetName;
	/** How much fits into one message. */
	readonly limit: TextLimit;
	/** `safe`: the platform treats two attempts with one repeat key as one message. */
	readonly repeat: (where: {readonly settings: Settings; readonly chat: string}) => 'safe' | 'unsafe';
	/** `numbered`: parts may arrive in any order, so each has its number. */
	readonly parts?: 'numbered';
	readonly chat: (settings: Settings) => ChatRule;
	/** Why nothing can be sent with these `deliver_extra` keys; asked before anything is sent. */
	readonly refuse?: (extra: JsonObject) => string | undefined;
	readonly send: (part: Part, context: SendContext) => Promise<SendOutcome>;
};
