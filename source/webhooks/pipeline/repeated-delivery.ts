import {type Journal, type OutgoingMessageRow} from '../../journal/journal.ts';
import {callerTarget} from '../../state/event-caller.ts';
import {type Destination, isSameDestination} from '../../util/destinations.ts';
import {type Outcome} from '../http/outcome.ts';
import {deduplicationMilliseconds} from '../signature/delivery-id.ts';
import {type AcceptableEvent} from './request-context.ts';

/** The rest of a delivery that its sender repeats. `doubtful`: the targets of messages that may have arrived, or are still sent. */
type Remaining = {
	readonly kind: 'to-send';
	readonly destinations: readonly Destination[];
	readonly doubtful: readonly string[];
};

type RepeatOptions = {
	readonly journal: Pick<Journal, 'listDeliveryMessages'>;
	readonly report: (caught: unknown) => void;
};

/** A message that certainly failed is sent again, no other one (docs/webhooks.md, Delivery ids); nothing to send is an outcome. Never rejects. */
export async function findRemaining(
	event: Pick<AcceptableEvent, 'deliveryId' | 'context' | 'route'>,
	destinations: readonly Destination[],
	options: RepeatOptions,
): Promise<Remaining | Outcome> {
	try {
		return remainingOf(destinations, await findFormer(event, options), event.deliveryId.id);
	} catch (error) {
		options.report(error);
		return {kind: 'storage-unavailable'};
	}
}

/** True if another gateway has sent to one of the destinations since `before` was found; also where that cannot be read. The id is claimed, so nobody else sends from now on. */
export async function isSentElsewhere(
	event: Pick<AcceptableEvent, 'deliveryId' | 'context' | 'route'>,
	{destinations, before}: {readonly destinations: readonly Destination[]; readonly before: Remaining},
	options: RepeatOptions,
): Promise<boolean> {
	const rest = await findRemaining(event, destinations, options);
	return rest.kind !== 'to-send' || rest.destinations.length < before.destinations.length;
}

/** The messages of former requests with this id, as long as it counts; none for an id that no sender chose. */
async function findFormer(
	{deliveryId, context, route}: Pick<AcceptableEvent, 'deliveryId' | 'context' | 'route'>,
	{journal}: RepeatOptions,
): Promise<readonly OutgoingMessageRow[]> {
	if (deliveryId.source !== 'sender') {
		return [];
	}

	const since = context.arrivedAt - deduplicationMilliseconds(route);
	const found = await journal.listDeliveryMessages({route: route.name, deliveryId: deliveryId.id, since});
	return found.filter(({eventId, target}) => eventId !== context.id && target !== callerTarget);
}

/** Decides by the messages that did not fail. */
function remainingOf(
	destinations: readonly Destination[],
	former: readonly OutgoingMessageRow[],
	deliveryId: string,
): Remaining | Outcome {
	if (former.some(({state}) => state === 'pending' || state === 'sending')) {
		return {kind: 'delivery-in-progress'};
	}

	const isOf = (message: OutgoingMessageRow, destination: Destination) =>
		destinations.filter(({target}) => target === destination.target).length === 1
			? message.target === destination.target
			: isSameDestination(message, destination);
	const rest = destinations.filter(destination => !former.some(message => isOf(message, destination)));
	if (rest.length === 0) {
		return {kind: 'duplicate', deliveryId};
	}

	const doubtful = destinations.filter(destination =>
		former.some(message => isOf(message, destination) && message.state !== 'sent'),
	);
	return {kind: 'to-send', destinations: rest, doubtful: doubtful.map(({target}) => target)};
}
