import {type WebhookOutcomeName} from '../../state/event.ts';
import {type FixedAnswer} from '../../config/webhooks/presets/preset.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText, shownName} from '../../util/safe-text.ts';
import {
	type Acknowledgement,
	type AnswerableOutcome,
	type Confirmation,
	type DeliveryOutcome,
	type HandshakeAnswer,
	isDelivery,
	type Outcome,
	type UnreadyReason,
} from './request-outcome.ts';

export {
	type Acknowledgement,
	type AnswerableOutcome,
	type Confirmation,
	type DeliveryOutcome,
	isDelivery,
	type Outcome,
	type UnreadyReason,
};

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
