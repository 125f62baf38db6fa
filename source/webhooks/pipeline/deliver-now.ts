import {type DeliveryResult} from '../../delivery/deliver.ts';
import {answerEnd} from '../../runs/send-answer.ts';
import {cutText} from '../../util/json-text.ts';
import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {directMessage, sendDirectMessage} from './direct-message.ts';
import {persistEvent} from './persist-event.ts';
import {type DeliveryOutcome, type Outcome} from '../http/outcome.ts';
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
