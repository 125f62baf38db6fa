import {isSilentAnswer} from '../agent/run-task.ts';
import {type Deliver, type Delivery, type DeliveryResult} from '../delivery/deliver.ts';
import {withOthers} from '../journal/rows/answer-ends.ts';
import {type FailureNotice, type OutgoingMessage, type Journal, type StoredMessage} from '../journal/journal.ts';
import {callerTarget} from '../state/event-caller.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {orderedId} from '../util/random-id.ts';
import {deliveredLater, delayedRunEnd} from './message-state.ts';
import {createResends, endedEvent, isTaken, type Resends, type ResendsOptions, type Settled} from './resends.ts';
import {gatewayStopped} from './run-problems.ts';
import {createSendStoredMessage, type DeliverStored} from './send-stored-message.ts';

/** Messages for delivery, in the journal: nothing written is lost, and nothing that may have arrived is sent again automatically (docs/journal.md, Accepted means kept). */
export type Outbox = Resends & {
	/** Writes an answer to the journal, then sends it; one that certainly did not arrive is sent again later. An undelivered one stays there, but for that of a cancelled run. */
	readonly deliver: DeliverStored;
	/** Sends a message that is in the journal and not begun. Fails with `not_replayable` when somebody else was quicker. */
	readonly sendPending: (message: StoredMessage) => Promise<DeliveryResult>;
	/** Writes messages about a failure, unless there was one for the same reason lately, and sends them. Rejects with `storage_unavailable`. */
	readonly notify: (notice: FailureNotice) => Promise<void>;
	/** The answers of gateways that are gone: those that they began to send become uncertain, the others are this one's from now on, with those of its own that wait. Rejects with `storage_unavailable`. */
	readonly leftBehind: () => Promise<LeftMessages>;
	/**
	Publishes the uncertain ones and sends those not begun, one after another; `settled` is called for each. While former ones are sent, the others are left
	to the next call, which finds them again. From then on, those that certainly did not arrive are sent again when they are due. Rejects with `storage_unavailable`.
	*/
	readonly resume: (left: LeftMessages, settled: Settled) => Promise<void>;
	/** Aborts running deliveries. */
	readonly stop: () => Promise<void>;
};

/** Answers of gateways that are gone, oldest first. */
export type LeftMessages = {
	readonly uncertain: readonly OutgoingMessage[];
	readonly pending: readonly StoredMessage[];
};

/** The part of the journal that the outbox uses. */
export type OutboxJournal = Pick<
	Journal,
	| 'persistMessages'
	| 'persistNotice'
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

	const {send, sendNew, isBusy} = createSendStoredMessage({journal, clock, deliver, redact});
	/** A run ends by what becomes of its targets, not of the sender of its event. */
	const delayed = ({text, target}: OutgoingMessage, delivered: string) => ({
		signal: ending.signal,
		endOf: (result: DeliveryResult) => (target === callerTarget ? undefined : delayedRunEnd(text, result, delivered)),
	});

	const sendLater: ResendsOptions['send'] = (message, from, delivered) =>
		inFlight.track(send(message, from, delayed(message, delivered)));
	const {noted, wake, stop, ...resends} = createResends({journal, clock, publishOf, settled, isBusy, send: sendLater});
	const sendAllPending = atOneTime(async (pending: readonly StoredMessage[], settle: Settled) => {
		for (const message of pending) {
			// After a stop it waits for another gateway, or for the next start.
			if (ending.signal.aborted) {
				break;
			}

			const result = noted(await sendLater(message, {state: 'pending'}, deliveredLater.start));
			// A person may have sent it meanwhile.
			if (!isTaken(result)) {
				await settle(message, result);
			}
		}
	});

	const sendNotice = async (notice: FailureNotice) => {
		const messages = await journal.persistNotice(notice);
		await Promise.all(messages.map(async message => noted(await sendLater(message, {state: 'pending'}, ''))));
	};

	return {
		...resends,
		sendPending: message => sendLater(message, {state: 'pending'}, deliveredLater.start),
		async deliver(deliveries, options) {
			// The text of a route that delivers its prompt is the sender's, who silences nobody.
			if (deliveries.some(({runId, text}) => runId !== undefined && isSilentAnswer(text))) {
				return deliveries.map(({target}) => ({kind: 'delivered', target}));
			}

			return (await sendNew(newMessages(deliveries, clock.now()), options)).map(noted);
		},
		notify: notice => inFlight.track(sendNotice(notice)),
		async leftBehind() {
			const uncertain = await journal.markInterruptedSendsUncertain(begunBefore);
			return {uncertain, pending: await journal.takePendingMessages(maxResumed)};
		},
		async resume({uncertain, pending}, ended) {
			wake();
			const settleAll = createEach(ended);
			for (const message of uncertain) {
				const problem = new Problem('outcome_uncertain', {message: begunBefore});
				publishOf(message.profile)(endedEvent(message, 'outcome_uncertain', 'outcome_uncertain'));
				await settleAll.next(message, {kind: 'uncertain', problem});
			}

			await sendAllPending(pending, (...end) => settleAll.next(...end));
			settleAll.end();
		},
		async stop() {
			stop();
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

/** The journal records of one text for several destinations, with new ids. `now` is milliseconds since the epoch. */
function newMessages(deliveries: readonly Delivery[], now: number): readonly OutgoingMessage[] {
	const messages = deliveries.map(({key: _key, eventId = '', ...delivery}) => ({
		...delivery,
		eventId,
		id: orderedId(now),
	}));
	return withOthers(messages);
}
