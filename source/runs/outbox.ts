import {isSilentAnswer} from '../agent/run-task.ts';
import {type Deliver, type Delivery, deliveryNames, type DeliveryResult} from '../delivery/deliver.ts';
import {type AnswerEnd, type AnswerRecord, type AnswerRow, type AnswerState, type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {orderedId} from '../util/random-id.ts';
import {safeText} from '../util/safe-text.ts';
import {type AnswerStep, nextAnswerState} from './answer-state.ts';
import {gatewayStopped} from './run-problems.ts';

/** Messages for delivery, in the journal: nothing written is lost, and nothing is sent twice automatically (docs/webhooks.md, Accepted means kept). */
export type Outbox = {
	/** Writes an answer to the journal, then sends it once. An undelivered one stays there. */
	readonly deliver: Deliver;
	/** The answers of gateways that are gone: those that they began to send become uncertain, the others are this one's from now on, with those of its own that wait. Rejects with `storage_unavailable`. */
	readonly leftBehind: () => Promise<LeftAnswers>;
	/**
	Publishes the uncertain ones and sends those not begun, one after another; `settled` is called for each. While former ones are sent, the others are left
	to the next call, which finds them again. Rejects with `storage_unavailable`.
	*/
	readonly resume: (
		left: LeftAnswers,
		settled: (answer: AnswerRecord, result: DeliveryResult) => Promise<void>,
	) => Promise<void>;
	/** Resends what an event led to, because a person requested it. Rejects with `not_replayable` when nothing of it failed. */
	readonly sendAgain: (eventId: string) => Promise<DeliveryResult>;
	/** Aborts running deliveries. */
	readonly stop: () => Promise<void>;
};

/** Answers of gateways that are gone, oldest first. */
export type LeftAnswers = {readonly uncertain: readonly AnswerRecord[]; readonly pending: readonly AnswerRecord[]};

/** The part of the journal that the outbox uses. */
export type OutboxJournal = Pick<
	Journal,
	'persistAnswer' | 'beginAnswer' | 'finishAnswer' | 'doubtBegunAnswers' | 'takePendingAnswers' | 'listAnswers'
>;

const mostResumed = 1000;
const begunBefore = 'the gateway stopped while it was sent; it may have arrived';

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
	const sendPending = atOneTime(async (pending: readonly AnswerRecord[], settle: Parameters<Outbox['resume']>[1]) => {
		for (const answer of pending) {
			// After a stop it waits for another gateway, or for the next start.
			if (ending.signal.aborted) {
				break;
			}

			const result = await inFlight.track(send(answer, 'pending', ending.signal));
			// A person may have sent it meanwhile.
			if (!isTaken(result)) {
				await settle(answer, result);
			}
		}
	});

	return {
		async deliver(delivery, {signal}) {
			// The text of a route that delivers its prompt is the sender's, who silences nobody.
			if (delivery.runId !== undefined && isSilentAnswer(delivery.text)) {
				return {kind: 'delivered', target: delivery.target};
			}

			try {
				return await sendNew(newAnswer(delivery, clock.now()), signal);
			} catch (caught) {
				return {kind: 'failed', problem: toProblem(caught, 'storage_unavailable')};
			}
		},
		async leftBehind() {
			const uncertain = await journal.doubtBegunAnswers(begunBefore);
			return {uncertain, pending: await journal.takePendingAnswers(mostResumed)};
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
		async sendAgain(eventId) {
			const [newest] = await journal.listAnswers({eventId, limit: 1});
			const answer = sendable(newest, isBusy);
			const result = await inFlight.track(send(answer, answer.state, ending.signal));
			if (isTaken(result)) {
				throw result.problem;
			}

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
function createEach(settled: Parameters<Outbox['resume']>[1]) {
	const failures: unknown[] = [];
	return {
		async next(...one: Parameters<typeof settled>) {
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
function sendable(newest: AnswerRow | undefined, isBusy: (answer: AnswerRecord) => boolean): AnswerRow {
	if (newest && (newest.state === 'sending' || isBusy(newest))) {
		throw beingDelivered();
	}

	if (!newest || nextAnswerState(newest.state, 'again') === newest.state) {
		throw new Problem('not_replayable', {message: 'Nothing is left to deliver for this event'});
	}

	return newest;
}

function beingDelivered(): Problem {
	return new Problem('not_replayable', {message: 'It is being delivered'});
}

/** Whether somebody else was quicker with this answer. */
function isTaken(result: DeliveryResult): result is Extract<DeliveryResult, {readonly kind: 'failed'}> {
	return result.kind === 'failed' && result.problem.code === 'not_replayable';
}

function uncertainEvent(answer: AnswerRecord) {
	return {
		type: 'delivery.settled',
		...deliveryNames({...answer, key: answer.id}),
		outcome: 'outcome_uncertain',
		code: 'outcome_uncertain',
	} as const;
}

/**
Creates the function that sends an answer which is in the state `from`, and stores the outcome; it fails with `not_replayable` when the answer is in
that state no more, whichever gateway was quicker. An answer that is aborted before it was begun retains its state; one of which nothing had arrived
when the gateway stopped waits for another one, or for the next start. `isBusy` is true while an answer is being sent, even before the journal says so.
*/
function createSendAnswer(options: {
	readonly journal: Pick<Journal, 'persistAnswer' | 'beginAnswer' | 'finishAnswer'>;
	readonly deliver: Deliver;
	readonly redact: (text: string) => string;
}) {
	const {journal, deliver, redact} = options;
	const busy = new Set<string>();
	const isBusy = ({id}: AnswerRecord): boolean => busy.has(id);
	const begin = async (answer: AnswerRecord, from: AnswerState, signal: AbortSignal): Promise<DeliveryResult> => {
		if (signal.aborted) {
			return {kind: 'failed', problem: toProblem(signal.reason, 'cancelled')};
		}

		if (!(await journal.beginAnswer(answer.id, from))) {
			return {kind: 'failed', problem: beingDelivered()};
		}

		const result = await deliver({...answer, key: answer.id}, {signal});
		// Nothing of it has arrived: the next start sends it.
		const isPostponed = result.kind === 'failed' && signal.reason === gatewayStopped;
		const {state, detail} = isPostponed
			? {state: nextAnswerState('sending', 'postpone'), detail: undefined}
			: answerEnd(result);
		await journal.finishAnswer(answer.id, state, detail === undefined ? undefined : redact(detail));
		return result;
	};

	const alone = async (answer: AnswerRecord, work: () => Promise<DeliveryResult>): Promise<DeliveryResult> => {
		if (busy.has(answer.id)) {
			return {kind: 'failed', problem: beingDelivered()};
		}

		busy.add(answer.id);
		return work().finally(() => busy.delete(answer.id));
	};

	return {
		isBusy,
		send: (answer: AnswerRecord, from: AnswerState, signal: AbortSignal) =>
			alone(answer, () => begin(answer, from, signal)),
		/** Writes an answer and sends it; nobody else here sends it in between. */
		sendNew: (answer: AnswerRecord, signal: AbortSignal) =>
			alone(answer, async () => {
				await journal.persistAnswer(answer, 'pending');
				return begin(answer, 'pending', signal);
			}),
	};
}

/** The stored state of a begun delivery. The detail may still contain secrets. */
export function answerEnd(result: DeliveryResult): Pick<AnswerEnd, 'state' | 'detail'> {
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
		case 'uncertain':
			return 'doubt';
	}
}

/** The journal record of a delivery, with a new id. `now` is milliseconds since the epoch. */
function newAnswer({key: _key, eventId = '', ...delivery}: Delivery, now: number): AnswerRecord {
	return {...delivery, eventId, id: orderedId(now)};
}
