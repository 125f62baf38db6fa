import {expect, test} from 'vitest';
import {createTokenBucket} from '../../source/runs/token-bucket.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

/** Lets one after the other through for as long as nobody has to wait; answers how many went. */
async function passFreely({
	bucket,
	settle,
	most,
}: {
	bucket: ReturnType<typeof createTokenBucket>;
	settle: () => Promise<void>;
	most: number;
}) {
	for (let taken = 0; taken < most; taken++) {
		let hasPassed = false;
		const pass = async () => {
			await bucket.wait();
			hasPassed = true;
		};

		void pass();
		await settle();
		if (!hasPassed) {
			return taken;
		}

		bucket.count(1);
	}

	return most;
}

test('after a rest a few go at once', async () => {
	const clock = createFakeClock();
	expect(await passFreely({bucket: createTokenBucket(clock), settle: clock.settle, most: 100})).toBe(8);
});

test('in a steady stream one goes each moment, with all that came meanwhile', async () => {
	const clock = createFakeClock();
	const bucket = createTokenBucket(clock);
	bucket.count(100);
	const freely = [];
	for (let moment = 0; moment < 3; moment++) {
		await clock.advance(20);
		freely.push(await passFreely({bucket, settle: clock.settle, most: 100}));
	}

	expect(freely).toEqual([1, 1, 1]);
});

test('a rest gives them back one by one', async () => {
	const clock = createFakeClock();
	const bucket = createTokenBucket(clock);
	bucket.count(8);
	await clock.advance(60);
	expect(await passFreely({bucket, settle: clock.settle, most: 100})).toBe(3);
});

test('who waits goes when it ends', async () => {
	const clock = createFakeClock();
	const bucket = createTokenBucket(clock);
	bucket.count(8);
	const waiting = bucket.wait();
	bucket.end();
	await waiting;
	expect(clock.open()).toBe(0);
});
