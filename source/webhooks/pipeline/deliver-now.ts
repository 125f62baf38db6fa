import {type Deliver, type DeliveryResult} from '../../delivery/deliver.ts';
import {type OutgoingMessage, type Journal} from '../../journal/journal.ts';
import {messageEnd} from '../../runs/send-stored-message.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {cutText} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {orderedId} from '../../util/random-id.ts';
import {type DeliveryOutcome, isDelivery, type Outcome} from '../http/outcome.ts';
import {renderExtra, renderPrompt} from '../template/template.ts';
import {type EventRows, persistEvent, type PersistOptions} from './event-rows.ts';
import {type AcceptableEvent, tracedCharacters} from './request-context.ts';

/** Dependencies of synchronous delivery. */
export type DeliverNowOptions = PersistOptions & {
	readonly journal: Pick<Journal, 'endDelivery'>;
	readonly record: EventRows['record'];
	readonly deliver: Deliver;
	readonly clock: Clock;
	/** Aborts when the adapter stops waiting for running deliveries. */
	readonly signal: AbortSignal;
};

type Pending = {readonly eventId: string; readonly outcome: Promise<Outcome>};

const longestWaitMilliseconds = 30_000;
/** The most requests that may wait at once, each with its body in memory. */
const maxWaiting = 64;

/**
Creates the delivery of `deliver_only` routes, whose senders wait for it. During a delivery, a retry with the same delivery id waits for it
and gets its response (docs/webhooks.md, Answers); when that one released its id, the next retry starts over.
*/
export function createDeliverNow(options: DeliverNowOptions): (event: AcceptableEvent) => Promise<Outcome> {
	const {clock, signal} = options;
	const pending = new Map<string, Pending>();
	let waiting = 0;

	const waitFor = async ({eventId, outcome}: Pending): Promise<Outcome> => {
		if (waiting >= maxWaiting) {
			return {kind: 'delivery-in-progress'};
		}

		waiting++;
		const reason = () => new Error('The delivery takes too long to wait for');
		const deadline = openDeadline(clock, longestWaitMilliseconds, {signal, reason});
		try {
			return sameAs(await untilAborted(outcome, deadline.signal), eventId);
		} catch (error) {
			if (!deadline.signal.aborted) {
				throw error;
			}

			return {kind: signal.aborted ? 'stopping' : 'delivery-in-progress'};
		} finally {
			waiting--;
			deadline.cancel();
		}
	};

	return event => {
		const {route, deliveryId, context} = event;
		if (deliveryId.source !== 'sender') {
			return deliver(event, options);
		}

		const key = JSON.stringify([route.name, deliveryId.id]);
		const first = pending.get(key);
		if (first) {
			return waitFor(first);
		}

		// Registered before the id is claimed, so that a retry between the two waits as well.
		const outcome = deliver(event, options).finally(() => pending.delete(key));
		pending.set(key, {eventId: context.id, outcome});
		return outcome;
	};
}

/** Only a delivery is marked as a duplicate; a refusal of the first request also applies to the others. */
function sameAs(outcome: Outcome, eventId: string): Outcome {
	return isDelivery(outcome) ? {kind: 'same-delivery', eventId, outcome} : outcome;
}

/**
The id is claimed and the message stored before it is sent; a failure releases the id (docs/webhooks.md, Delivery ids).
A message that may have arrived retains it: the sender's retry is a duplicate, and a person decides with `events replay --deliver`.
*/
async function deliver(event: AcceptableEvent, options: DeliverNowOptions): Promise<Outcome> {
	const {context, route, deliveryId} = event;
	const {journal, record, report} = options;
	const message = messageOf(event);
	context.trace = {...context.trace, text: cutText(message.text, tracedCharacters), target: route.deliver};
	// Until the outcome is known, the row says that the message may have arrived, which is true if the process dies here.
	const underWay = record(context, {kind: 'delivery-uncertain', deliveryId: deliveryId.id});
	const refusal = await persistEvent(event, options, {event: underWay, message});
	if (refusal) {
		return refusal;
	}

	const result = await sendMessage(message, options);
	const outcome = outcomeOf(result, event);
	// Without this write, the next start does not know the outcome, and the id stays claimed.
	await journal.endDelivery(record(context, outcome), {id: message.id, ...messageEnd(result)}).catch(report);
	return outcome;
}

function outcomeOf(result: DeliveryResult, {route, deliveryId: {id}}: AcceptableEvent): DeliveryOutcome {
	switch (result.kind) {
		case 'delivered':
			return {kind: 'delivered', route: route.name, target: result.target, deliveryId: id};
		// Its sender was answered, and sends it again.
		case 'failed':
		case 'retrying':
			return {kind: 'delivery-failed', deliveryId: id};
		case 'uncertain':
			return {kind: 'delivery-uncertain', deliveryId: id};
	}
}

/** The message of a `deliver_only` route, rendered. */
function messageOf({context, route, scope, deliveryId}: AcceptableEvent): OutgoingMessage {
	return {
		id: orderedId(context.arrivedAt),
		eventId: context.id,
		profile: route.profile,
		target: route.deliver,
		text: renderPrompt(route.prompt, scope),
		extra: renderExtra(route.deliverExtra, scope),
		deliveryId: deliveryId.id,
		route: route.name,
	};
}

/** Sends it once, under its id. Never rejects. */
async function sendMessage(
	{id: key, ...delivery}: OutgoingMessage,
	{deliver: send, signal, report}: DeliverNowOptions,
): Promise<DeliveryResult> {
	try {
		return await send({...delivery, key}, {signal});
	} catch (error) {
		report(error);
		return {kind: 'failed', problem: toProblem(error, 'delivery_failed')};
	}
}
