import {type Clock} from '../../source/util/clock.ts';

/** A clock that stands still until a test moves it. */
export type FakeClock = Clock & {
	/** Moves time on, runs what became due in order, and lets the promises behind each step settle. */
	readonly advance: (milliseconds: number) => Promise<void>;
	/** Lets waiting promises and `soon` callbacks run without moving time. */
	readonly settle: () => Promise<void>;
	/** The number of open timers: zero when everything was cleaned up. */
	readonly open: () => number;
};

/** Opens a clock at `start` milliseconds since the epoch. */
export function createFakeClock(start = 1_700_000_000_000): FakeClock {
	let now = start;
	let order = 0;
	const timers = new Map<number, {readonly at: number; readonly callback: () => void}>();

	const settle = async () => {
		for (let turn = 0; turn < 5; turn++) {
			await new Promise(resolve => setImmediate(resolve));
		}
	};

	const nextDue = (until: number) =>
		[...timers.entries()]
			.filter(([, timer]) => timer.at <= until)
			.sort(([firstOrder, first], [secondOrder, second]) => first.at - second.at || firstOrder - secondOrder)[0];

	return {
		now: () => now,
		elapsed: () => now - start,
		after(milliseconds, callback) {
			const id = order++;
			timers.set(id, {at: now + Math.max(0, milliseconds), callback});
			return {cancel: () => void timers.delete(id)};
		},
		soon: callback => void setImmediate(callback),
		async advance(milliseconds) {
			const until = now + milliseconds;
			await settle();
			for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
				const [id, timer] = due;
				timers.delete(id);
				now = Math.max(now, timer.at);
				timer.callback();
				await settle();
			}

			now = until;
			await settle();
		},
		settle,
		open: () => timers.size,
	};
}
