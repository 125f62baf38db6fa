import {type GatewayEvent} from './event.ts';
import {type Counters} from './snapshot.ts';

type CountedEvent = Extract<GatewayEvent, {type: 'webhook.settled' | 'tool.finished' | 'log'}>;

/** The totals after one more event. */
export function countEvent(counters: Counters, event: CountedEvent): Counters {
	switch (event.type) {
		case 'webhook.settled':
			return {
				...counters,
				webhooks: counters.webhooks + 1,
				webhooksRejected: counters.webhooksRejected + (event.outcome === 'rejected' ? 1 : 0),
			};
		case 'tool.finished':
			return {...counters, calls: counters.calls + 1};
		case 'log':
			return event.level === 'warning' || event.level === 'error'
				? {...counters, warnings: counters.warnings + 1}
				: counters;
	}
}
