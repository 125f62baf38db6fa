import {describe, expect, test} from 'vitest';
import {nextStep} from '../../source/delivery/next-attempt.ts';
import {type SendOutcome} from '../../source/delivery/send-outcome.ts';

const outcomes: {readonly [Kind in SendOutcome['kind']]: Extract<SendOutcome, {kind: Kind}>} = {
	sent: {kind: 'sent'},
	refused: {kind: 'refused', detail: 'no'},
	'rate-limited': {kind: 'rate-limited', waitSeconds: 5, detail: 'slow'},
	'stale-token': {kind: 'stale-token', detail: 'old'},
	unknown: {kind: 'unknown', detail: 'lost'},
};
const stop = {kind: 'stop'};
const again = (waitSeconds: number) => ({kind: 'again', waitSeconds});
const fresh = new Set<SendOutcome['kind']>();

describe('the first time', () => {
	test.each([
		{kind: 'sent', repeat: 'safe', step: stop},
		{kind: 'refused', repeat: 'safe', step: stop},
		{kind: 'rate-limited', repeat: 'safe', step: again(5)},
		{kind: 'rate-limited', repeat: 'unsafe', step: again(5)},
		{kind: 'stale-token', repeat: 'unsafe', step: again(0)},
		{kind: 'unknown', repeat: 'safe', step: again(0)},
		{kind: 'unknown', repeat: 'unsafe', step: stop},
	] as const)('$kind where repeating is $repeat', ({kind, repeat, step}) => {
		expect(nextStep(outcomes[kind], {tried: fresh, repeat, remainingSeconds: 20})).toEqual(step);
	});
});

test.each(Object.values(outcomes))('$kind is the end the second time', outcome => {
	expect(nextStep(outcome, {tried: new Set([outcome.kind]), repeat: 'safe', remainingSeconds: 20})).toEqual(stop);
});

test.each(['rate-limited', 'unknown'] as const)('%s is the end when no time is left', kind => {
	expect(nextStep(outcomes[kind], {tried: fresh, repeat: 'safe', remainingSeconds: 0})).toEqual(stop);
});

test('a wait that does not fit is not begun', () => {
	expect(nextStep(outcomes['rate-limited'], {tried: fresh, repeat: 'safe', remainingSeconds: 5})).toEqual(stop);
});
