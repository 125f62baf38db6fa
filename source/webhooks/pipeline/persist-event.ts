import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type Journal} from '../../journal/journal.ts';
import {type Outcome} from '../http/outcome.ts';
import {deduplicationMilliseconds, type DeliveryId} from '../signature/delivery-id.ts';
import {type TemplateScope} from '../template/template.ts';
import {type RequestContext} from './request-context.ts';

/** An event that passed every rule and is to be acted on. */
export type AcceptableEvent = {
	readonly context: RequestContext;
	readonly route: RouteConfig;
	readonly deliveryId: DeliveryId;
	readonly scope: TemplateScope;
};

/** What writing an event needs. */
export type PersistOptions = {
	readonly journal: Pick<Journal, 'acceptEvent'>;
	/** Receives errors that no sender may see. */
	readonly report: (caught: unknown) => void;
};

/** Writes the event and claims its delivery id; undefined when both are on the disk. Never rejects. */
export async function persistEvent(
	{deliveryId, context}: Pick<AcceptableEvent, 'deliveryId' | 'context'>,
	{journal, report}: PersistOptions,
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
