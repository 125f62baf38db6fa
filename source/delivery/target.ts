import {type PlatformName} from '../config/platforms/platform-keys.ts';
import {type Settings} from '../config/platforms/platform-settings.ts';
import {type callerTarget, type EventCaller} from '../state/event-caller.ts';
import {type Publish} from '../state/event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type AccessTokens} from './access-token.ts';
import {type ChatRule} from './chat.ts';
import {type Call} from './http-call.ts';
import {type SendOutcome} from './send-outcome.ts';
import {type TextLimit} from './split-text.ts';

/** A value of `deliver`, or the sender of an event. */
export type TargetName = 'log' | PlatformName | typeof callerTarget;

/** One part of a message that fits into one platform message. Its texts may be untrusted. */
export type Part = {
	/** Markdown from the model or the template; its code fences are complete. */
	readonly text: string;
	/** The recipient, checked against the target's grammar; empty if the target needs no chat. */
	readonly chat: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly route: string;
	/** For the target `caller`. */
	readonly caller?: EventCaller | undefined;
	/** The index of this part in its message, from 0. */
	readonly index: number;
	/** 24 hexadecimal digits that are the same for every attempt at this part and for no other part. */
	readonly repeatKey: string;
};

/** The context for an attempt. */
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
	/** A small JSON file of the profile that maps names to strings; empty when missing. */
	readonly stateFile: (name: string) => Promise<Readonly<Record<string, string>>>;
	/** The variables of the profile. */
	readonly variables: (name: string) => string | undefined;
};

/**
One messaging platform. It formats and sends one part and returns the outcome. It never splits, retries, waits or logs: `deliver.ts` and
`send-message.ts` do.
*/
export type DeliveryTarget = {
	readonly name: TargetName;
	/** The size limit of one message. */
	readonly limit: TextLimit;
	/** `safe`: the platform treats two attempts with one repeat key as one message. */
	readonly repeat: (where: {readonly settings: Settings; readonly chat: string}) => 'safe' | 'unsafe';
	/** `numbered`: parts may arrive in any order, so each has its number. */
	readonly parts?: 'numbered';
	readonly chat: (settings: Settings) => ChatRule;
	/** The reason that nothing can be sent with these `deliver_extra` keys; checked before anything is sent. */
	readonly refuse?: (extra: JsonObject) => string | undefined;
	readonly send: (part: Part, context: SendContext) => Promise<SendOutcome>;
};
