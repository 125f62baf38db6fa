import {type WebhookOutcomeName} from '../../state/event.ts';
import {type FixedAnswer, type PresetAnswers} from '../../config/webhooks/presets/preset.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText, shownName} from '../../util/safe-text.ts';

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

/** The reason that no new requests may come: the journal has not answered lately, the routes could not be read, or a stop has begun (docs/reverse-proxy.md, Health and readiness). */
export type UnreadyReason = 'journal' | 'routes' | 'draining';

/** A fetch that a verified message asks for, which only a person may allow. */
export type Confirmation = {
	readonly topic: string;
	/** The address to fetch. */
	readonly url: string;
};

/** The response to a provider that verifies the URL. */
type HandshakeAnswer =
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

/** The response to a request, and its name in the events view. */
export type Reply = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: JsonObject;
	/** Sent in place of the JSON of `body`. */
	readonly text?: string;
	readonly name: WebhookOutcomeName;
	/** The reason of the refusal; shown in the row. */
	readonly reason?: string;
};

/** Seconds until the sender may retry. */
const retryAfterSeconds = {paused: 60, queueFull: 30, storage: 30, busy: 10, stopping: 10, delivery: 5, keys: 60};
const longestNameCharacters = 200;

/** The only place with statuses and bodies (docs/webhooks.md, Answers). */
export function replyTo(outcome: Outcome, acknowledgement: Acknowledgement = 'json'): Reply {
	if (outcome.kind === 'answered') {
		return {...jsonReply(outcome.outcome), ...textReply(outcome.answer)};
	}

	const reply = jsonReply(outcome);
	if (acknowledgement === 'json' || reply.status >= 300) {
		return reply;
	}

	if (acknowledgement === 'empty') {
		return {...reply, status: 204, text: ''};
	}

	const isIdle = reply.name === 'duplicate' || reply.name === 'ignored';
	return {...reply, ...textReply(isIdle ? acknowledgement.nothing : acknowledgement.acknowledge)};
}

/** An answer that is not of Sluice's own form. No browser may take it for a page. */
function textReply({contentType, text}: FixedAnswer): Pick<Reply, 'status' | 'headers' | 'text'> {
	const type = contentType !== undefined && {'content-type': `${contentType}; charset=utf-8`};
	return {status: 200, headers: {...type, 'x-content-type-options': 'nosniff'}, text};
}

function jsonReply(outcome: Exclude<Outcome, {kind: 'answered'}>): Reply {
	switch (outcome.kind) {
		case 'health':
		case 'ready':
		case 'not-ready':
			return probed(outcome);
		case 'accepted':
		case 'coalesced':
		case 'job-asked':
			return acceptance(outcome);
		case 'duplicate':
			return taken(200, 'duplicate', {status: 'duplicate', delivery_id: outcome.deliveryId});
		case 'event-ignored':
			return {...taken(200, 'ignored', {status: 'ignored', reason: 'event', event: outcome.event}), reason: 'event'};
		case 'handshake':
		case 'challenge-refused':
			return handshake(outcome);
		case 'filtered':
			return {...taken(200, 'ignored', {status: 'ignored', reason: 'filter', route: outcome.route}), reason: 'filter'};
		case 'script-ignored':
			return {...taken(200, 'ignored', {status: 'ignored', reason: 'script', route: outcome.route}), reason: 'script'};
		case 'delivered':
		case 'delivery-failed':
		case 'delivery-uncertain':
			return delivery(outcome);
		case 'same-delivery': {
			const {name, ...reply} = jsonReply(outcome.outcome);
			return {...reply, name: 'duplicate', reason: `answered as event ${outcome.eventId}: ${name}`};
		}

		case 'delivery-in-progress':
			return unavailable('Delivery in progress', retryAfterSeconds.delivery);
		case 'bad-request':
			return refused(400, 'Bad request', {connection: 'close'});
		case 'malformed-body':
			return explained(refused(400, 'Malformed body'), outcome.reason);
		case 'invalid-signature':
			return refused(401, 'Invalid signature');
		case 'unknown-route':
			return unknownRoute(safeText(outcome.name, {maximumCharacters: longestNameCharacters}));
		case 'wrong-method':
			return refused(405, 'Method not allowed', {allow: outcome.allow});
		case 'stalled':
		case 'displaced':
			return timedOut(outcome);
		case 'too-large':
			return refused(413, 'Payload too large', {connection: 'close'});
		case 'not-understood':
			return refused(415, 'Unsupported content type or encoding');
		case 'rate-limited':
			return refused(429, 'Rate limit exceeded', {'retry-after': String(outcome.retryAfterSeconds)});
		case 'headers-too-large':
			return refused(431, 'Header block too large', {connection: 'close'});
		case 'internal':
			return refused(500, 'Internal error');
		case 'paused':
			return {...unavailable('Route paused', retryAfterSeconds.paused), reason: outcome.reason ?? 'Route paused'};
		case 'queue-full':
			return unavailable('Queue full', retryAfterSeconds.queueFull);
		case 'busy':
			return explained(unavailable('Busy', retryAfterSeconds.busy), outcome.reason);
		case 'storage-unavailable':
		case 'delivery-released':
			return unavailable('Storage unavailable', retryAfterSeconds.storage);
		case 'job-unavailable':
		case 'keys-unavailable':
			return unavailableFor(outcome);
		case 'stopping':
			return unavailable('Shutting down', retryAfterSeconds.stopping, {connection: 'close'});
	}
}

