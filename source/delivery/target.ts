import {type Publish} from '../state/event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type Problem} from '../util/problem.ts';
import {type TargetName} from './target-names.ts';

/** What is to be delivered. Every text in it may come from outside. */
export type Message = {
	readonly text: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly deliveryId: string;
	readonly route: string;
};

/** What a target may use. */
export type DeliveryContext = {
	readonly publish: Publish;
	/** Aborts at the deadline and when the gateway stops. */
	readonly signal: AbortSignal;
};

/**
One place a message can go. It formats and sends, and throws when that fails;
it never retries, times out, logs its errors or words an answer: `deliver.ts` does.
*/
export type DeliveryTarget = {
	readonly name: TargetName;
	/** Why this target cannot be used with these `deliver_extra` keys; asked before anything is sent. */
	readonly refuse?: (extra: JsonObject) => Problem | undefined;
	readonly deliver: (message: Message, context: DeliveryContext) => Promise<void>;
};
