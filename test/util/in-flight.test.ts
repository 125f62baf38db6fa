import {expect, test} from 'vitest';
import {createInFlight} from '../../source/util/in-flight.ts';

test('work counts until it has settled, and settles as it would alone', async () => {
	const inFlight = createInFlight();
	const [done, failed] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
	const tracked = [inFlight.track(done.promise), inFlight.track(failed.promise)];
	expect(inFlight.count()).toBe(2);
	done.resolve('done');
	failed.reject(new Error('failed'));
	await expect(tracked[0]).resolves.toBe('done');
	await expect(tracked[1]).rejects.toThrow('failed');
	expect(inFlight.count()).toBe(0);
});

test('waiting ends at once when nothing is under way', async () => {
	const inFlight = createInFlight();
	await inFlight.whenEmpty();
	await inFlight.whenSettled();
});

test('waiting until it is empty includes work that began meanwhile, waiting until it has settled does not', async () => {
	const inFlight = createInFlight();
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const ended: string[] = [];
	const startSecond = () => void inFlight.track(second.promise);
	void inFlight.track(first.promise.then(startSecond));
	const settled = inFlight.whenSettled().then(() => ended.push('settled'));
	const empty = inFlight.whenEmpty().then(() => ended.push('empty'));
	first.resolve();
	await settled;
	expect(ended).toEqual(['settled']);
	second.resolve();
	await empty;
	expect(ended).toEqual(['settled', 'empty']);
});

test('failed work ends the waiting as done work does', async () => {
	const inFlight = createInFlight();
	const tracked = inFlight.track(Promise.reject(new Error('failed')));
	tracked.catch(() => undefined);
	await inFlight.whenEmpty();
	expect(inFlight.count()).toBe(0);
});

test('waiting ends when its signal aborts', async () => {
	const inFlight = createInFlight();
	const never = new Promise<void>(() => {});
	void inFlight.track(never);
	const controller = new AbortController();
	const waiting = inFlight.whenEmpty(controller.signal);
	controller.abort();
	await waiting;
	await inFlight.whenEmpty(controller.signal);
	expect(inFlight.count()).toBe(1);
});
