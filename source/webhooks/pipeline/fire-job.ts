import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {persistEvent} from './persist-event.ts';
import {type Outcome} from '../http/outcome.ts';

/**
Fires the job of a route. The id is claimed before, so that two tries at once fire once, and held open until the job was asked: a process that
dies in between gives it back. A job that may not run is told in the row, never to the sender (docs/webhooks.md, Answers).
*/
export async function fireJobOf(event: AcceptableEvent, reference: string, options: DispatchOptions): Promise<Outcome> {
	const {context, route, deliveryId} = event;
	const outcome: Outcome = {
		kind: 'job-asked',
		route: route.name,
		cronJob: reference,
		event: context.event,
		deliveryId: deliveryId.id,
	};
	const refusal = await persistEvent(event, options, {event: options.record(context, outcome), isOpen: true});
	if (refusal) {
		return refusal;
	}

	const {id: eventId, event: name, trace} = context;
	const from = {eventId, route: route.name, event: name, deliveryId: deliveryId.id, signature: trace.signature};
	const result = await options.fireJob(reference, {...from, profile: route.profile});
	return result.kind === 'fired' ? outcome : {...outcome, dropped: result.reason};
}
