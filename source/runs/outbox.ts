import {isSilentAnswer} from '../agent/run-task.ts';
import {type Deliver, type Delivery, deliveryNames, type DeliveryResult} from '../delivery/deliver.ts';
import {type OutgoingMessage, type OutgoingMessageRow, type Journal, type StoredMessage} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {orderedId} from '../util/random-id.ts';
import {delayedRunEnd, nextAnswerState} from './answer-state.ts';
import {createResendTimer} from './resend-timer.ts';
import {gatewayStopped, reportProblem} from './run-problems.ts';
import {beingDelivered, createSendAnswer, type DeliverStored} from './send-answer.ts';

/** Called for a message that was sent later than its run wrote it, once the journal says how it ended. */
type Settled = (answer: OutgoingMessage, result: DeliveryResult) => Promise<void>;

/** Messages for delivery, in the journal: nothing written is lost, and nothing that may have arrived is sent again automatically (docs/journal.md, Accepted means kept). */
export type Outbox = {
	/** Writes an answer to the journal, then sends it; one that certainly did not arrive is sent again later. An undelivered one stays there, but for that of a cancelled run. */
	readonly deliver: DeliverStored;
	/** The answers of gateways that are gone: those that they began to send become uncertain, the others are this one's from now on, with those of its own that wait. Rejects with `storage_unavailable`. */
	readonly leftBehind: () => Promise<LeftAnswers>;
	/**
	Publishes the uncertain ones and sends those not begun, one after another; `settled` is called for each. While former ones are sent, the others are left
	to the next call, which finds them again. From then on, those that certainly did not arrive are sent again when they are due. Rejects with `storage_unavailable`.
	*/
	readonly resume: (left: LeftAnswers, settled: Settled) => Promise<void>;
	/** Resends what an event led to, because a person requested it. Rejects with `not_replayable` when nothing of it failed. */
	readonly sendAgain: (eventId: string) => Promise<DeliveryResult>;
	/** The same for one message. */
	readonly sendMessageAgain: (messageId: string) => Promise<DeliveryResult>;
	/** Sends what failed within a day because of settings that have changed now. Never rejects. */
	readonly sendAfterChange: (isChanged: (message: OutgoingMessage) => boolean) => Promise<void>;
	/** Ends a message that was to be sent again. Rejects with `not_replayable` when it is in another state. */
	readonly cancel: (messageId: string) => Promise<void>;
	/** Aborts running deliveries. */
	readonly stop: () => Promise<void>;
};

/** Answers of gateways that are gone, oldest first. */
export type LeftAnswers = {
	readonly uncertain: readonly OutgoingMessage[];
	readonly pending: readonly StoredMessage[];
};

/** The part of the journal that the outbox uses. */
export type OutboxJournal = Pick<
	Journal,
	| 'persistMessage'
	| 'beginMessage'
	| 'recordProgress'
	| 'cancelMessage'
	| 'takeDueMessages'
	| 'findMessage'
	| 'finishMessage'
	| 'finishRun'
	| 'markInterruptedSendsUncertain'
	| 'takePendingMessages'
	| 'listMessages'
>;

const maxResumed = 1000;
/** Age of messages that a change of settings may still send. */
const changeMilliseconds = 24 * 3_600_000;
/** The reasons of runs whose message arrived later than they wrote it. */
export const deliveredLater = {
	start: 'delivered after a restart',
	person: 'delivered again by a person',
	retry: 'delivered at a later attempt',
} as const;
/** The reason of a message, and of its run, that a person did not want sent again. */
export const cancelledMessage = 'cancelled by a person before it arrived';
const begunBefore = 'the gateway stopped while sending it; it may have arrived';

