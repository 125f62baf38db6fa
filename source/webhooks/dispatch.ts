import {type RouteConfig} from '../config/route-entry.ts';
import {type Deliver} from '../delivery/deliver.ts';
import {type EventRecord, type Journal, type RunRecord} from '../journal/journal.ts';
import {randomId} from '../util/random-id.ts';
import {deduplicationMilliseconds, type DeliveryId} from './delivery-id.ts';
import {type Outcome} from './outcome.ts';
import {renderExtra, renderPrompt, type TemplateScope} from './template.ts';
import {type Visit} from './visit.ts';

/** An event that passed every rule and is to be acted on. */
export type AcceptableEvent = {
	readonly visit: Visit;
	readonly route: RouteConfig;
	readonly deliveryId: DeliveryId;
	readonly scope: TemplateScope;
};

/** What acting on an event needs. */
export type DispatchOptions = {
	readonly journal: Pick<Journal, 'acceptEvent' | 'releaseDelivery'>;
	/** The row of a request as it reads with this outcome. */
	readonly record: (visit: Visit, outcome: Outcome) => EventRecord;
	readonly deliver: Deliver;
	/** Told that a run was queued. */
	readonly wakeRuns: () => void;
	/** How many runs may wait. */
	readonly queueLimit: () => number;
	readonly profile: string;
	/** Aborts when the adapter will not wait any longer. */
	readonly signal: AbortSignal;
	/** Told what no sender may see. */
	readonly report: (problem: unknown) => void;
};

/** Acts on an event: keeps it in the journal first, then starts what its route asks for. Never rejects. */
export async function dispatch(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	switch (event.route.action) {
		case 'agent':
			return queueRun(event, options);
		case 'deliver-only':
			return deliverNow(event, options);
	}
}

/** Accepted means kept: event, delivery id and run are on the disk before the answer is known (spec/decisions.md, D8). */
async function queueRun(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	const {visit, route, deliveryId} = event;
	const accepted: Outcome = {kind: 'accepted', route: route.name, event: visit.event, deliveryId: deliveryId.id};
	const refusal = await keep(event, options, {
		event: options.record(visit, accepted),
		run: runOf(event, options.profile),
		queueLimit: options.queueLimit(),
	});
	if (refusal) {
		return refusal;
	}

	options.wakeRuns();
	return accepted;
}

/** The id is claimed before the delivery, so that two tries at once deliver once; a failure gives it back (spec/decisions.md, D8 Delivery ids). */
async function deliverNow(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	const {visit, route, scope, deliveryId} = event;
	const failed: Outcome = {kind: 'delivery-failed', deliveryId: deliveryId.id};
	const text = renderPrompt(route.prompt, scope);
	const extra = renderExtra(route.deliverExtra, scope);
	// Until it is settled the row says that nothing was delivered: true, should the process die here.
	const refusal = await keep(event, options, {event: options.record(visit, failed)});
	if (refusal) {
		return refusal;
	}

	const delivery = {target: route.deliver, text, extra, deliveryId: deliveryId.id, route: route.name};
	try {
		const result = await options.deliver(delivery, {signal: options.signal});
		if (result.kind === 'delivered') {
			return {kind: 'delivered', route: route.name, target: result.target, deliveryId: deliveryId.id};
		}
	} catch (error) {
		options.report(error);
	}

	if (deliveryId.source === 'sender') {
		await options.journal.releaseDelivery(route.name, deliveryId.id).catch(options.report);
	}

	return failed;
}

/** Writes the event; undefined when it is on the disk. */
async function keep(
	{deliveryId, visit}: AcceptableEvent,
	{journal, report}: DispatchOptions,
	request: Parameters<Journal['acceptEvent']>[0],
): Promise<Outcome | undefined> {
	const deduplicateUntil = deliveryId.source === 'sender' ? visit.arrivedAt + deduplicationMilliseconds : undefined;
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

/** The run is kept with its prompt, so the prompt is rendered before the answer: a run taken up after a restart needs no payload. */
function runOf({visit, route, scope, deliveryId}: AcceptableEvent, profile: string): RunRecord {
	return {
		id: randomId(),
		eventId: visit.id,
		profile,
		route: route.name,
		event: visit.event,
		deliveryId: deliveryId.id,
		prompt: renderPrompt(route.prompt, scope),
		deliver: route.deliver,
		deliverExtra: renderExtra(route.deliverExtra, scope),
		skills: route.skills,
		toolsets: route.toolsets,
		createdAt: visit.arrivedAt,
	};
}
