import {type Deliver, type DeliveryResult} from '../../delivery/deliver.ts';
import {type OutgoingMessage, type Journal} from '../../journal/journal.ts';
import {withOthers} from '../../journal/rows/answer-ends.ts';
import {resultOfAll} from '../../runs/delivery-results.ts';
import {type NoteFailure} from '../../runs/failure-notices.ts';
import {messageEnd} from '../../runs/send-stored-message.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {cutText} from '../../util/json-text.ts';
import {type Destination, targetNames} from '../../util/destinations.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {orderedId} from '../../util/random-id.ts';
import {type DeliveryOutcome, isDelivery, type Outcome} from '../http/outcome.ts';
import {renderDestinations, renderPrompt} from '../template/template.ts';
import {type EventRows, persistEvent, type PersistOptions} from './event-rows.ts';
import {findRemaining, isSentElsewhere} from './repeated-delivery.ts';
import {type AcceptableEvent, tracedCharacters} from './request-context.ts';

/** Dependencies of synchronous delivery. */
export type DeliverNowOptions = PersistOptions & {
	readonly journal: Pick<Journal, 'endDelivery' | 'listDeliveryMessages'>;
	/** Called with each delivery that failed, or may have arrived. Default: nobody has to know. */
	readonly noteFailure?: NoteFailure;
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
			event.onBegun?.('following');
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
The id is claimed and the messages are stored before they are sent side by side; one that failed releases the id (docs/webhooks.md, Delivery ids), and the
sender's retry sends only what failed. What may have arrived is not sent again: a person decides with `events replay --deliver`.
*/
async function deliver(event: AcceptableEvent, options: DeliverNowOptions): Promise<Outcome> {
	const {context, route, deliveryId, scope} = event;
	const {journal, record, report} = options;
	const destinations = renderDestinations(route.deliver, scope);
	const remaining = await findRemaining(event, destinations, options);
	if (remaining.kind !== 'to-send') {
		return remaining;
	}

	const text = renderPrompt(route.prompt, scope);
	const messages = messagesOf(event, text, remaining.destinations);
	context.trace = {...context.trace, text: cutText(text, tracedCharacters), target: targetNames(destinations)};
	// Until the outcome is known, the row says that the message may have arrived, which is true if the process dies here.
	const underWay = record(context, {kind: 'delivery-uncertain', deliveryId: deliveryId.id});
	const refusal = await persistEvent(event, options, {event: underWay, messages});
	if (refusal) {
		return refusal;
	}

	event.onBegun?.('stored');
	const isTaken = destinations.length > 1 && (await isSentElsewhere(event, {destinations, before: remaining}, options));
	const sent = await Promise.all(
		messages.map(async message => ({
			id: message.id,
			result: isTaken ? sentElsewhere() : await sendMessage(message, options),
		})),
	);
	const results = sent.map(({result}) => result);
	const outcome = outcomeOf(event, results, remaining.doubtful);
	const ends = sent.map(({id, result}) => ({id, ...messageEnd(result)}));
	// Without this write, the next start does not know the outcome, and the id stays claimed.
	await journal.endDelivery(record(context, outcome), ends).catch(report);
	noteFailed(event, resultOfAll(messages, results), options);
	return outcome;
}

/** The outcome of all messages: those of this request, and those that may have arrived before. */
function outcomeOf(
	{route, deliveryId: {id}}: AcceptableEvent,
	results: readonly DeliveryResult[],
	doubtful: readonly string[],
): DeliveryOutcome {
	const kinds = new Set(results.map(({kind}) => kind));
	// Its sender was answered, and sends it again.
	if (kinds.has('failed') || kinds.has('retrying')) {
		return {kind: 'delivery-failed', deliveryId: id};
	}

	return kinds.has('uncertain') || doubtful.length > 0
		? {kind: 'delivery-uncertain', deliveryId: id}
		: {kind: 'delivered', route: route.name, target: targetNames(route.deliver), deliveryId: id};
}

/** Tells those who want to know of failures; a retry of the sender that fails again is a failure of its own. */
function noteFailed(event: AcceptableEvent, result: DeliveryResult, {noteFailure}: DeliverNowOptions): void {
	const {context, route, deliveryId} = event;
	if (result.kind === 'failed' || result.kind === 'uncertain') {
		void noteFailure?.({
			profile: route.profile,
			route: route.name,
			reason: result.problem.message,
			eventId: context.id,
			deliveryId: deliveryId.id,
			onFailure: route.onFailure,
		});
	}
}

/** The messages of a `deliver_only` route. */
function messagesOf(
	{context, route, deliveryId}: AcceptableEvent,
	text: string,
	destinations: readonly Destination[],
): readonly OutgoingMessage[] {
	return withOthers(
		destinations.map(destination => ({
			...destination,
			id: orderedId(context.arrivedAt),
			eventId: context.id,
			profile: route.profile,
			text,
			deliveryId: deliveryId.id,
			route: route.name,
			...(route.onFailure && {onFailure: route.onFailure}),
		})),
	);
}

/** The id was free, so what another gateway has sent of it is on disk: then nothing is sent, and the next retry finds it. */
function sentElsewhere(): DeliveryResult {
	return {
		kind: 'failed',
		problem: new Problem('delivery_failed', {detail: 'another gateway has delivered it meanwhile'}),
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
