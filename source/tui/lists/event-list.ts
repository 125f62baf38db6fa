import {type EventRow} from '../../state/snapshot.ts';
import {type DeliveryEvent, eventListRow, type WebhookEvent} from './event-rows.ts';
import {type ListRow} from './list-row.ts';

/** An event of the list, and the deliveries that are in its row. */
type Listed = {readonly event: EventRow; readonly led: DeliveryEvent[]};

/**
The rows of events: one for a webhook request and the deliveries that it led to, as long as the request is listed (docs/dashboard.md, Events). Rows of
events that did not change are the same objects.
*/
export function createEventRows(): (events: readonly EventRow[]) => readonly ListRow[] {
	const rows = new WeakMap<EventRow, {readonly led: readonly DeliveryEvent[]; readonly row: ListRow}>();
	const rowOf = ({event, led}: Listed): ListRow => {
		const known = rows.get(event);
		if (known && known.led.length === led.length && known.led.every((one, index) => one === led[index])) {
			return known.row;
		}

		const row = eventListRow(event, led);
		rows.set(event, {led, row});
		return row;
	};

	return events => withDeliveries(events).map(rowOf);
}

/** The outcomes of requests that may lead to deliveries. */
const leads: ReadonlySet<WebhookEvent['outcome']> = new Set([
	'accepted',
	'coalesced',
	'delivered',
	'delivery_failed',
	'outcome_uncertain',
]);

/** A route that delivers at once says how that went before the request is answered. */
function withDeliveries(events: readonly EventRow[]): readonly Listed[] {
	const all: Listed[] = [];
	const requests = createRouteMap<Listed>();
	const early = createRouteMap<Listed[]>();
	const moved = new Set<Listed>();
	for (const event of events) {
		const row: Listed = {event, led: []};
		if (event.type === 'delivery.settled') {
			const {route = '', delivery, profile} = event;
			const request = requests.get(route, delivery);
			if (request?.event.profile === profile) {
				request.led.push(event);
				continue;
			}

			if (route !== '') {
				early.set(route, delivery, [...(early.get(route, delivery) ?? []), row]);
			}
		} else if (event.type === 'webhook.settled' && leads.has(event.outcome)) {
			const {route, deliveryId, profile} = event;
			requests.set(route, deliveryId, row);
			const before = early.get(route, deliveryId)?.filter(one => one.event.profile === profile) ?? [];
			for (const delivery of before) {
				moved.add(delivery);
				row.led.push(...(delivery.event.type === 'delivery.settled' ? [delivery.event] : []));
			}

			early.delete(route, deliveryId);
		}

		all.push(row);
	}

	return moved.size === 0 ? all : all.filter(row => !moved.has(row));
}

/** A map by route and delivery id, without a text made of the two for each of thousands of events. */
function createRouteMap<Value>() {
	const routes = new Map<string, Map<string, Value>>();
	return {
		get: (route: string, id: string) => routes.get(route)?.get(id),
		set(route: string, id: string, value: Value) {
			const ofRoute = routes.get(route) ?? new Map<string, Value>();
			routes.set(route, ofRoute.set(id, value));
		},
		delete: (route: string, id: string) => routes.get(route)?.delete(id),
	};
}
