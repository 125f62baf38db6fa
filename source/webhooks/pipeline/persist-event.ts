import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type Deliver} from '../../delivery/deliver.ts';
import {type EventRecord, type Journal} from '../../journal/journal.ts';
import {type Coalescer} from '../coalesce/coalescer.ts';
import {type Outcome} from '../http/outcome.ts';
import {deduplicationMilliseconds, type DeliveryId} from '../signature/delivery-id.ts';
import {type TemplateScope} from '../template/template.ts';
import {type RequestContext} from './request-context.ts';

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

/** An event that passed every rule and is to be acted on. */
export type AcceptableEvent = {
	readonly context: RequestContext;
	readonly route: RouteConfig;
	readonly deliveryId: DeliveryId;
	readonly scope: TemplateScope;
};

/** What fires a scheduled job: the job by id or name, and which event asked for it. Never rejects: what keeps the job from running is the reason. */
export type FireJob = (
	reference: string,
	by: {
		readonly eventId: string;
		readonly route: string;
		readonly event: string;
		readonly deliveryId: string;
		/** What proved who sent it. */
		readonly signature: string | undefined;
		/** The profile whose job it is; undefined: the first one's. */
		readonly profile: string | undefined;
	},
) => Promise<{readonly kind: 'fired'; readonly runId: string} | {readonly kind: 'dropped'; readonly reason: string}>;

/** What acting on an event needs. */
export type DispatchOptions = {
	readonly journal: Pick<Journal, 'acceptEvent' | 'endDelivery'>;
	/** The row of a request as it reads with this outcome. */
	readonly record: (context: RequestContext, outcome: Outcome) => EventRecord;
	readonly deliver: Deliver;
	readonly fireJob: FireJob;
	/** Told that a run was queued. */
	readonly wakeRuns: () => void;
	/** Told that an event was kept in a coalescing window. */
	readonly coalesced: Coalescer['arrived'];
	/** How many runs may wait. */
	readonly queueLimit: () => number;
	readonly profile: string;
	/** Aborts when the adapter will not wait any longer. */
	readonly signal: AbortSignal;
	/** Told what no sender may see. */
	readonly report: (problem: unknown) => void;
};
