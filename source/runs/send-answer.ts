import {type Deliver, type Delivery, type DeliveryResult} from '../delivery/deliver.ts';
import {
	type OutgoingMessageEnd,
	type OutgoingMessage,
	type StoredMessage,
	type OutgoingMessageState,
	type Journal,
	type RunEnd,
} from '../journal/journal.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Clock} from '../util/clock.ts';
import {type AnswerStep, nextAnswerState} from './answer-state.ts';
import {beginAttempt} from './message-attempts.ts';
import {gatewayStopped} from './run-problems.ts';

/** Delivers; `endOf` says how the run of the message ends, which is written together with the end of the message. Never rejects. */
export type DeliverStored = (delivery: Delivery, options: SendOptions) => Promise<DeliveryResult>;

type SendOptions = {readonly signal: AbortSignal; readonly endOf?: EndOf};

/** The state that a message is sent from, and whether it must be due. */
export type SendFrom = {readonly state: OutgoingMessageState; readonly when?: 'due'};

/** The end of a run after this end of its message; an inbox item stays open unless it is `finished`. Undefined: its end is not written yet. */
type EndOf = (result: DeliveryResult) => RunEnd | undefined;

/**
Creates the function that sends an answer which is in the state `from`, and stores the outcome; it fails with `not_replayable` when the answer is in
that state no more, whichever gateway was quicker. When the gateway stops, an answer that was not begun, or of which nothing has arrived, waits for
another one, or for the next start; that of a run which was cancelled is not sent any more. `isBusy` is true while an answer is being sent, even before the journal says so.
*/
export function createSendAnswer(options: {
	readonly journal: Pick<Journal, 'persistMessage' | 'beginMessage' | 'recordProgress' | 'finishMessage' | 'finishRun'>;
	readonly clock: Pick<Clock, 'now'>;
	readonly deliver: Deliver;
	readonly redact: (text: string) => string;
}) {
	const {journal, clock, deliver, redact} = options;
	const busy = new Set<string>();
	const isBusy = ({id}: OutgoingMessage): boolean => busy.has(id);
	/** Written while nobody else here can send it: nothing is sent of a cancelled run. */
	const giveUp = async (answer: OutgoingMessage, {signal, endOf}: SendOptions): Promise<DeliveryResult> => {
		const result = {kind: 'failed', problem: toProblem(signal.reason, 'cancelled')} as const;
		const end = endOf?.(result);
		if (end?.state === 'cancelled' && answer.runId !== undefined) {
			await journal.finishRun(answer.runId, end);
		}

		return result;
	};

	const begin = async (
		answer: StoredMessage,
		{state: from, when}: SendFrom,
		{signal, endOf}: SendOptions,
	): Promise<DeliveryResult> => {
		if (signal.aborted) {
			return giveUp(answer, {signal, endOf});
		}

		if (!(await journal.beginMessage(answer.id, from, when))) {
			return {kind: 'failed', problem: beingDelivered()};
		}

		const attempt = beginAttempt(answer, {journal, clock, signal, isRetry: from === 'retrying'});
		const result = await deliver({...answer, key: answer.id}, {signal, stored: attempt.stored});
		// Nothing of it has arrived: the next start sends it.
		const isPostponed = result.kind === 'failed' && signal.reason === gatewayStopped;
		const {state, detail} = isPostponed
			? {state: nextAnswerState('sending', 'postpone'), detail: undefined}
			: answerEnd(result);
		const stored = detail === undefined ? undefined : redact(detail);
		const end = isPostponed ? {} : {run: runOf(answer, endOf?.(result)), attempts: attempt.end(result)};
		await journal.finishMessage(answer.id, state, stored, end);
		return result;
	};

	const alone = async (answer: OutgoingMessage, work: () => Promise<DeliveryResult>): Promise<DeliveryResult> => {
		if (busy.has(answer.id)) {
			return {kind: 'failed', problem: beingDelivered()};
		}

		busy.add(answer.id);
		return work().finally(() => busy.delete(answer.id));
	};

	return {
		isBusy,
		send: (answer: StoredMessage, from: SendFrom, options: SendOptions) =>
			alone(answer, () => begin(answer, from, options)),
		/** Writes an answer and sends it; nobody else here sends it in between. */
		sendNew: (answer: OutgoingMessage, options: SendOptions) =>
			alone(answer, async () => {
				await journal.persistMessage(answer, 'pending', undefined, options);
				return begin(answer, {state: 'pending'}, options);
			}),
	};
}

/** The stored state of a begun delivery. The detail may still contain secrets. */
export function answerEnd(result: DeliveryResult): Pick<OutgoingMessageEnd, 'state' | 'detail'> {
	const state = nextAnswerState('sending', stepOf(result));
	return result.kind === 'delivered'
		? {state}
		: {state, detail: safeText(result.problem.detail ?? result.problem.message)};
}

function stepOf(result: DeliveryResult): AnswerStep {
	switch (result.kind) {
		case 'delivered':
			return 'confirm';
		case 'failed':
			return 'fail';
		case 'retrying':
			return 'retry';
		case 'uncertain':
			return 'doubt';
	}
}

function runOf({runId}: OutgoingMessage, end: RunEnd | undefined): OutgoingMessageEnd['run'] {
	return end && runId !== undefined ? {...end, id: runId} : undefined;
}

/** The problem of an answer that somebody else is sending. */
export function beingDelivered(): Problem {
	return new Problem('not_replayable', {message: 'It is being delivered'});
}
