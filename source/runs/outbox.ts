import {isSilentAnswer} from '../agent/run-task.ts';
import {type Deliver, type Delivery, deliveryNames, type DeliveryResult} from '../delivery/deliver.ts';
import {type OutgoingMessage, type OutgoingMessageRow, type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {orderedId} from '../util/random-id.ts';
import {delayedRunEnd, nextAnswerState} from './answer-state.ts';
import {gatewayStopped} from './run-problems.ts';
import {beingDelivered, createSendAnswer, type DeliverStored} from './send-answer.ts';

/** Called for a message that was sent later than its run wrote it, once the journal says how it ended. */
type Settled = (answer: OutgoingMessage, result: DeliveryResult) => Promise<void>;

/** Messages for delivery, in the journal: nothing written is lost, and nothing is sent twice automatically (docs/journal.md, Accepted means kept). */
export type Outbox = {
	/** Writes an answer to the journal, then sends it once. An undelivered one stays there, but for that of a cancelled run. */
	readonly deliver: DeliverStored;
	/** The answers of gateways that are gone: those that they began to send become uncertain, the others are this one's from now on, with those of its own that wait. Rejects with `storage_unavailable`. */
	readonly leftBehind: () => Promise<LeftAnswers>;
	/**
	Publishes the uncertain ones and sends those not begun, one after another; `settled` is called for each. While former ones are sent, the others are left
	to the next call, which finds them again. Rejects with `storage_unavailable`.
	*/
	readonly resume: (left: LeftAnswers, settled: Settled) => Promise<void>;
	/** Resends what an event led to, because a person requested it. Rejects with `not_replayable` when nothing of it failed. */
	readonly sendAgain: (eventId: string, settled?: Settled) => Promise<DeliveryResult>;
	/** Aborts running deliveries. */
	readonly stop: () => Promise<void>;
};

/** Answers of gateways that are gone, oldest first. */
export type LeftAnswers = {
	readonly uncertain: readonly OutgoingMessage[];
	readonly pending: readonly OutgoingMessage[];
};

/** The part of the journal that the outbox uses. */
export type OutboxJournal = Pick<
	Journal,
	| 'persistMessage'
	| 'beginMessage'
	| 'finishMessage'
	| 'finishRun'
	| 'markInterruptedSendsUncertain'
	| 'takePendingMessages'
	| 'listMessages'
>;

const maxResumed = 1000;
/** The reasons of runs whose message arrived later than they wrote it. */
export const deliveredLater = {start: 'delivered after a restart', person: 'delivered again by a person'} as const;
const begunBefore = 'the gateway stopped while sending it; it may have arrived';

/** Creates the outbox of all served profiles. `redact` removes secrets from the stored reason of a failure. */
export function createOutbox(options: {
	readonly journal: OutboxJournal;
	readonly clock: Pick<Clock, 'now'>;
	/** The publisher of a profile; without a name, of the first one. */
	readonly publishOf: (profile?: string) => Publish;
	readonly deliver: Deliver;
	readonly redact: (text: string) => string;
}): Outbox {
	const {journal, clock, publishOf, deliver, redact} = options;
	const ending = new AbortController();
	const inFlight = createInFlight();

	const {send, sendNew, isBusy} = createSendAnswer({journal, deliver, redact});
	const delayed = ({text}: OutgoingMessage, delivered: string) => ({
		signal: ending.signal,
		endOf: (result: DeliveryResult) => delayedRunEnd(text, result, delivered),
	});

	const sendPending = atOneTime(async (pending: readonly OutgoingMessage[], settle: Settled) => {
		for (const answer of pending) {
			// After a stop it waits for another gateway, or for the next start.
			if (ending.signal.aborted) {
				break;
			}

			const result = await inFlight.track(send(answer, 'pending', delayed(answer, deliveredLater.start)));
			// A person may have sent it meanwhile.
			if (!isTaken(result)) {
				await settle(answer, result);
			}
		}
	});

	return {
		async deliver(delivery, options) {
			// The text of a route that delivers its prompt is the sender's, who silences nobody.
			if (delivery.runId !== undefined && isSilentAnswer(delivery.text)) {
				return {kind: 'delivered', target: delivery.target};
			}

			try {
				return await sendNew(newAnswer(delivery, clock.now()), options);
			} catch (caught) {
				return {kind: 'failed', problem: toProblem(caught, 'storage_unavailable')};
			}
		},
		async leftBehind() {
			const uncertain = await journal.markInterruptedSendsUncertain(begunBefore);
			return {uncertain, pending: await journal.takePendingMessages(maxResumed)};
		},
		async resume({uncertain, pending}, settled) {
			const settleAll = createEach(settled);
			for (const answer of uncertain) {
				const problem = new Problem('outcome_uncertain', {message: begunBefore});
				publishOf(answer.profile)(uncertainEvent(answer));
				await settleAll.next(answer, {kind: 'uncertain', problem});
			}

			await sendPending(pending, (...end) => settleAll.next(...end));
			settleAll.end();
		},
		async sendAgain(eventId, settled = async () => undefined) {
			const [newest] = await journal.listMessages({eventId, limit: 1});
			const answer = sendable(newest, isBusy);
			const result = await inFlight.track(send(answer, answer.state, delayed(answer, deliveredLater.person)));
			if (isTaken(result)) {
				throw result.problem;
			}

			await settled(answer, result);
			return result;
		},
		async stop() {
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

function uncertainEvent(answer: OutgoingMessage) {
	return {
		type: 'delivery.settled',
		...deliveryNames({...answer, key: answer.id}),
		outcome: 'outcome_uncertain',
		code: 'outcome_uncertain',
	} as const;
}

/** The journal record of a delivery, with a new id. `now` is milliseconds since the epoch. */
function newAnswer({key: _key, eventId = '', ...delivery}: Delivery, now: number): OutgoingMessage {
	return {...delivery, eventId, id: orderedId(now)};
}
