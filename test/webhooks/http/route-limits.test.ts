import {expect, test} from 'vitest';
import {createRateLimit} from '../../../source/webhooks/http/route-limits.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

test('the window is fixed: its end brings the whole quota back', async () => {
	const clock = createFakeClock();
	const {takeQuota} = createRateLimit(clock);
	expect(takeQuota('r', 2)).toBeUndefined();
	await clock.advance(59_500);
	expect(takeQuota('r', 2)).toBeUndefined();
	expect(takeQuota('r', 2)).toEqual({kind: 'rate-limited', retryAfterSeconds: 1});
	await clock.advance(500);
	expect([takeQuota('r', 2), takeQuota('r', 2)]).toEqual([undefined, undefined]);
	expect(takeQuota('r', 2)).toEqual({kind: 'rate-limited', retryAfterSeconds: 60});
});

test('each route has its own quota', () => {
	const {takeQuota} = createRateLimit(createFakeClock());
	expect(takeQuota('first', 1)).toBeUndefined();
	expect(takeQuota('second', 1)).toBeUndefined();
	expect(takeQuota('first', 1)).toBeDefined();
});
