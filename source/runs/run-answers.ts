import {silentAnswer} from '../agent/run-task.ts';
import {type Deliver} from '../delivery/deliver.ts';
import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type LeftAnswers, type Outbox} from './outbox.ts';
import {runChanged} from './run-event.ts';
import {reportProblem} from './run-problems.ts';
import {nextRunState} from './run-state.ts';

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

const delivered = 'delivered after a restart';

/** After a start: sends the undelivered answers of an earlier process, and ends their runs. Never rejects. */
export async function resumeAnswers(
	left: LeftAnswers,
	options: {
		readonly outbox: Pick<Outbox, 'resume'>;
		readonly journal: Pick<Journal, 'findRun' | 'setRunState' | 'finishRun'>;
		/** The publisher of a profile; without a name, of the first one. */
		readonly publishOf: (profile?: string) => Publish;
	},
): Promise<void> {
	const {outbox, journal, publishOf} = options;
	const closeItem = async (run: RunRow, answer: string) => {
		const end = {state: nextRunState(run.state, 'close'), reason: delivered, result: {answer}};
		// Another gateway may have decided about it meanwhile.
		if (await journal.finishRun(run.id, end)) {
			publishOf(run.profile)(runChanged(run, end.state, {reason: delivered, answer}));
		}
	};

	try {
		await outbox.resume(left, async ({runId, text}, result) => {
			const run = runId === undefined ? undefined : await journal.findRun(runId);
			// Changes only runs that the stop interrupted, and closes inbox items whose answer arrived; any other end stays.
			if (run?.state === 'interrupted') {
				const state = result.kind === 'delivered' ? 'finished' : 'failed';
				const reason = result.kind === 'delivered' ? delivered : result.problem.message;
				await journal.setRunState(run.id, state, reason);
				publishOf(run.profile)(runChanged(run, state, {reason}));
			} else if (run?.state === 'inbox' && result.kind === 'delivered') {
				await closeItem(run, text);
			}
		});
	} catch (caught) {
		reportProblem(publishOf(), caught, 'answers of the last start');
	}
}
