import {describe, expect, test} from 'vitest';
import {type OutgoingMessageState} from '../../source/journal/journal.ts';
import {type MessageStep, nextMessageState} from '../../source/runs/message-state.ts';

const states: readonly OutgoingMessageState[] = ['pending', 'sending', 'sent', 'failed', 'outcome_uncertain'];
const steps: readonly MessageStep[] = ['confirm', 'fail', 'doubt', 'again', 'postpone'];

/** Every move there is; everything else stays where it is. */
const moves: Readonly<Record<string, OutgoingMessageState>> = {
	'pending again': 'sending',
	'sending confirm': 'sent',
	'sending fail': 'failed',
	'sending doubt': 'outcome_uncertain',
	'sending postpone': 'pending',
	'failed again': 'sending',
	'outcome_uncertain again': 'sending',
};

describe.each(states)('from %s', state => {
	test.each(steps)('by %s', step => {
		expect(nextMessageState(state, step)).toBe(moves[`${state} ${step}`] ?? state);
	});
});
