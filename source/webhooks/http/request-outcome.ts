import {type FixedAnswer, type PresetAnswers} from '../../config/webhooks/presets/preset.ts';
import {type JsonObject} from '../../util/json-text.ts';

/** The names of an event that led to something. */
type EventNames = {readonly route: string; readonly event: string; readonly deliveryId: string};

/** The end of a request. `replyTo` has exactly one response for each member. */
export type Outcome =
	| {readonly kind: 'health'}
	| {readonly kind: 'ready'}
	| {readonly kind: 'not-ready'; readonly reasons: readonly UnreadyReason[]}
	| ({readonly kind: 'accepted'} & EventNames)
	/** `dropped`: why the job was not started. */
	| ({readonly kind: 'job-asked'; readonly cronJob: string; readonly dropped?: string} & EventNames)
	| ({readonly kind: 'coalesced'} & EventNames)
	| {readonly kind: 'duplicate'; readonly deliveryId: string}
	| {readonly kind: 'event-ignored'; readonly event: string}
	/** A provider verified the URL. `note`: for the row alone. `confirmation`: what it asks for, which is still to be put before a person. */
	| {
			readonly kind: 'handshake';
			readonly answer: HandshakeAnswer;
			readonly note?: string;
			readonly confirmation?: Confirmation;
	  }
	/** A request to verify the URL that gets no answer. `reason`: for the row alone. */
	| {readonly kind: 'challenge-refused'; readonly reason: string}
	| {readonly kind: 'filtered'; readonly route: string}
	| {readonly kind: 'script-ignored'; readonly route: string}
	| DeliveryOutcome
	/** The sender gets the result itself. */
	| {readonly kind: 'answered'; readonly outcome: AnswerableOutcome; readonly answer: Required<FixedAnswer>}
	/** A retry that waited for the delivery of another request, and gets the same response. */
	| {readonly kind: 'same-delivery'; readonly eventId: string; readonly outcome: DeliveryOutcome}
	| {readonly kind: 'delivery-in-progress'}
	/** Another gateway has released the delivery id before the event was acted on, and has written so to its row. */
	| {readonly kind: 'delivery-released'}
	| {readonly kind: 'bad-request'}
	/** `reason`: for the row alone. */
	| {readonly kind: 'malformed-body'; readonly reason?: string}
	| {readonly kind: 'invalid-signature'}
	| {readonly kind: 'unknown-route'; readonly name: string}
	| {readonly kind: 'wrong-method'; readonly allow: string}
	| {readonly kind: 'stalled'}
	/** It had no data for longest, and another body needed room. `reason`: for the row alone. */
	| {readonly kind: 'displaced'; readonly reason: string}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'not-understood'}
	/** The keys that prove a token could not be fetched. `reason`: for the row alone. */
	| {readonly kind: 'keys-unavailable'; readonly reason: string}
	| {readonly kind: 'rate-limited'; readonly retryAfterSeconds: number}
	| {readonly kind: 'headers-too-large'}
	| {readonly kind: 'internal'}
	/** `reason`: why the route cannot be served, when nobody paused it. For the row alone. */
	| {readonly kind: 'paused'; readonly reason?: string}
	| {readonly kind: 'queue-full'}
	/** Too many scripts of the route ran and waited, this one waited too long, or no upload was idle that could make room for the body. `reason`: for the row alone. */
	| {readonly kind: 'busy'; readonly reason?: string}
	| {readonly kind: 'storage-unavailable'}
	/** The event is in the journal, but the run of its job could not be stored. `reason`: for the row alone. */
	| {readonly kind: 'job-unavailable'; readonly reason: string}
	| {readonly kind: 'stopping'};

/** The reason that no new requests may come: the journal has not answered lately, the routes could not be read, a server that is required is away, or a stop has begun (docs/reverse-proxy.md, Health and readiness). */
export type UnreadyReason = 'journal' | 'routes' | 'servers' | 'draining';

/** A fetch that a verified message asks for, which only a person may allow. */
export type Confirmation = {
	readonly topic: string;
	/** The address to fetch. */
	readonly url: string;
};

/** The response to a provider that verifies the URL. */
export type HandshakeAnswer =
	| {readonly as: 'json'; readonly body: JsonObject}
	| {readonly as: 'text'; readonly text: string}
	| {readonly as: 'nothing'};

/** The form of every 2xx: its JSON body, 204 without a body for a sender that requires it, or the answers of a provider that takes results. */
export type Acknowledgement = 'json' | 'empty' | PresetAnswers;

/** The outcome of an event whose sender may get the result. */
export type AnswerableOutcome =
	| ({readonly kind: 'accepted'} & EventNames)
	| Extract<DeliveryOutcome, {readonly kind: 'delivered'}>;

/** The end of a synchronous delivery. */
export type DeliveryOutcome =
	| {readonly kind: 'delivered'; readonly route: string; readonly target: string; readonly deliveryId: string}
	| {readonly kind: 'delivery-failed'; readonly deliveryId: string}
	/** It may have arrived. The sender gets the response of a failure. */
	| {readonly kind: 'delivery-uncertain'; readonly deliveryId: string};

/** True for the outcome of a synchronous delivery. */
export function isDelivery(outcome: Outcome): outcome is DeliveryOutcome {
	const {kind} = outcome;
	return kind === 'delivered' || kind === 'delivery-failed' || kind === 'delivery-uncertain';
}
