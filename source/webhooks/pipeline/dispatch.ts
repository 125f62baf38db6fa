import {type Journal, type RunRecord} from '../../journal/journal.ts';
import {type Coalescer, coalesceKey} from '../coalesce/coalescer.ts';
import {toProblem} from '../../util/problem.ts';
import {type Outcome} from '../http/outcome.ts';
import {renderDestinations, renderMarked} from '../template/template.ts';
import {answerDelivery, answerRun, type CallerOptions} from './answer-caller.ts';
import {createDeliverNow, type DeliverNowOptions} from './deliver-now.ts';
import {callerOf} from './event-caller.ts';
import {persistEvent} from './event-rows.ts';
import {type AcceptableEvent} from './request-context.ts';

/** Acts on an event: stores it in the journal, then starts the action of its route. Never rejects. */
export type Dispatch = (event: AcceptableEvent) => Promise<Outcome>;

/** Fires a scheduled job by id or name, for the given event. Never rejects: a failure is returned as the reason. */
export type FireJob = (
	reference: string,
	by: {
		readonly eventId: string;
		readonly route: string;
		readonly event: string;
		readonly deliveryId: string;
		/** The authentication of the sender. */
		readonly signature: string | undefined;
		/** The profile of the job; undefined: the first profile. */
		readonly profile: string | undefined;
	},
) => Promise<
	| {readonly kind: 'fired'; readonly runId: string}
	/** `released`: another gateway has released the delivery id. `unavailable`: the run could not be stored. */
	| {readonly kind: 'dropped' | 'released' | 'unavailable'; readonly reason: string}
>;

/** Dependencies for acting on an event. */
export type DispatchOptions = DeliverNowOptions &
	CallerOptions & {
		readonly journal: Pick<Journal, 'confirmEvent'>;
		readonly fireJob: FireJob;
		/** Called when a run of this profile was queued. */
		readonly wakeRuns: (profile: string) => void;
		/** Called when an event was stored in a coalescing window. */
		readonly coalesced: Coalescer['arrived'];
		/** The limit of waiting runs. */
		readonly queueLimit: () => number;
		readonly profile: string;
	};

/** Creates the dispatch of an adapter. */
export function createDispatch(options: DispatchOptions): Dispatch {
	const deliverNow = createDeliverNow(options);
	return event => {
		const {route} = event;
		if (route.cronJob !== undefined) {
			return fireJobOf(event, route.cronJob, options);
		}

		switch (route.action) {
			case 'agent':
				return queueRun(event, options);
			case 'deliver-only':
				return answerDelivery(event, deliverNow, options);
		}
	};
}

/**
Fires the job of a route. The id is claimed before, so that two attempts at once fire once, and its claim is open until the job was fired: if the process
dies in between, the id is released. Why a job may not run is written to the row; the sender never sees it (docs/webhooks.md, Answers). When another gateway
has released the id, because this one counted as gone, the sender is asked to retry; also when the run of the job could not be stored.
*/
async function fireJobOf(event: AcceptableEvent, reference: string, options: DispatchOptions): Promise<Outcome> {
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
	switch (result.kind) {
		case 'fired':
			return outcome;
		case 'dropped':
			return dropJob(event, options, {...outcome, dropped: result.reason});
		case 'released':
			return {kind: 'delivery-released'};
		case 'unavailable':
			return {kind: 'job-unavailable', reason: result.reason};
	}
}

/** Nothing was fired that would hold the delivery id: its claim is on disk before the sender is answered. */
async function dropJob({context}: AcceptableEvent, options: DispatchOptions, outcome: Outcome): Promise<Outcome> {
	try {
		const settled = await options.journal.confirmEvent(context.id, options.record(context, outcome));
		return settled === 'released' ? {kind: 'delivery-released'} : outcome;
	} catch (error) {
		options.report(error);
		return {kind: 'job-unavailable', reason: toProblem(error, 'storage_unavailable').message};
	}
}

/** Accepted means stored: event, delivery id and run, waiting or queued, are on disk before the response is known (docs/webhooks.md, Answers). */
function queueRun(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	const {context, route, deliveryId, scope} = event;
	const {coalesce} = route;
	const windowKey = coalesce && coalesceKey(coalesce.key, scope, context.headers);
	const kind = windowKey === undefined ? 'accepted' : 'coalesced';
	const outcome = {kind, route: route.name, event: context.event, deliveryId: deliveryId.id} as const;
	const run = runOf(event, route.profile ?? options.profile);
	// Drop the payload here: large ones that are held during the disk write would cost the garbage collector more.
	return storeRun({context, route, deliveryId}, options, {outcome, run, windowKey});
}

async function storeRun(
	event: Omit<AcceptableEvent, 'scope'>,
	options: DispatchOptions,
	queued: {
		readonly outcome: Extract<Outcome, {kind: 'accepted' | 'coalesced'}>;
		readonly run: RunRecord;
		readonly windowKey: string | undefined;
	},
): Promise<Outcome> {
	const {context, route} = event;
	const {coalesce} = route;
	const {outcome, run, windowKey} = queued;
	const refusal = await persistEvent(event, options, {
		event: options.record(context, outcome),
		run,
		windowKey,
		windowTiming: coalesce,
		queueLimit: options.queueLimit(),
	});
	if (refusal) {
		return refusal;
	}

	if (coalesce && windowKey !== undefined) {
		options.coalesced({route: route.name, key: windowKey}, coalesce);
	} else {
		options.wakeRuns(run.profile);
	}

	return outcome.kind === 'accepted' ? answerRun(context, {run, outcome}, options) : outcome;
}

/** The run is stored with its prompt, so the prompt is rendered before the response: a run resumed after a restart needs no payload. */
function runOf(event: AcceptableEvent, profile: string): RunRecord {
	const {context, route, scope, deliveryId} = event;
	const caller = callerOf(event);
	const prompt = renderMarked(route.prompt, scope);
	return {
		// One event makes one run: the journal finds the run under the id of its event.
		id: context.id,
		eventId: context.id,
		profile,
		route: route.name,
		event: context.event,
		deliveryId: deliveryId.id,
		signature: context.trace.signature,
		prompt: prompt.text,
		foreign: prompt.foreign,
		deliver: renderDestinations(route.deliver, scope),
		...(caller && {caller}),
		...(route.onFailure && {onFailure: route.onFailure}),
		skills: route.skills,
		toolsets: route.toolsets,
		createdAt: context.arrivedAt,
	};
}
