import {type RunRecord} from '../../journal/journal.ts';
import {type AnsweredEvent, type EventCallers} from '../../runs/event-callers.ts';
import {type CallerResult} from '../../runs/waiting-callers.ts';
import {type EventCaller} from '../../state/event-caller.ts';
import {renderAnswerBody} from '../../util/templates/answer-body.ts';
import {type InFlight} from '../../util/in-flight.ts';
import {type AnswerableOutcome, isDelivery, type Outcome} from '../http/outcome.ts';
import {renderPrompt} from '../template/template.ts';
import {callerOf} from './event-caller.ts';
import {type AcceptableEvent, type RequestContext} from './request-context.ts';

/** Dependencies of answers to the senders of events. */
export type CallerOptions = {
	/** Absent: nobody gets results. */
	readonly callers?: Pick<EventCallers, 'wait' | 'give' | 'release'> | undefined;
	/** A stop waits for this work. */
	readonly inFlight: Pick<InFlight, 'track'>;
	/** Receives internal errors, which no sender may see. */
	readonly report: (caught: unknown) => void;
};

/** The response to an event whose run was queued: its result, or the acknowledgement when that is not there in time. */
export async function answerRun(
	context: RequestContext,
	{run, outcome}: {readonly run: RunRecord; readonly outcome: AnswerableOutcome},
	{callers}: CallerOptions,
): Promise<Outcome> {
	const {eventId, profile, deliveryId, route, caller} = run;
	if (!callers || !caller) {
		return outcome;
	}

	const result = await callers.wait({eventId, profile, deliveryId, route, caller}, context.closed?.());
	return result ? answered(context, {caller, outcome, result}) : outcome;
}

/**
The response to an event that is delivered at once: its text once it has arrived, any other outcome as it is, and the acknowledgement when that takes
too long and the event is on disk. The result goes to the address of the caller then. A retry that follows a delivery under way may come again.
*/
export async function answerDelivery(
	event: AcceptableEvent,
	deliver: (event: AcceptableEvent) => Promise<Outcome>,
	options: CallerOptions,
): Promise<Outcome> {
	const {context, route, deliveryId} = event;
	const caller = callerOf(event);
	const {callers} = options;
	if (!callers || !caller) {
		return deliver(event);
	}

	const asked: AnsweredEvent = {
		eventId: context.id,
		profile: route.profile,
		deliveryId: deliveryId.id,
		route: route.name,
		caller,
	};
	const delivery = followDelivery(event, deliver, {...options, callers, asked});
	const result = await callers.wait(asked, context.closed?.());
	const early = result ? undefined : await delivery.begun;
	const end = delivery.end();
	const accepted = {kind: 'accepted', route: route.name, event: context.event, deliveryId: deliveryId.id} as const;
	if (result) {
		return answered(context, {caller, outcome: end?.kind === 'delivered' ? end : accepted, result});
	}

	if (end ?? early === 'following') {
		return end ?? {kind: 'delivery-in-progress'};
	}

	delivery.acknowledge();
	return accepted;
}

/** Delivers, and gives the result to the caller. `begun` resolves when the event is on disk, when it follows another one, and when it is over before. */
function followDelivery(
	event: AcceptableEvent,
	deliver: (event: AcceptableEvent) => Promise<Outcome>,
	{
		callers,
		asked,
		inFlight,
		report,
	}: CallerOptions & {
		readonly callers: NonNullable<CallerOptions['callers']>;
		readonly asked: AnsweredEvent;
	},
) {
	const text = renderPrompt(event.route.prompt, event.scope);
	const {promise: begun, resolve: onBegun} = Promise.withResolvers<'stored' | 'following' | 'over'>();
	let end: Outcome | undefined;
	let phase: 'waiting' | 'acknowledged' = 'waiting';
	const isAcknowledged = () => phase === 'acknowledged';
	const work = async () => {
		try {
			end = await deliver({...event, onBegun});
			if (end.kind === 'delivered') {
				await callers.give(asked, {kind: 'text', text});
			} else if (isAcknowledged() && isDelivery(end)) {
				await callers.give(asked, {kind: 'failed'});
			}
		} catch (caught) {
			report(caught);
			end ??= {kind: 'internal'};
			callers.release(asked.eventId);
		}

		onBegun('over');
		if (end.kind !== 'delivered') {
			callers.release(asked.eventId);
		}
	};

	void inFlight.track(work());
	return {
		begun,
		end: () => end,
		acknowledge() {
			phase = 'acknowledged';
		},
	};
}

function answered(
	context: RequestContext,
	{
		caller,
		outcome,
		result,
	}: {
		readonly caller: EventCaller;
		readonly outcome: AnswerableOutcome;
		readonly result: CallerResult;
	},
): Outcome {
	const {
		body,
		body: {contentType},
	} = caller;
	context.onResponseEnd = result.onResponseEnd;
	return {kind: 'answered', outcome, answer: {contentType, text: renderAnswerBody(body, result.text)}};
}
