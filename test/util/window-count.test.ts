import {expect, test} from 'vitest';
import {createWindowCount} from '../../source/util/window-count.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

test('a window begins with the first amount and ends after its length', async () => {
	const clock = createFakeClock();
	const window = createWindowCount(clock, 1000);
	expect([window.count(), window.left()]).toEqual([0, 0]);
	await clock.advance(5000);
	expect([window.add(), window.left()]).toEqual([1, 1000]);
	await clock.advance(400);
	expect([window.add(3), window.count(), window.left()]).toEqual([4, 4, 600]);
	await clock.advance(599);
	expect([window.count(), window.left()]).toEqual([4, 1]);
	await clock.advance(1);
	expect([window.count(), window.left()]).toEqual([0, 0]);
	await clock.advance(300);
	expect([window.add(2), window.left()]).toEqual([2, 1000]);
});