/** Creates the outbox of all served profiles. `redact` removes secrets from the stored reason of a failure. */
export function createOutbox(options: {
	readonly journal: OutboxJournal;
	readonly clock: Pick<Clock, 'now' | 'after'>;
	/** The publisher of a profile; without a name, of the first one. */
	readonly publishOf: (profile?: string) => Publish;
	readonly deliver: Deliver;
	readonly redact: (text: string) => string;
	/** Called for each message that is sent again, or cancelled. Default: nobody has to know. */
	readonly settled?: Settled;
}): Outbox {
	const {journal, clock, publishOf, deliver, redact, settled = async () => undefined} = options;
	const ending = new AbortController();
	const inFlight = createInFlight();

	const {send, sendNew, isBusy} = createSendAnswer({journal, clock, deliver, redact});
	const delayed = ({text}: OutgoingMessage, delivered: string) => ({
		signal: ending.signal,
		endOf: (result: DeliveryResult) => delayedRunEnd(text, result, delivered),
	});

	const resends = createResendTimer({
		journal,
		clock,
		async send(answer) {
			try {
				const from = {state: 'retrying', when: 'due'} as const;
				const result = await inFlight.track(send(answer, from, delayed(answer, deliveredLater.retry)));
				await (isTaken(result) ? undefined : settled(answer, result));
			} catch (caught) {
				reportProblem(publishOf(answer.profile), caught, 'a message that is sent again');
			}
		},
	});
	/** A message that certainly did not arrive is due later. */
	const noted = (result: DeliveryResult): DeliveryResult => {
		if (result.kind === 'retrying') {
			resends.wake();
		}

		return result;
	};

	const sendPending = atOneTime(async (pending: readonly StoredMessage[], settle: Settled) => {
		for (const answer of pending) {
			// After a stop it waits for another gateway, or for the next start.
			if (ending.signal.aborted) {
				break;
			}

			const options = delayed(answer, deliveredLater.start);
			const result = noted(await inFlight.track(send(answer, {state: 'pending'}, options)));
			// A person may have sent it meanwhile.
			if (!isTaken(result)) {
				await settle(answer, result);
			}
		}
	});

	const sendOnceMore = async (found: OutgoingMessageRow | undefined, delivered: string): Promise<DeliveryResult> => {
		const answer = sendable(found, isBusy);
		const options = delayed(answer, delivered);
		const result = noted(await inFlight.track(send(answer, {state: answer.state}, options)));
		if (isTaken(result)) {
			throw result.problem;
		}

		await settled(answer, result);
		return result;
	};

	return {
		async deliver(delivery, options) {
			// The text of a route that delivers its prompt is the sender's, who silences nobody.
			if (delivery.runId !== undefined && isSilentAnswer(delivery.text)) {
				return {kind: 'delivered', target: delivery.target};
			}

			try {
				return noted(await sendNew(newAnswer(delivery, clock.now()), options));
			} catch (caught) {
				return {kind: 'failed', problem: toProblem(caught, 'storage_unavailable')};
			}
		},
		async leftBehind() {
			const uncertain = await journal.markInterruptedSendsUncertain(begunBefore);
			return {uncertain, pending: await journal.takePendingMessages(maxResumed)};
		},
		async resume({uncertain, pending}, ended) {
			resends.wake();
			const settleAll = createEach(ended);
			for (const answer of uncertain) {
				const problem = new Problem('outcome_uncertain', {message: begunBefore});
				publishOf(answer.profile)(endedEvent(answer, 'outcome_uncertain', 'outcome_uncertain'));
				await settleAll.next(answer, {kind: 'uncertain', problem});
			}

			await sendPending(pending, (...end) => settleAll.next(...end));
			settleAll.end();
		},
		async sendAgain(eventId) {
			const [newest] = await journal.listMessages({eventId, limit: 1});
			return sendOnceMore(newest, deliveredLater.person);
		},
		sendMessageAgain: async messageId => sendOnceMore(await journal.findMessage(messageId), deliveredLater.person),
		async sendAfterChange(isChanged) {
			try {
				const failed = await journal.listMessages({states: ['failed'], limit: maxResumed});
				const since = clock.now() - changeMilliseconds;
				const isMeant = (message: OutgoingMessageRow) =>
					message.progress?.cause === 'settings' && message.changedAt > since && isChanged(message);
				for (const message of failed.filter(isMeant).toReversed()) {
					await sendOnceMore(message, deliveredLater.retry);
				}
			} catch (caught) {
				reportProblem(publishOf(), caught, 'messages that failed because of settings');
			}
		},
		async cancel(messageId) {
			const found = await journal.findMessage(messageId);
			if (!found || !(await journal.cancelMessage(messageId, cancelledMessage))) {
				throw new Problem('not_replayable', {message: 'No message with this id is to be sent again'});
			}

			publishOf(found.profile)(endedEvent(found, 'failed', 'cancelled'));
			await settled(found, {kind: 'failed', problem: new Problem('cancelled', {message: cancelledMessage})});
		},
		async stop() {
			resends.stop();
			ending.abort(gatewayStopped);
			await inFlight.whenEmpty();
		},
	};
}

/** The same work, which does nothing while it is under way. */
function atOneTime<Arguments extends readonly unknown[]>(
	work: (...args: Arguments) => Promise<void>,
): (...args: Arguments) => Promise<void> {
	let phase: 'idle' | 'working' = 'idle';
	return async (...args) => {
		if (phase === 'idle') {
			phase = 'working';
			await work(...args).finally(() => (phase = 'idle'));
		}
	};
}

/** Calls `settled` for one answer after another; what one rejects with, the others do not wait for, and `end` throws. */
function createEach(settled: Settled) {
	const failures: unknown[] = [];
	return {
		async next(...one: Parameters<Settled>) {
			await settled(...one).catch((caught: unknown) => failures.push(caught));
		},
		end() {
			if (failures.length > 0) {
				throw toProblem(failures[0]);
			}
		},
	};
}

/** An answer that can be sent. Throws `not_replayable` for one that was delivered, or is being. */
function sendable(
	newest: OutgoingMessageRow | undefined,
	isBusy: (answer: OutgoingMessage) => boolean,
): OutgoingMessageRow {
	if (newest && (newest.state === 'sending' || isBusy(newest))) {
		throw beingDelivered();
	}

	if (!newest || nextAnswerState(newest.state, 'again') === newest.state) {
		throw new Problem('not_replayable', {message: 'No answer to this event is left to deliver'});
	}

	return newest;
}

/** True if somebody else was quicker with this answer. */
function isTaken(result: DeliveryResult): result is Extract<DeliveryResult, {readonly kind: 'failed'}> {
	return result.kind === 'failed' && result.problem.code === 'not_replayable';
}

function endedEvent(answer: OutgoingMessage, outcome: 'outcome_uncertain' | 'failed', code: ProblemCode) {
	return {type: 'delivery.settled', ...deliveryNames({...answer, key: answer.id}), outcome, code} as const;
}

/** The journal record of a delivery, with a new id. `now` is milliseconds since the epoch. */
function newAnswer({key: _key, eventId = '', ...delivery}: Delivery, now: number): OutgoingMessage {
	return {...delivery, eventId, id: orderedId(now)};
}
