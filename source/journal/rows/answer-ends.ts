import {type OutgoingMessageRow, type RunEnd} from './records.ts';
import {answerWaits, type OutgoingMessage, type OutgoingMessageState} from './message-records.ts';

/** A message of an answer that goes to several destinations, as its row has it. */
type AnswerPart = Pick<OutgoingMessageRow, 'target' | 'state'>;

/** Messages with one text, each with the ids of the others. */
export function withOthers(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
	const ids = messages.map(({id}) => id);
	return ids.length < 2 ? messages : messages.map(one => ({...one, others: ids.filter(id => id !== one.id)}));
}

/** The reason of a part whose row alone is known. */
const partReasons: Partial<Record<OutgoingMessageState, string>> = {
	failed: 'Delivery failed',
	outcome_uncertain: 'The delivery was not confirmed; it may have arrived',
	unreadable: 'its row cannot be read',
};

/**
The end of a run whose answer has several messages, by the end that one of them would give it alone and by the rows of the others; undefined while one of
those is still to be sent. It is failed when one failed; an inbox item of which something arrived is over.
*/
export function endOfParts(
	own: RunEnd,
	{
		target,
		others,
		of,
	}: {readonly target: string; readonly others: readonly AnswerPart[]; readonly of: 'run' | 'inbox item'},
): RunEnd | undefined {
	const isArrived = own.state === 'finished';
	if (!isArrived && own.state !== 'failed' && own.state !== 'inbox') {
		return own;
	}

	if (others.some(({state}) => state === 'pending' || state === 'sending')) {
		return undefined;
	}

	const failures = [
		...(isArrived ? [] : [`${target}: ${own.reason ?? ''}`]),
		...others.flatMap(other => {
			const reason = partReasons[other.state];
			return reason === undefined ? [] : [`${other.target}: ${reason}`];
		}),
	];
	const waiting = [
		...(isArrived && own.reason === answerWaits ? [target] : []),
		...others.filter(({state}) => state === 'retrying').map(part => part.target),
	];
	const arrived = [
		...(isArrived && own.reason !== answerWaits ? [target] : []),
		...others.filter(({state}) => state === 'sent').map(part => part.target),
	];
	if (failures.length === 0) {
		return waiting.length === 0 ? own : {...own, reason: answerWaits};
	}

	const isOver = of === 'inbox item' && arrived.length + waiting.length > 0;
	return {
		...own,
		state: of === 'run' ? 'failed' : isOver ? 'finished' : 'inbox',
		reason: partsText({failures, arrived, waiting}),
	};
}

/** `slack: Delivery failed; arrived: telegram`. */
export function partsText({
	failures,
	arrived,
	waiting,
}: {
	readonly failures: readonly string[];
	readonly arrived: readonly string[];
	readonly waiting: readonly string[];
}): string {
	return [
		...failures,
		...(arrived.length > 0 ? [`arrived: ${arrived.join(', ')}`] : []),
		...(waiting.length > 0 ? [`sent again: ${waiting.join(', ')}`] : []),
	].join('; ');
}