/** The response to monitors of the gateway. */
function probed(outcome: Extract<Outcome, {kind: 'health' | 'ready' | 'not-ready'}>): Reply {
	const platform = 'webhook';
	switch (outcome.kind) {
		case 'health':
			return taken(200, 'ignored', {status: 'ok', platform});
		case 'ready':
			return taken(200, 'ignored', {status: 'ready', platform});
		case 'not-ready':
			return taken(503, 'unavailable', {status: 'not_ready', platform, reasons: outcome.reasons});
	}
}

/** Its value came from outside, so no browser may take it for a page. */
function handshake(outcome: Extract<Outcome, {kind: 'handshake' | 'challenge-refused'}>): Reply {
	if (outcome.kind === 'challenge-refused') {
		return {...refused(400, 'Bad request'), reason: outcome.reason};
	}

	return {...handshakeReply(outcome.answer), reason: outcome.note ?? 'handshake'};
}

function handshakeReply(answer: HandshakeAnswer): Reply {
	const headers = {'x-content-type-options': 'nosniff'};
	switch (answer.as) {
		case 'json':
			return {...taken(200, 'ignored', answer.body), headers};
		case 'text':
			return {...taken(200, 'ignored', {}), ...textReply({contentType: 'text/plain', text: answer.text})};
		case 'nothing':
			return {...taken(204, 'ignored', {}), text: ''};
	}
}

function timedOut(outcome: Extract<Outcome, {kind: 'stalled' | 'displaced'}>): Reply {
	const reply = refused(408, 'Request timeout', {connection: 'close'});
	return outcome.kind === 'stalled' ? reply : explained(reply, `stalled for longest while ${outcome.reason}`);
}

function explained(reply: Reply, reason: string | undefined): Reply {
	return reason === undefined ? reply : {...reply, reason: `${reply.reason}: ${reason}`};
}

type Acceptance = Extract<Outcome, {kind: 'accepted' | 'coalesced' | 'job-asked'}>;

function acceptance(outcome: Acceptance): Reply {
	const {route, event, deliveryId: delivery_id} = outcome;
	if (outcome.kind !== 'job-asked') {
		return taken(202, outcome.kind, {status: outcome.kind, route, event, delivery_id});
	}

	const {cronJob: cron_job, dropped: reason} = outcome;
	const reply = taken(202, 'accepted', {status: 'accepted', route, cron_job, event, delivery_id});
	return reason === undefined ? reply : {...reply, reason};
}

function delivery(outcome: DeliveryOutcome): Reply {
	const {deliveryId: delivery_id} = outcome;
	switch (outcome.kind) {
		case 'delivered':
			return taken(200, 'delivered', {status: 'delivered', route: outcome.route, target: outcome.target, delivery_id});
		case 'delivery-failed':
			return {...notDelivered('delivery_failed', delivery_id), reason: 'Delivery failed'};
		case 'delivery-uncertain':
			return {...notDelivered('outcome_uncertain', delivery_id), reason: 'Delivery not confirmed'};
	}
}

function notDelivered(name: WebhookOutcomeName, delivery_id: string): Reply {
	return taken(502, name, {status: 'error', error: 'Delivery failed', delivery_id});
}

function taken(status: number, name: WebhookOutcomeName, body: JsonObject): Reply {
	return {status, headers: {}, body, name};
}

function refused(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Reply {
	return {status, headers, body: {error}, name: 'rejected', reason: error};
}

/** The sender reads the name as it is; a person reads it beside other facts. */
function unknownRoute(name: string): Reply {
	return {...refused(404, `Unknown route: ${name}`), reason: `Unknown route: ${shownName(name)}`};
}

function unavailable(error: string, seconds: number, headers: Readonly<Record<string, string>> = {}): Reply {
	return {...refused(503, error, {'retry-after': String(seconds), ...headers}), name: 'unavailable'};
}

/** The reason is for the row alone. */
function unavailableFor({kind, reason}: Extract<Outcome, {kind: 'job-unavailable' | 'keys-unavailable'}>): Reply {
	const reply =
		kind === 'job-unavailable'
			? unavailable('Storage unavailable', retryAfterSeconds.storage)
			: unavailable('Keys unavailable', retryAfterSeconds.keys);
	return {...reply, reason};
}
