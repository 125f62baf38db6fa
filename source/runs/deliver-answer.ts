import {silentAnswer} from '../agent/run-task.ts';
import {type Deliver} from '../delivery/deliver.ts';
import {type RunRecord} from '../journal/journal.ts';

/** What became of an answer. `silent`: there was nothing to deliver; `shown`: it is for the window alone. */
export type AnswerDelivery =
	| {readonly kind: 'delivered' | 'silent' | 'shown'}
	| {readonly kind: 'failed'; readonly reason: string};

/** Delivers the answer to a run, a model's or a person's. Never rejects. */
export type DeliverAnswer = (
	run: RunRecord,
	text: string,
	options: {readonly signal: AbortSignal},
) => Promise<AnswerDelivery>;

/** Opens the way of answers to the targets of their runs. */
export function createDeliverAnswer(deliver: Deliver): DeliverAnswer {
	return async (run, text, {signal}) => {
		const {id: runId, eventId, profile, deliver: target, deliverExtra: extra, deliveryId, route} = run;
		if (target === '') {
			return {kind: 'shown'};
		}

		if (text.trim() === silentAnswer) {
			return {kind: 'silent'};
		}

		const result = await deliver({target, text, extra, deliveryId, route, profile, eventId, runId}, {signal});
		return result.kind === 'delivered' ? {kind: 'delivered'} : {kind: 'failed', reason: result.problem.message};
	};
}
