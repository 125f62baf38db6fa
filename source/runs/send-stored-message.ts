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
import {type MessageStep, nextMessageState} from './message-state.ts';
import {beginAttempt} from './message-attempts.ts';
import {gatewayStopped} from './run-problems.ts';

/** Delivers one text to all its destinations; `endOf` says how the run ends by the end of each message, which is written together with that. Never rejects. */
export type DeliverStored = (
	deliveries: readonly Delivery[],
	options: SendOptions,
) => Promise<readonly DeliveryResult[]>;

type SendOptions = {readonly signal: AbortSignal; readonly endOf?: EndOf};

/** The state that a message is sent from, and whether it must be due. */
export type SendFrom = {readonly state: OutgoingMessageState; readonly when?: 'due'};

/** The end of a run after this end of its message; an inbox item stays open unless it is `finished`. Undefined: its end is not written yet. */
type EndOf = (result: DeliveryResult) => RunEnd | undefined;

/**
Creates the function that sends an answer which is in the state `from`, and stores the outcome; it fails with `not_replayable` when the answer is in
that state no more, whichever gateway was quicker. When the gateway stops, an message that was not begun, or of which nothing has arrived, waits for
another one, or for the next start; that of a run which was cancelled is not sent any more. `isBusy` is true while an message is being sent, even before the journal says so.
*/
export function createSendStoredMessage(options: {
	readonly journal: Pick<
		Journal,
		'persistMessages' | 'beginMessage' | 'recordProgress' | 'finishMessage' | 'finishRun'
	>;
	readonly clock: Pick<Clock, 'now'>;
	readonly deliver: Deliver;
	readonly redact: (text: string) => string;
}) {
	const {journal, clock, deliver, redact} = options;
	const busy = new Set<string>();
	const isBusy = ({id}: OutgoingMessage): boolean => busy.has(id);
	/** Written while nobody else here can send it: nothing is sent of a cancelled run. */
	const giveUp = async (message: OutgoingMessage, {signal, endOf}: SendOptions): Promise<DeliveryResult> => {
		const result = {kind: 'failed', problem: toProblem(signal.reason, 'cancelled')} as const;
		const end = endOf?.(result);
		if (end?.state === 'cancelled' && message.runId !== undefined) {
			await journal.finishRun(message.runId, end);
		}

		return result;
	};

	const begin = async (
		message: StoredMessage,
		{state: from, when}: SendFrom,
		{signal, endOf}: SendOptions,
	): Promise<DeliveryResult> => {
		if (signal.aborted) {
			return giveUp(message, {signal, endOf});
		}

		if (!(await journal.beginMessage(message.id, from, when))) {
			return {kind: 'failed', problem: beingDelivered()};
		}

		const attempt = beginAttempt(message, {journal, clock, signal, isRetry: from === 'retrying'});
		const result = await deliver({...message, key: message.id}, {signal, stored: attempt.stored});
		// Nothing of it has arrived: the next start sends it.
		const isPostponed = result.kind === 'failed' && signal.reason === gatewayStopped;
		const {state, detail} = isPostponed
			? {state: nextMessageState('sending', 'postpone'), detail: undefined}
			: messageEnd(result);
		const stored = detail === undefined ? undefined : redact(detail);
		const end = isPostponed ? {} : {run: runOf(message, endOf?.(result)), attempts: attempt.end(result)};
		await journal.finishMessage(message.id, state, stored, end);
		return result;
	};

	const alone = async (message: OutgoingMessage, work: () => Promise<DeliveryResult>): Promise<DeliveryResult> => {
		if (busy.has(message.id)) {
			return {kind: 'failed', problem: beingDelivered()};
		}

		busy.add(message.id);
		return work().finally(() => busy.delete(message.id));
	};

	const sendNew = async (
		messages: readonly OutgoingMessage[],
		options: SendOptions,
	): Promise<readonly DeliveryResult[]> => {
		messages.forEach(({id}) => busy.add(id));
		const written = journal.persistMessages(messages, 'pending', undefined, options);
		const beginOne = (message: OutgoingMessage) =>
			written
				.then(() => begin(message, {state: 'pending'}, options))
				.catch(toFailure)
				.finally(() => busy.delete(message.id));
		return Promise.all(messages.map(beginOne));
	};

	return {
		isBusy,
		send: (message: StoredMessage, from: SendFrom, options: SendOptions) =>
			alone(message, () => begin(message, from, options)),
		/** Writes the messages of an answer together and then sends them side by side; nobody else here sends them in between. */
		sendNew,
	};
}

/** The journal could not be written: nothing is known of the message but what is on disk. */
function toFailure(caught: unknown): Extract<DeliveryResult, {kind: 'failed'}> {
	return {kind: 'failed', problem: toProblem(caught, 'storage_unavailable')};
}

/** The stored state of a begun delivery. The detail may still contain secrets. */
export function messageEnd(result: DeliveryResult): Pick<OutgoingMessageEnd, 'state' | 'detail'> {
	const state = nextMessageState('sending', stepOf(result));
	return result.kind === 'delivered'
		? {state}
		: {state, detail: safeText(result.problem.detail ?? result.problem.message)};
}

function stepOf(result: DeliveryResult): MessageStep {
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

function runOf({runId, target, others}: OutgoingMessage, end: RunEnd | undefined): OutgoingMessageEnd['run'] {
	return end && runId !== undefined ? {...end, id: runId, ...(others && {part: {target, others}})} : undefined;
}

/** The problem of an answer that somebody else is sending. */
export function beingDelivered(): Problem {
	return new Problem('not_replayable', {message: 'It is being delivered'});
}
