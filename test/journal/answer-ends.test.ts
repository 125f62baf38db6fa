import {describe, expect, test} from 'vitest';
import {endOfParts, withOthers} from '../../source/journal/rows/answer-ends.ts';
import {type RunEnd} from '../../source/journal/rows/records.ts';
import {answerWaits, type OutgoingMessageState} from '../../source/journal/rows/message-records.ts';
import {sampleMessage} from '../helpers/journal-records.ts';

const arrived: RunEnd = {state: 'finished', result: {answer: 'Yes'}};
const waits: RunEnd = {...arrived, reason: answerWaits};
const fails: RunEnd = {state: 'failed', reason: 'Delivery failed', result: {}};

function endWith(own: RunEnd, states: readonly OutgoingMessageState[], of: 'run' | 'inbox item' = 'run') {
	const others = states.map((state, index) => ({target: `t${index}`, state}));
	const end = endOfParts(own, {target: 'own', others, of});
	return end && [end.state, end.reason];
}

describe('the end of a run with several messages', () => {
	test.each<[RunEnd, readonly OutgoingMessageState[], unknown]>([
		[arrived, ['sent'], ['finished', undefined]],
		[arrived, ['pending'], undefined],
		[fails, ['sent', 'sending'], undefined],
		[arrived, ['retrying'], ['finished', answerWaits]],
		[waits, ['sent'], ['finished', answerWaits]],
		[arrived, ['failed'], ['failed', 't0: Delivery failed; arrived: own']],
		[arrived, ['unreadable'], ['failed', 't0: its row cannot be read; arrived: own']],
		[fails, ['sent', 'retrying'], ['failed', 'own: Delivery failed; arrived: t0; sent again: t1']],
		[{...arrived, state: 'cancelled'}, ['sending'], ['cancelled', undefined]],
		[{...arrived, state: 'interrupted'}, ['sent'], ['interrupted', undefined]],
	])('%j beside %j', (own, others, expected) => {
		expect(endWith(own, others)).toEqual(expected);
	});

	test.each<[RunEnd, readonly OutgoingMessageState[], unknown]>([
		[arrived, ['sent'], ['finished', undefined]],
		[{...fails, state: 'inbox'}, ['failed'], ['inbox', 'own: Delivery failed; t0: Delivery failed']],
		[{...fails, state: 'inbox'}, ['sent'], ['finished', 'own: Delivery failed; arrived: t0']],
		[fails, ['retrying'], ['finished', 'own: Delivery failed; sent again: t0']],
		[arrived, ['failed'], ['finished', 't0: Delivery failed; arrived: own']],
	])('as an inbox item: %j beside %j', (own, others, expected) => {
		expect(endWith(own, others, 'inbox item')).toEqual(expected);
	});
});

test('each of several messages has the ids of the others; a single one has none', () => {
	const [a, b, c] = [sampleMessage('a'), sampleMessage('b'), sampleMessage('c')];
	expect(withOthers([a, b, c]).map(({others}) => others)).toEqual([
		['b', 'c'],
		['a', 'c'],
		['a', 'b'],
	]);
	expect(withOthers([a])).toEqual([a]);
});
