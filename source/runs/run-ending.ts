import {type RunReply, type RunSlot} from '../agent/run-task.ts';
import {WithheldRun} from '../agent/spending.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {answerWaits} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {toProblem} from '../util/problem.ts';
import {type AnswerDelivery} from './run-answers.ts';
import {cancelledByPerson, reportProblem} from './run-problems.ts';
import {type RunTransition} from './run-state.ts';

/** The progress of a run: taken from the queue, or its model was asked. Only a model calls tools. */
export type RunStage = 'taken' | 'asked';

export type WorkOptions = {
	readonly signal: AbortSignal;
	readonly slot: RunSlot;
	/** Called when the run asks its model: from then on a stop gives it time. */
	readonly onAsked: () => void;
};

/** The result of the work on a run: it is over, queued again, or queued until no limit of the day withholds it. */
export type WorkEnd = 'over' | 'requeued' | 'withheld';

/** The end of a begun run with its reply, if any, or that it is requeued. */
export type RunEnding = {readonly step: RunTransition; readonly reason?: string; readonly reply?: RunReply};

/** The number of times that a run is taken if it fails through no fault of its own; the queue pauses for some seconds in between. */
export const maxTries = 20;

/** Faults inside Sluice or of its machine. */
const ownCodes: ReadonlySet<ProblemCode> = new Set(['internal', 'storage_unavailable', 'too_many_open_files']);

/** The end of a run whose signal aborted: a person cancelled it, or the gateway stops; then `stopped` is the reason (docs/journal.md, Accepted means kept). */
export function endingOfAbort(
	signal: AbortSignal,
	{stage, stopped}: {readonly stage: RunStage; readonly stopped: string},
): RunEnding {
	if (signal.reason === cancelledByPerson) {
		return {step: 'cancel', reason: cancelledByPerson.message};
	}

	return stage === 'taken'
		? {step: 'requeue', reason: `${stopped} before the run started`}
		: {step: 'interrupt', reason: stopped};
}

/** The end of a run whose answer was delivered, or should have been. */
export function endingOfDelivery(
	delivery: AnswerDelivery,
	{signal, stage}: {readonly signal: AbortSignal; readonly stage: RunStage},
): RunEnding {
	switch (delivery.kind) {
		case 'delivered':
		case 'shown':
			return {step: 'finish'};
		case 'retrying':
			return {step: 'finish', reason: answerWaits};
		case 'silent':
			return {step: 'finish', reason: 'the model had nothing to deliver'};
		case 'failed':
		case 'uncertain':
			if (signal.aborted) {
				return endingOfAbort(signal, {stage, stopped: 'the gateway stopped while the answer was delivered'});
			}

			return {
				step: delivery.kind === 'failed' && delivery.code === 'storage_unavailable' ? 'interrupt' : 'fail',
				reason: delivery.reason,
			};
	}
}

/**
The end of a run that failed. It is requeued when the fault was ours and its model was not asked: without a free file descriptor the request may not
have been sent although the run was about to ask. It is withheld when a limit of the day kept its first request from being sent. A run that began and
cannot go on without the journal is interrupted. `tries` includes this attempt.
*/
export function endingOfFailure(
	caught: unknown,
	{stage, tries}: {readonly stage: RunStage; readonly tries: number},
): RunEnding & {readonly step: 'requeue' | 'withhold' | 'fail' | 'interrupt'} {
	const {code, message} = toProblem(caught);
	if (caught instanceof WithheldRun) {
		return {step: 'withhold', reason: message};
	}

	if (stage === 'asked' && code === 'storage_unavailable') {
		return {step: 'interrupt', reason: message};
	}

	const isOwn = stage === 'taken' ? ownCodes.has(code) : code === 'too_many_open_files';
	const reason = isOwn && tries >= maxTries ? `${message}, ${tries} times` : message;
	return {step: isOwn && tries < maxTries ? 'requeue' : 'fail', reason};
}

/** The same, with its details only in the log. */
export function reportedFailure(
	runId: string,
	caught: unknown,
	{publish, ...facts}: Parameters<typeof endingOfFailure>[1] & {readonly publish: Publish},
): ReturnType<typeof endingOfFailure> {
	// Its limit is reported, once for all runs behind it.
	if (!(caught instanceof WithheldRun)) {
		reportProblem(publish, caught, `run ${runId}`);
	}

	return endingOfFailure(caught, facts);
}
