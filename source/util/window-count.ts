import {type Clock} from './clock.ts';

/** Counts in windows of a fixed length. A window begins with the first amount that is added after the former one ended. */
export type WindowCount = {
	/** The amount in this window; 0 where the last one has ended. */
	readonly count: () => number;
	/** Adds an amount and returns the new count. Default: 1. */
	readonly add: (amount?: number) => number;
	/** Milliseconds until this window ends; 0 where the last one has ended. */
	readonly left: () => number;
};

/** Creates a counter at 0. */
export function createWindowCount(clock: Pick<Clock, 'elapsed'>, milliseconds: number): WindowCount {
	let endsAt = Number.NEGATIVE_INFINITY;
	let counted = 0;
	const left = () => Math.max(0, endsAt - clock.elapsed());
	const count = () => (left() > 0 ? counted : 0);
	return {
		count,
		add(amount = 1) {
			counted = count() + amount;
			endsAt = left() > 0 ? endsAt : clock.elapsed() + milliseconds;
			return counted;
		},
		left,
	};
}
