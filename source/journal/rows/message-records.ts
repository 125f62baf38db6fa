import {type EventCaller} from '../../state/event-caller.ts';
import {type Destination} from '../../util/destinations.ts';
import {type JsonObject} from '../../util/json-text.ts';

/** The state of a message. `sending`: started and not confirmed yet; `retrying`: it certainly did not arrive, and is sent again. */
export type OutgoingMessageState =
	| 'pending'
	| 'sending'
	| 'retrying'
	| 'sent'
	| 'failed'
	| 'outcome_uncertain'
	| 'unreadable';

/** The reason of a run that ended while its answer is still sent again. */
export const answerWaits = 'its answer has not arrived yet and is sent again';

/** The attempts at a message that certainly did not arrive. */
export type SendProgress = {
	readonly attempts: number;
	/** The time of the first attempt, in milliseconds since the epoch. */
	readonly firstAt: number;
	/** Number of its parts that arrived, and of all of them. */
	readonly parts?: {readonly sent: number; readonly all: number} | undefined;
	/** Other settings of the platform may help. */
	readonly cause?: 'settings' | undefined;
};

/** A message to deliver, written before it is sent. Its texts may be untrusted. */
export type OutgoingMessage = {
	/** Identifies the message to platforms that detect repeated attempts by a key. */
	readonly id: string;
	readonly eventId: string;
	/** The profile whose platforms are used; absent: the profile the gateway was started for. */
	readonly profile?: string;
	/** Absent for messages without a run. */
	readonly runId?: string;
	readonly target: string;
	readonly text: string;
	readonly extra: JsonObject;
	readonly deliveryId: string;
	/** Empty when no event led to it. */
	readonly route: string;
	/** The name of the cron job that it is a result of. */
	readonly job?: string;
	/** The ids of the other messages with the same text for other destinations; absent: there are none. */
	readonly others?: readonly string[];
	/** For the target `caller`. Its address is a secret. */
	readonly caller?: EventCaller;
	/** It says that something failed; no other message does so of itself. */
	readonly about?: 'failure';
	/** Where a message goes when this one, which has no run, fails. Absent: where the profile says. */
	readonly onFailure?: readonly Destination[];
};

/** Messages about a failure, which are left out while one with the same key was written lately. */
export type FailureNotice = {readonly key: string; readonly messages: readonly OutgoingMessage[]};

/** A message, and the attempts at it so far. */
export type StoredMessage = OutgoingMessage & {readonly progress?: SendProgress | undefined};

/** Messages that are due, and the milliseconds until the next one; undefined when no more of them are sent again. */
export type DueMessages = {readonly due: readonly StoredMessage[]; readonly waitMilliseconds?: number | undefined};

/** The attempts at a message, and the time of the next one in milliseconds since the epoch, if there is one. */
export type MessageAttempts = {readonly progress: SendProgress; readonly nextAt?: number | undefined};
