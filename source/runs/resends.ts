import {deliveryNames, type DeliveryResult} from '../delivery/deliver.ts';
import {type Journal, type OutgoingMessage, type OutgoingMessageRow, type StoredMessage} from '../journal/journal.ts';
import {callerTarget} from '../state/event-caller.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {Problem} from '../util/problem.ts';
import {deliveredLater, nextMessageState} from './message-state.ts';
import {createResendTimer} from './resend-timer.ts';
import {resultOfAll} from './delivery-results.ts';
import {reportProblem} from './run-problems.ts';
import {beingDelivered, type SendFrom} from './send-stored-message.ts';

/** Called for a message that was sent later than its run wrote it, once the journal says how it ended. */
export type Settled = (message: OutgoingMessage, result: DeliveryResult) => Promise<void>;

/** Messages that are sent again: when they are due, when a person wants so, and when settings have changed. */
export type Resends = {
	/** Resends what an event led to, because a person requested it. Rejects with `not_replayable` when nothing of it failed. */
	readonly sendAgain: (eventId: string) => Promise<DeliveryResult>;
	/** The same for one message. */
	readonly sendMessageAgain: (messageId: string) => Promise<DeliveryResult>;
	/** Sends what failed within a day because of settings that have changed now. Never rejects. */
	readonly sendAfterChange: (isChanged: (message: OutgoingMessage) => boolean) => Promise<void>;
	/** Ends a message that was to be sent again. Rejects with `not_replayable` when it is in another state. */
	readonly cancel: (messageId: string) => Promise<void>;
};

export type ResendsOptions = {
	readonly journal: Pick<Journal, 'takeDueMessages' | 'cancelMessage' | 'findMessage' | 'listMessages'>;
	readonly clock: Pick<Clock, 'now' | 'after'>;
	/** The publisher of a profile; without a name, of the first one. */
	readonly publishOf: (profile?: string) => Publish;
	readonly settled: Settled;
	readonly isBusy: (message: OutgoingMessage) => boolean;
	/** `delivered`: the reason of the run when the message arrives. */
	readonly send: (message: StoredMessage, from: SendFrom, delivered: string) => Promise<DeliveryResult>;
};

const maxFailed = 1000;
/** Messages of an event that are looked at; one event leads to fewer. */
export const maxOfEvent = 200;
/** Age of messages that a change of settings may still send. */
const changeMilliseconds = 24 * 3_600_000;
/** The reason of a message, and of its run, that a person did not want sent again. */
const cancelledMessage = 'cancelled by a person before it arrived';

/** Creates the resends; nothing is sent by the clock before `wake`. `noted` takes each result of a sending: a message that certainly did not arrive is due later. */
export function createResends(options: ResendsOptions): Resends & {
	readonly noted: (result: DeliveryResult) => DeliveryResult;
	readonly wake: () => void;
	readonly stop: () => void;
} {
	const {journal, clock, publishOf, settled, isBusy, send} = options;
	const {wake, stop} = createResendTimer({
		journal,
		clock,
		async send(message) {
			try {
				const result = await send(message, {state: 'retrying', when: 'due'}, deliveredLater.retry);
				await (isTaken(result) ? undefined : settled(message, result));
			} catch (caught) {
				reportProblem(publishOf(message.profile), caught, 'a message that is sent again');
			}
		},
	});
	const noted = (result: DeliveryResult): DeliveryResult => {
		if (result.kind === 'retrying') {
			wake();
		}

		return result;
	};

	const sendOnceMore = async (found: OutgoingMessageRow | undefined, delivered: string): Promise<DeliveryResult> => {
		const message = sendable(found, isBusy);
		const result = noted(await send(message, {state: message.state}, delivered));
		if (isTaken(result)) {
			throw result.problem;
		}

		await settled(message, result);
		return result;
	};

	return {
		noted,
		wake,
		stop,
		async sendAgain(eventId) {
			const {newest, again} = leftToSend(await journal.listMessages({eventId, limit: maxOfEvent}));
			if (again.length < 2) {
				return sendOnceMore(again[0] ?? newest, deliveredLater.person);
			}

			const results = await Promise.all(again.map(message => sendOnceMore(message, deliveredLater.person)));
			return resultOfAll(again, results);
		},
		sendMessageAgain: async messageId => sendOnceMore(await journal.findMessage(messageId), deliveredLater.person),
		async sendAfterChange(isChanged) {
			try {
				const failed = await journal.listMessages({states: ['failed'], limit: maxFailed});
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
	};
}

/** The newest message of an event, and those of its answer that certainly did not arrive; without one, those that may have. Those for the sender of the event count only where there are no others. */
function leftToSend(messages: readonly OutgoingMessageRow[]): {
	readonly newest: OutgoingMessageRow | undefined;
	readonly again: readonly OutgoingMessageRow[];
} {
	const others = messages.filter(({target}) => target !== callerTarget);
	const found = others.length > 0 ? others : messages;
	const [newest] = found;
	const ids = new Set([newest?.id, ...(newest?.others ?? [])]);
	const answer = found.filter(({id}) => ids.has(id));
	const certain = answer.filter(({state}) => state === 'failed' || state === 'retrying' || state === 'pending');
	return {
		newest,
		again: certain.length > 0 ? certain : answer.filter(({state}) => state === 'outcome_uncertain'),
	};
}

/** An answer that can be sent. Throws `not_replayable` for one that was delivered, or is being. */
function sendable(
	newest: OutgoingMessageRow | undefined,
	isBusy: (message: OutgoingMessage) => boolean,
): OutgoingMessageRow {
	if (newest && (newest.state === 'sending' || isBusy(newest))) {
		throw beingDelivered();
	}

	if (!newest || nextMessageState(newest.state, 'again') === newest.state) {
		throw new Problem('not_replayable', {message: 'No answer to this event is left to deliver'});
	}

	return newest;
}

/** True if somebody else was quicker with this answer. */
export function isTaken(result: DeliveryResult): result is Extract<DeliveryResult, {readonly kind: 'failed'}> {
	return result.kind === 'failed' && result.problem.code === 'not_replayable';
}

/** The end of a message that nobody was sending here. */
export function endedEvent(message: OutgoingMessage, outcome: 'outcome_uncertain' | 'failed', code: ProblemCode) {
	return {type: 'delivery.settled', ...deliveryNames({...message, key: message.id}), outcome, code} as const;
}
