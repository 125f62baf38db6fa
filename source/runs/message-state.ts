import {type DeliveryResult} from '../delivery/deliver.ts';
import {answerWaits, type OutgoingMessageState, type RunEnd} from '../journal/journal.ts';

/** The events of an answer. `again`: a person wants it sent once more, or it is time to; `postpone`: the gateway stops before it has arrived; `retry`: it certainly did not arrive. */
export type MessageStep = 'postpone' | 'confirm' | 'fail' | 'retry' | 'doubt' | 'again' | 'cancel';

const moves: {readonly [State in OutgoingMessageState]: Partial<Readonly<Record<MessageStep, OutgoingMessageState>>>} =
	{
		pending: {again: 'sending'},
		sending: {
			confirm: 'sent',
			fail: 'failed',
			retry: 'retrying',
			doubt: 'outcome_uncertain',
			postpone: 'pending',
		},
		retrying: {again: 'sending', cancel: 'failed'},
		sent: {},
		failed: {again: 'sending'},
		outcome_uncertain: {again: 'sending'},
		unreadable: {},
	};

/** The reasons of runs whose message arrived later than they wrote it. */
export const deliveredLater = {
	start: 'delivered after a restart',
	person: 'delivered again by a person',
	retry: 'delivered at a later attempt',
} as const;

/** The next state. An event without meaning in a state changes nothing: a sent answer stays sent. */
export function nextMessageState(state: OutgoingMessageState, step: MessageStep): OutgoingMessageState {
	return moves[state][step] ?? state;
}

/** The outcome for the run of a message that was sent after the run wrote it: `delivered` is the reason when it arrived. */
export function delayedRunEnd(text: string, result: DeliveryResult, delivered: string): RunEnd {
	switch (result.kind) {
		case 'delivered':
			return {state: 'finished', reason: delivered, result: {answer: text}};
		case 'retrying':
			return {state: 'finished', reason: answerWaits, result: {answer: text}};
		case 'failed':
		case 'uncertain':
			return {state: 'failed', reason: result.problem.message, result: {}};
	}
}
