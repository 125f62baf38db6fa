import {type FailedDelivery, type FailedDeliveryChange, type Journal} from '../journal/journal.ts';
import {type EventBus} from '../state/event-bus.ts';
import {type GatewayEventBody} from '../state/event.ts';
import {safeText} from '../util/safe-text.ts';

/** More places than a gateway delivers from and to. */
const mostShown = 500;

/** Where deliveries fail now, each with the profile it belongs to (docs/delivery.md, Failed deliveries). `first` is the profile the gateway was started for. */
export async function listFailedDeliveries(
	journal: Pick<Journal, 'listFailedDeliveries'>,
	first: string,
): Promise<readonly FailedDelivery[]> {
	const failed = await journal.listFailedDeliveries({limit: mostShown});
	return failed.map(delivery => ({...delivery, profile: delivery.profile || first}));
}

/** Creates the function that publishes a change of the failed deliveries. */
export function publishFailedDelivery(
	eventBus: Pick<EventBus, 'publishFor'>,
	first: string,
): (change: FailedDeliveryChange) => void {
	return change => eventBus.publishFor(change.delivery.profile || first)(changeEvent(change));
}

function changeEvent(change: FailedDeliveryChange): GatewayEventBody {
	const {id, failures, firstAt, lastAt, reason, eventId, ...names} = change.delivery;
	const place = {
		id,
		// As the routes and platforms themselves are named.
		route: safeText(names.route, {maximumCharacters: 300}),
		...(names.job !== '' && {job: safeText(names.job, {maximumCharacters: 200})}),
		target: safeText(names.target, {maximumCharacters: 300}),
	};
	return change.kind === 'failing'
		? {type: 'delivery.failing', ...place, failures, firstAt, lastAt, reason: safeText(reason), eventId}
		: {type: 'delivery.cleared', ...place, by: change.by};
}
