import {type Settings} from '../config/platforms/platform-settings.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type ChatRule} from './chat.ts';
import {type SendContext} from './send-context.ts';
import {type SendOutcome} from './send-outcome.ts';
import {type TextLimit} from './split-text.ts';
import {type TargetName} from './target-names.ts';

/** One piece of a message that fits into one message of the platform. Every text in it may come from outside. */
export type Part = {
	/** Markdown, as the model or the template wrote it; its code fences are whole. */
	readonly text: string;
	/** Where to, checked against the target's grammar; empty where the target needs no chat. */
	readonly chat: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly route: string;
	/** Which part of its message this is, from 0. */
	readonly index: number;
	/** 24 hexadecimal digits that are the same for every attempt at this part and for no other part. */
	readonly repeatKey: string;
};

/**
One place messages can go. It formats and sends one part and says what came of it; it never splits, repeats, waits, logs or words an answer:
`deliver.ts` and `send-message.ts` do.
*/
export type DeliveryTarget = {
	readonly name: TargetName;
	/** How much fits into one message. */
	readonly limit: TextLimit;
	/** `safe`: the platform takes two attempts with one repeat key for one message. */
	readonly repeat: (where: {readonly settings: Settings; readonly chat: string}) => 'safe' | 'unsafe';
	/** `numbered`: parts may arrive in any order, so each says which it is. */
	readonly parts?: 'numbered';
	readonly chat: (settings: Settings) => ChatRule;
	/** Why nothing can be sent with these `deliver_extra` keys; asked before anything is sent. */
	readonly refuse?: (extra: JsonObject) => string | undefined;
	readonly send: (part: Part, context: SendContext) => Promise<SendOutcome>;
};
