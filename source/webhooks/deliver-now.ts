import {cutText} from '../util/json-text.ts';
import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {keepEvent} from './keep-event.ts';
import {type Outcome} from './outcome.ts';
import {renderExtra, renderPrompt} from './template.ts';
import {tracedCharacters} from './visit.ts';

/**
The id is claimed before the delivery, so that two tries at once deliver once; a failure gives it back (spec/decisions.md, D8 Delivery ids).
What may have arrived keeps it: the sender's next try is a duplicate, and a person decides with `events replay --deliver`.
*/
export async function deliverNow(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	const {visit, route, scope, deliveryId} = event;
	const failed: Outcome = {kind: 'delivery-failed', deliveryId: deliveryId.id};
	const text = renderPrompt(route.prompt, scope);
	const extra = renderExtra(route.deliverExtra, scope);
	visit.trace = {...visit.trace, text: cutText(text, tracedCharacters), target: route.deliver};
	// Until it is settled the row says that nothing was delivered: true, should the process die here.
	const refusal = await keepEvent(event, options, {event: options.record(visit, failed), isOpen: true});
	if (refusal) {
		return refusal;
	}

	const to = {target: route.deliver, profile: route.profile, route: route.name};
	const delivery = {...to, text, extra, deliveryId: deliveryId.id, eventId: visit.id};
	try {
		const result = await options.deliver(delivery, {signal: options.signal});
		if (result.kind === 'delivered') {
			return {kind: 'delivered', route: route.name, target: result.target, deliveryId: deliveryId.id};
		}

		if (result.kind === 'uncertain') {
			await options.journal.keepDelivery(visit.id).catch(options.report);
			return failed;
		}
	} catch (error) {
		options.report(error);
	}

	if (deliveryId.source === 'sender') {
		await options.journal.releaseDelivery(route.name, deliveryId.id).catch(options.report);
	}

	return failed;
}
