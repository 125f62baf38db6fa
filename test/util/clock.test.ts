import {describe, expect, test} from 'vitest';
import {openDeadline, sleep, systemClock, untilAborted} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

const reason = new Error('given up');

describe('sleep', () => {
	test('wakes when the time has passed and not before', async () => {
		const clock = createFakeClock();
		let state = 'asleep';
		const sleeping = sleep(clock, 1000).then(() => (state = 'awake'));
		await clock.advance(999);
		expect(state).toBe('asleep');
		await clock.advance(1);
		await sleeping;
		expect(state).toBe('awake');
	});

	test('rejects with the reason of an abort and leaves no timer', async () => {
		const clock = createFakeClock();
		const controller = new AbortController();
		const sleeping = sleep(clock, 1000, controller.signal);
		controller.abort(reason);
		await expect(sleeping).rejects.toBe(reason);
		expect(clock.open()).toBe(0);
	});

	test('does not begin when the signal is aborted already', async () => {
		const clock = createFakeClock();
		await expect(sleep(clock, 1000, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(clock.open()).toBe(0);
	});
});

describe('a deadline', () => {
	test('aborts with its own reason when the time is up', async () => {
		const clock = createFakeClock();
		const deadline = openDeadline(clock, 500, {reason: () => reason});
		await clock.advance(499);
		expect(deadline.signal.aborted).toBe(false);
		await clock.advance(1);
		expect(deadline.signal.reason).toBe(reason);
	});

	test("aborts with the parent's reason when that comes first", () => {
		const parent = new AbortController();
		const deadline = openDeadline(createFakeClock(), 500, {signal: parent.signal, reason: () => reason});
		const earlier = new Error('the caller went away');
		parent.abort(earlier);
		expect(deadline.signal.reason).toBe(earlier);
	});

	test('never aborts once it is cancelled', async () => {
		const clock = createFakeClock();
		const deadline = openDeadline(clock, 500, {reason: () => reason});
		deadline.cancel();
		await clock.advance(1000);
		expect(deadline.signal.aborted).toBe(false);
		expect(clock.open()).toBe(0);
	});
});

describe('untilAborted', () => {
	const never = new Promise<string>(() => {});

	test('answers what the work answers', async () => {
		expect(await untilAborted(Promise.resolve('done'), neverAborted())).toBe('done');
	});

	test('rejects as the work rejects', async () => {
		await expect(untilAborted(Promise.reject(reason), neverAborted())).rejects.toBe(reason);
	});

	test('does not wait for work that ignores the abort', async () => {
		const controller = new AbortController();
		const waiting = untilAborted(never, controller.signal);
		controller.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});

	test('rejects at once when the signal is aborted already', async () => {
		await expect(untilAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
	});
});

describe('the clock of the machine', () => {
	test('runs a callback after the delay, and never one that was cancelled', async () => {
		const ran: string[] = [];
		systemClock.after(0, () => ran.push('cancelled')).cancel();
		await new Promise<void>(resolve => systemClock.after(1, resolve));
		expect(ran).toEqual([]);
	});

	test('does not fire at once for a delay longer than timers can take', async () => {
		let state = 'waiting';
		const timer = systemClock.after(2 ** 40, () => (state = 'fired'));
		// A wait that the system cuts short would be over at once.
		await new Promise<void>(resolve => systemClock.after(20, resolve));
		timer.cancel();
		expect(state).toBe('waiting');
	});

	test('runs `soon` after promises that are settled already', async () => {
		const order: string[] = [];
		const soon = new Promise<void>(resolve =>
			systemClock.soon(() => {
				order.push('soon');
				resolve();
			}),
		);
		await Promise.resolve().then(() => order.push('promise'));
		await soon;
		expect(order).toEqual(['promise', 'soon']);
	});
});
