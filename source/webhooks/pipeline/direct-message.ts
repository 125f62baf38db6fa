import {type DeliveryResult} from '../../delivery/deliver.ts';
import {type AnswerRecord} from '../../journal/journal.ts';
import {toProblem} from '../../util/problem.ts';
import {randomId} from '../../util/random-id.ts';
import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {renderExtra, renderPrompt} from '../template/template.ts';

/** The message of a `deliver_only` route, rendered. */
export function directMessage({context, route, scope, deliveryId}: AcceptableEvent): AnswerRecord {
	return {
		id: randomId(),
		eventId: context.id,
		profile: route.profile,
		target: route.deliver,
		text: renderPrompt(route.prompt, scope),
		extra: renderExtra(route.deliverExtra, scope),
		deliveryId: deliveryId.id,
		route: route.name,
	};
}

/** Sends it once, under its id. Never rejects. */
export async function sendDirectMessage(
	{id: key, ...delivery}: AnswerRecord,
	{deliver, signal, report}: DispatchOptions,
): Promise<DeliveryResult> {
	try {
		return await deliver({...delivery, key}, {signal});
	} catch (error) {
		report(error);
		return {kind: 'failed', problem: toProblem(error, 'delivery_failed')};
	}
}
