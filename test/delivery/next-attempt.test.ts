import {describe, expect, test} from 'vitest';
import {nextAttemptAt, nextStep} from '../../source/delivery/next-attempt.ts';
import {type SendOutcome} from '../../source/delivery/send-outcome.ts';

const outcomes: {readonly [Kind in SendOutcome['kind']]: Extract<SendOutcome, {kind: Kind}>} = {
	sent: {kind: 'sent'},
	refused: {kind: 'refused', detail: 'no'},
	unavailable: {kind: 'unavailable', detail: 'refused'},
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
		{kind: 'unavailable', repeat: 'safe', step: stop},
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

describe('a message that certainly did not arrive', () => {
	const hour = 3_600_000;

	test('is sent again after 10 s, 1, 5, 15, 60 minutes, then each hour for a day', () => {
		const waits: number[] = [];
		let now = 0;
		for (let attempts = 1; ; attempts++) {
			const at = nextAttemptAt({attempts, firstAt: 0}, {now});
			if (at === undefined) {
				break;
			}

			waits.push((at - now) / 1000);
			now = at;
		}

		expect(waits.slice(0, 7)).toEqual([10, 60, 300, 900, 3600, 3600, 3600]);
		expect(now).toBeLessThanOrEqual(24 * hour);
		expect(now).toBeGreaterThan(23 * hour);
	});

	test.each([
		[5, 10_000],
		[120, 120_000],
	])('waits at least the %i s that the platform asks for', (askedSeconds, at) => {
		expect(nextAttemptAt({attempts: 1, firstAt: 0}, {now: 0, askedSeconds})).toBe(at);
	});

	test('is given up when the platform asks for more than what is left of the day', () => {
		const last = {attempts: 9, firstAt: 0};
		expect(nextAttemptAt(last, {now: 20 * hour, askedSeconds: 4 * 3600})).toBe(24 * hour);
		expect(nextAttemptAt(last, {now: 20 * hour, askedSeconds: 4 * 3600 + 1})).toBeUndefined();
	});
});
