import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type Clock, untilAborted} from '../util/clock.ts';
import {type DeliverAnswer} from './deliver-answer.ts';
import {aborted, failed, type RunEnding} from './run-end.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';
import {createRunReport, type RunReport} from './run-report.ts';
import {nextRunState} from './run-state.ts';

/** Makes the function that carries a begun run to its end: model, delivery, state. It rejects with `storage_unavailable` only. */
export function createExecuteRun(options: {
	readonly journal: Pick<Journal, 'finishRun' | 'findConversation'>;
	readonly clock: Clock;
	readonly deliverAnswer: DeliverAnswer;
	readonly profileOf: ProfileOf;
}): (run: RunRecord, options: {readonly signal: AbortSignal}) => Promise<void> {
	const {journal, clock, deliverAnswer, profileOf} = options;

	const answerAndDeliver = async (run: RunRecord, signal: AbortSignal, report: RunReport): Promise<RunEnding> => {
		signal.throwIfAborted();
		const history = run.conversation === undefined ? undefined : journal.findConversation(run.conversation);
		const answering = profileOf(run.profile).agent.answer(run, {signal, history, tell: report.tell});
		const answer = await untilAborted(answering, signal);
		const delivery = await deliverAnswer(run, answer.text, {signal});
		switch (delivery.kind) {
			case 'delivered':
			case 'shown':
				return {step: 'finish', answer};
			case 'silent':
				return {step: 'finish', answer, reason: 'the model had nothing to deliver'};
			case 'failed':
				return signal.aborted
					? {...aborted(signal, 'the gateway stopped while the answer was delivered'), answer}
					: {step: 'fail', reason: delivery.reason, answer};
		}
	};

	return async (run, {signal}) => {
		const {publish} = profileOf(run.profile);
		publish(runAppeared(run, 'running', {startedAt: clock.now()}));
		const report = createRunReport(run, publish);
		const {step, reason, answer} = await answerAndDeliver(run, signal, report).catch((caught: unknown) =>
			signal.aborted ? aborted(signal, 'the gateway stopped') : failed(run.id, caught, publish),
		);
		const state = nextRunState('running', step);
		const result = {...report.result(), ...(answer && {answer: answer.text})};
		await journal.finishRun(run.id, {state, reason, result, conversation: answer?.conversation});
		publish(runChanged(run, state, {reason, ...result}));
	};
}
