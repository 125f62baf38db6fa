import {expect, test} from 'vitest';
import {createPace} from '../../source/runs/pace.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

/** Lets one after the other through for as long as nobody has to wait; answers how many went. */
async function passFreely({
	pace,
	settle,
	most,
}: {
	pace: ReturnType<typeof createPace>;
	settle: () => Promise<void>;
	most: number;
}) {
	for (let passed = 0; passed < most; passed++) {
		let hasPassed = false;
		const pass = async () => {
			await pace.wait();
			hasPassed = true;
		};

		void pass();
		await settle();
		if (!hasPassed) {
			return passed;
		}

		pace.count(1);
	}

	return most;
}

test('after a rest a few go at once', async () => {
	const clock = createFakeClock();
	expect(await passFreely({pace: createPace(clock), settle: clock.settle, most: 100})).toBe(8);
});

test('in a steady stream one goes each moment, with all that came meanwhile', async () => {
	const clock = createFakeClock();
	const pace = createPace(clock);
	pace.count(100);
	const freely = [];
	for (let moment = 0; moment < 3; moment++) {
		await clock.advance(20);
		freely.push(await passFreely({pace, settle: clock.settle, most: 100}));
	}

	expect(freely).toEqual([1, 1, 1]);
});

test('a rest gives them back one by one', async () => {
	const clock = createFakeClock();
	const pace = createPace(clock);
	pace.count(8);
	await clock.advance(60);
	expect(await passFreely({pace, settle: clock.settle, most: 100})).toBe(3);
});

test('who waits goes when it ends', async () => {
	const clock = createFakeClock();
	const pace = createPace(clock);
	pace.count(8);
	const waiting = pace.wait();
	pace.end();
	await waiting;
	expect(clock.open()).toBe(0);
});
