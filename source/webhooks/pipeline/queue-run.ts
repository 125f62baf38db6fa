import {type RunRecord} from '../../journal/journal.ts';
import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {coalesceKey} from '../coalesce/coalesce-key.ts';
import {persistEvent} from './persist-event.ts';
import {type Outcome} from '../http/outcome.ts';
import {renderExtra, renderMarked} from '../template/template.ts';

/** Accepted means kept: event, delivery id and run, waiting or queued, are on the disk before the answer is known (docs/webhooks.md, Answers). */
export function queueRun(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	const {context, route, deliveryId, scope} = event;
	const {coalesce} = route;
	const windowKey = coalesce && coalesceKey(coalesce.key, scope, context.headers);
	const kind = windowKey === undefined ? 'accepted' : 'coalesced';
	const outcome: Outcome = {kind, route: route.name, event: context.event, deliveryId: deliveryId.id};
	const run = runOf(event, route.profile ?? options.profile);
	// The payload ends here: held while the disk is waited for, large ones would have to be collected late and dearly.
	return keep({context, route, deliveryId}, options, {outcome, run, windowKey});
}

async function keep(
	event: Omit<AcceptableEvent, 'scope'>,
	options: DispatchOptions,
	{
		outcome,
		run,
		windowKey,
	}: {readonly outcome: Outcome; readonly run: RunRecord; readonly windowKey: string | undefined},
): Promise<Outcome> {
	const {context, route} = event;
	const {coalesce} = route;
	const refusal = await persistEvent(event, options, {
		event: options.record(context, outcome),
		run,
		windowKey,
		queueLimit: options.queueLimit(),
	});
	if (refusal) {
		return refusal;
	}

	if (coalesce && windowKey !== undefined) {
		options.coalesced({route: route.name, key: windowKey}, coalesce);
	} else {
		options.wakeRuns();
	}

	return outcome;
}

/** The run is kept with its prompt, so the prompt is rendered before the answer: a run taken up after a restart needs no payload. */
function runOf({context, route, scope, deliveryId}: AcceptableEvent, profile: string): RunRecord {
	const prompt = renderMarked(route.prompt, scope);
	return {
		// One name for what is one thing; the journal finds the run where its event lies.
		id: context.id,
		eventId: context.id,
		profile,
		route: route.name,
		event: context.event,
		deliveryId: deliveryId.id,
		signature: context.trace.signature,
		prompt: prompt.text,
		foreign: prompt.foreign,
		deliver: route.deliver,
		deliverExtra: renderExtra(route.deliverExtra, scope),
		skills: route.skills,
		toolsets: route.toolsets,
		createdAt: context.arrivedAt,
	};
}
