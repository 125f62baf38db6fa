import {type Deliver, type Delivery, type DeliveryResult} from '../delivery/deliver.ts';
import {type AnswerEnd, type AnswerRecord, type AnswerState, type Journal} from '../journal/journal.ts';
import {toProblem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';
import {safeText} from '../util/safe-text.ts';
import {gatewayStopped} from './abort-reasons.ts';
import {type AnswerStep, nextAnswerState} from './answer-state.ts';

export {gatewayStopped};

/** Sends kept answers. */
export type SendAnswer = {
	/** Sends one and keeps what became of it; `begun` is its state meanwhile. One that is given up before it begins stays as it is, one of which nothing had arrived when the gateway stopped waits for the next start. */
	readonly send: (answer: AnswerRecord, begun: AnswerState, signal: AbortSignal) => Promise<DeliveryResult>;
	/** True while it is being sent, also before the journal says so: nothing is sent twice at once. */
	readonly isBusy: (answer: AnswerRecord) => boolean;
};

/** Opens the way from the journal to the delivery targets. */
export function createSendAnswer(options: {
	readonly journal: Pick<Journal, 'setAnswerState'>;
	readonly deliver: Deliver;
	readonly redact: (text: string) => string;
}): SendAnswer {
	const {journal, deliver, redact} = options;
	const busy = new Set<string>();
	return {
		isBusy: ({id}) => busy.has(id),
		async send(answer, begun, signal) {
			if (signal.aborted) {
				return {kind: 'failed', problem: toProblem(signal.reason, 'cancelled')};
			}

			busy.add(answer.id);
			try {
				await journal.setAnswerState(answer.id, begun);
				const result = await deliver({...answer, key: answer.id}, {signal});
				// Nothing of it has arrived: the next start sends it.
				const isPostponed = result.kind === 'failed' && signal.reason === gatewayStopped;
				const {state, detail} = isPostponed
					? {state: nextAnswerState('sending', 'postpone'), detail: undefined}
					: answerEnd(result);
				await journal.setAnswerState(answer.id, state, detail === undefined ? undefined : redact(detail));
				return result;
			} finally {
				busy.delete(answer.id);
			}
		},
	};
}

/** How a delivery that was begun is kept. The detail may still name secrets. */
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

/** A delivery as it is kept, under an id of its own. */
export function newAnswer({key: _key, eventId = '', ...delivery}: Delivery): AnswerRecord {
	return {...delivery, eventId, id: randomId()};
}
