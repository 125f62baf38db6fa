import {type RunAnswer, silentAnswer} from '../agent/run-task.ts';
import {type Deliver} from '../delivery/deliver.ts';
import {type Journal, type RunEnd, type RunRecord} from '../journal/journal.ts';
import {type Clock, untilAborted} from '../util/clock.ts';
import {toProblem} from '../util/problem.ts';
import {reportProblem} from './report-problem.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';
import {cancelledByPerson} from './run-queue.ts';
import {createRunReport, type RunReport} from './run-report.ts';
import {nextRunState, type RunStep} from './run-state.ts';

/** How a begun run ends. */
type End = {readonly step: RunStep; readonly reason?: string; readonly answer?: RunAnswer};

/** Makes the function that carries a begun run to its end: model, delivery, state. It rejects with `storage_unavailable` only. */
export function createExecuteRun(options: {
	readonly journal: Pick<Journal, 'finishRun' | 'findConversation'>;
	readonly clock: Clock;
	readonly deliver: Deliver;
	readonly profileOf: ProfileOf;
}): (run: RunRecord, options: {readonly signal: AbortSignal}) => Promise<void> {
	const {journal, clock, deliver, profileOf} = options;

	const ask = async (run: RunRecord, signal: AbortSignal, report: RunReport): Promise<RunAnswer> => {
		signal.throwIfAborted();
		const history = run.conversation === undefined ? undefined : journal.findConversation(run.conversation);
		const answering = profileOf(run.profile).agent.answer(run, {signal, history, tell: report.tell});
		return untilAborted(answering, signal);
	};

	const deliverAnswer = async (run: RunRecord, answer: RunAnswer, signal: AbortSignal): Promise<End> => {
		if (run.deliver === '') {
			return {step: 'finish', answer};
		}

		if (answer.text.trim() === silentAnswer) {
			return {step: 'finish', answer, reason: 'the model had nothing to deliver'};
		}

		const {deliver: target, deliverExtra: extra, deliveryId, route} = run;
		const result = await deliver({target, text: answer.text, extra, deliveryId, route}, {signal});
		if (result.kind === 'delivered') {
			return {step: 'finish', answer};
		}

		return signal.aborted
			? {...aborted(signal, 'the gateway stopped while the answer was delivered'), answer}
			: {step: 'fail', reason: result.problem.message, answer};
	};

	const failed = (run: RunRecord, caught: unknown): End => {
		reportProblem(profileOf(run.profile).publish, caught, `run ${run.id}`);
		return {step: 'fail', reason: toProblem(caught).message};
	};

	return async (run, {signal}) => {
		const {publish} = profileOf(run.profile);
		publish(runAppeared(run, 'running', {startedAt: clock.now()}));
		const report = createRunReport(run, publish);
		const {step, reason, answer} = await ask(run, signal, report)
			.then(given => deliverAnswer(run, given, signal))
			.catch((caught: unknown) => (signal.aborted ? aborted(signal, 'the gateway stopped') : failed(run, caught)));
		const state = nextRunState('running', step);
		const result = {...report.result(), ...(answer && {answer: answer.text})};
		const end: RunEnd = {state, reason, result, conversation: answer?.conversation};
		await journal.finishRun(run.id, end);
		publish(runChanged(run, state, {reason, ...result}));
	};
}

/** The end of a run whose signal aborted: a person wanted it, or the gateway stops. */
function aborted(signal: AbortSignal, stopped: string): End {
	return signal.reason === cancelledByPerson
		? {step: 'cancel', reason: cancelledByPerson.message}
		: {step: 'interrupt', reason: stopped};
}
