import {type Deliver, type Delivery, type DeliveryResult} from '../delivery/deliver.ts';
import {type AnswerRecord, type AnswerState, type Journal} from '../journal/journal.ts';
import {toProblem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';
import {safeText} from '../util/safe-text.ts';
import {type AnswerStep, nextAnswerState} from './answer-state.ts';

/** Sends kept answers. */
export type SendAnswer = {
	/** Sends one and keeps what became of it; `begun` is its state meanwhile. One that is given up before it begins stays as it is. */
	readonly send: (answer: AnswerRecord, begun: AnswerState, signal: AbortSignal) => Promise<DeliveryResult>;
	/** True while it is being sent, also before the journal says so: nothing is sent twice at once. */
	readonly isBusy: (answer: AnswerRecord) => boolean;
	/** How a delivery is kept, secrets masked. */
	readonly endOf: (result: DeliveryResult) => {readonly state: AnswerState; readonly detail?: string};
};

/** Opens the way from the journal to the door of the targets. */
export function createSendAnswer(options: {
	readonly journal: Pick<Journal, 'setAnswerState'>;
	readonly deliver: Deliver;
	readonly clean: (text: string) => string;
}): SendAnswer {
	const {journal, deliver, clean} = options;
	const busy = new Set<string>();
	const endOf: SendAnswer['endOf'] = result => ({
		state: nextAnswerState('sending', stepOf(result)),
		...(result.kind !== 'delivered' && {detail: clean(safeText(result.problem.detail ?? result.problem.message))}),
	});
	return {
		endOf,
		isBusy: ({id}) => busy.has(id),
		async send(answer, begun, signal) {
			if (signal.aborted) {
				return {kind: 'failed', problem: toProblem(signal.reason, 'cancelled')};
			}

			busy.add(answer.id);
			try {
				await journal.setAnswerState(answer.id, begun);
				const result = await deliver({...answer, key: answer.id}, {signal});
				const {state, detail} = endOf(result);
				await journal.setAnswerState(answer.id, state, detail);
				return result;
			} finally {
				busy.delete(answer.id);
			}
		},
	};
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
