import {type Clock} from '../../util/clock.ts';
import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {deliverNow} from './deliver-now.ts';
import {fireJobOf} from './fire-job.ts';
import {type Outcome} from '../http/outcome.ts';
import {createPendingDeliveries} from './pending-deliveries.ts';
import {queueRun} from './queue-run.ts';

/** Acts on an event: keeps it in the journal first, then starts what its route asks for. Never rejects. */
export type Dispatch = (event: AcceptableEvent) => Promise<Outcome>;

/** Opens the dispatch of an adapter; nothing is under way. */
export function createDispatch(options: DispatchOptions & {readonly clock: Clock}): Dispatch {
	const pending = createPendingDeliveries(options);
	return event => {
		const {route, deliveryId, context} = event;
		if (route.cronJob !== undefined) {
			return fireJobOf(event, route.cronJob, options);
		}

		switch (route.action) {
			case 'agent':
				return queueRun(event, options);
			case 'deliver-only': {
				const begin = () => deliverNow(event, options);
				const name = {route: route.name, deliveryId: deliveryId.id, eventId: context.id};
				return deliveryId.source === 'sender' ? pending.join(name, begin) : begin();
			}
		}
	};
}
