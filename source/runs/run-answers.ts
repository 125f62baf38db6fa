import {silentAnswer} from '../agent/run-task.ts';
import {type Deliver} from '../delivery/deliver.ts';
import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type LeftAnswers, type Outbox} from './outbox.ts';
import {runChanged} from './run-event.ts';
import {reportProblem} from './run-problems.ts';

/** The outcome of delivering a run's answer. `silent`: there was nothing to deliver; `shown`: it goes only to the dashboard. */
type AnswerDelivery =
	| {readonly kind: 'delivered' | 'silent' | 'shown'}
	| {readonly kind: 'failed'; readonly reason: string};

/** Delivers the answer to a run, a model's or a person's. Never rejects. */
export type DeliverAnswer = (
	run: RunRecord,
	text: string,
	options: {readonly signal: AbortSignal},
) => Promise<AnswerDelivery>;

/** Creates the function that delivers answers to the targets of their runs. */
export function createDeliverAnswer(deliver: Deliver): DeliverAnswer {
	return async (run, text, {signal}) => {
		const {id: runId, eventId, profile, deliver: target, deliverExtra: extra, deliveryId, route, job} = run;
		if (target === '') {
			return {kind: 'shown'};
		}

		if (text.trim() === silentAnswer) {
			return {kind: 'silent'};
		}

		const result = await deliver(
			{target, text, extra, deliveryId, route, ...(job !== undefined && {job}), profile, eventId, runId},
			{signal},
		);
		return result.kind === 'delivered' ? {kind: 'delivered'} : {kind: 'failed', reason: result.problem.message};
	};
}

/** After a start: sends the undelivered answers of an earlier process, and ends their runs. Never rejects. */
export async function resumeAnswers(
	left: LeftAnswers,
	options: {
		readonly outbox: Pick<Outbox, 'resume'>;
		readonly journal: Pick<Journal, 'findRun' | 'setRunState'>;
		/** The publisher of a profile; without a name, of the first one. */
		readonly publishOf: (profile?: string) => Publish;
	},
): Promise<void> {
	const {outbox, journal, publishOf} = options;
	try {
		await outbox.resume(left, async ({runId}, result) => {
			const run = runId === undefined ? undefined : await journal.findRun(runId);
			// Changes only runs that the stop interrupted, and closes inbox items whose answer arrived; any other end stays.
			if (run?.state !== 'interrupted' && !(run?.state === 'inbox' && result.kind === 'delivered')) {
				return;
			}

			const state = result.kind === 'delivered' ? 'finished' : 'failed';
			const reason = result.kind === 'delivered' ? 'delivered after a restart' : result.problem.message;
			await journal.setRunState(run.id, state, reason);
			publishOf(run.profile)(runChanged(run, state, {reason}));
		});
	} catch (caught) {
		reportProblem(publishOf(), caught, 'answers of the last start');
	}
}
