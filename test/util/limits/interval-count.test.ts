import {expect, test} from 'vitest';
import {createIntervalCount} from '../../../source/util/limits/interval-count.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

test('an interval begins with the first amount and ends after its length', async () => {
	const clock = createFakeClock();
	const counter = createIntervalCount(clock, 1000);
	expect([counter.count(), counter.left()]).toEqual([0, 0]);
	await clock.advance(5000);
	expect([counter.add(), counter.left()]).toEqual([1, 1000]);
	await clock.advance(400);
	expect([counter.add(3), counter.count(), counter.left()]).toEqual([4, 4, 600]);
	await clock.advance(599);
	expect([counter.count(), counter.left()]).toEqual([4, 1]);
	await clock.advance(1);
	expect([counter.count(), counter.left()]).toEqual([0, 0]);
	await clock.advance(300);
	expect([counter.add(2), counter.left()]).toEqual([2, 1000]);
});
