import {type Journal} from '../../journal/journal.ts';
import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {deduplicationMilliseconds} from '../signature/delivery-id.ts';
import {type Outcome} from '../http/outcome.ts';

/** Writes the event; undefined when it is on the disk. */
export async function persistEvent(
	{deliveryId, context}: Omit<AcceptableEvent, 'scope'>,
	{journal, report}: DispatchOptions,
	request: Parameters<Journal['acceptEvent']>[0],
): Promise<Outcome | undefined> {
	const deduplicateUntil = deliveryId.source === 'sender' ? context.arrivedAt + deduplicationMilliseconds : undefined;
	try {
		const outcome = await journal.acceptEvent({...request, deduplicateUntil});
		switch (outcome) {
			case 'accepted':
				return undefined;
			case 'duplicate':
				return {kind: 'duplicate', deliveryId: deliveryId.id};
			case 'queue-full':
				return {kind: 'queue-full'};
		}
	} catch (error) {
		report(error);
		return {kind: 'storage-unavailable'};
	}
}
