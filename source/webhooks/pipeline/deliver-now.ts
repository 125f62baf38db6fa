import {type DeliveryResult} from '../../delivery/deliver.ts';
import {type AnswerRecord} from '../../journal/journal.ts';
import {answerEnd} from '../../runs/send-answer.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {cutText} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {randomId} from '../../util/random-id.ts';
import {type DeliveryOutcome, isDelivery, type Outcome} from '../http/outcome.ts';
import {renderExtra, renderPrompt} from '../template/template.ts';
import {type AcceptableEvent, type DispatchOptions, persistEvent} from './persist-event.ts';
import {tracedCharacters} from './request-context.ts';

/**
The id is claimed and the message kept before it is sent; a failure gives the id back (docs/webhooks.md, Delivery ids).
What may have arrived keeps it: the sender's next try is a duplicate, and a person decides with `events replay --deliver`.
*/
export async function deliverNow(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	const {context, route, deliveryId} = event;
	const {journal, record, report} = options;
	const message = directMessage(event);
	context.trace = {...context.trace, text: cutText(message.text, tracedCharacters), target: route.deliver};
	// Until its end is known the row says that it may have arrived: true, should the process die here.
	const begun = record(context, {kind: 'delivery-uncertain', deliveryId: deliveryId.id});
	const refusal = await persistEvent(event, options, {event: begun, message});
	if (refusal) {
		return refusal;
	}

	const result = await sendDirectMessage(message, options);
	const outcome = outcomeOf(result, event);
	// Without this write the next start does not know how it ended, and the id stays claimed.
	await journal.endDelivery(record(context, outcome), {id: message.id, ...answerEnd(result)}).catch(report);
	return outcome;
}

function outcomeOf(result: DeliveryResult, {route, deliveryId: {id}}: AcceptableEvent): DeliveryOutcome {
	switch (result.kind) {
		case 'delivered':
			return {kind: 'delivered', route: route.name, target: result.target, deliveryId: id};
		case 'failed':
			return {kind: 'delivery-failed', deliveryId: id};
		case 'uncertain':
			return {kind: 'delivery-uncertain', deliveryId: id};
	}
}

/** The message of a `deliver_only` route, rendered. */
function directMessage({context, route, scope, deliveryId}: AcceptableEvent): AnswerRecord {
	return {
		id: randomId(),
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
async function sendDirectMessage(
	{id: key, ...delivery}: AnswerRecord,
	{deliver, signal, report}: DispatchOptions,
): Promise<DeliveryResult> {
	try {
		return await deliver({...delivery, key}, {signal});
	} catch (error) {
		report(error);
		return {kind: 'failed', problem: toProblem(error, 'delivery_failed')};
	}
}

/** The messages that are being sent while their senders wait, by route and delivery id. */
type PendingDeliveries = {
	/**
	Begins the delivery of an event. While one of the same id is under way, a retry waits for it and gets its answer instead
	(docs/webhooks.md, Answers); when that one gave its id back, the next retry begins again.
	*/
	readonly join: (event: NamedEvent, begin: () => Promise<Outcome>) => Promise<Outcome>;
};

type NamedEvent = {readonly route: string; readonly deliveryId: string; readonly eventId: string};

type Pending = {readonly eventId: string; readonly outcome: Promise<Outcome>};

const longestWaitMilliseconds = 30_000;
/** So many requests may wait at once, each with its body in memory. */
const mostWaiting = 64;

/** Opens the list; nothing is under way. `signal` aborts when what was begun is given up. */
export function createPendingDeliveries(options: {
	readonly clock: Clock;
	readonly signal: AbortSignal;
}): PendingDeliveries {
	const {clock, signal} = options;
	const pending = new Map<string, Pending>();
	let waiting = 0;

	const waitFor = async ({eventId, outcome}: Pending): Promise<Outcome> => {
		if (waiting >= mostWaiting) {
			return {kind: 'delivery-in-progress'};
		}

		waiting++;
		const reason = () => new Error('The delivery takes too long to wait for it');
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

	return {
		join({route, deliveryId, eventId}, begin) {
			const key = JSON.stringify([route, deliveryId]);
			const first = pending.get(key);
			if (first) {
				return waitFor(first);
			}

			// On the list before the id is claimed: a retry that comes between the two waits as well.
			const outcome = begin().finally(() => pending.delete(key));
			pending.set(key, {eventId, outcome});
			return outcome;
		},
	};
}

/** Only what was sent is told apart from it; a refusal of the first is that of the others, too. */
function sameAs(outcome: Outcome, eventId: string): Outcome {
	return isDelivery(outcome) ? {kind: 'same-delivery', eventId, outcome} : outcome;
}
