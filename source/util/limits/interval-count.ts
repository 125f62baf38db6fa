import {type Clock} from '../clock.ts';

/** Counts in intervals of a fixed length. An interval begins with the first amount that is added after the former one ended. */
export type IntervalCount = {
	/** The amount in this interval; 0 where the last one has ended. */
	readonly count: () => number;
	/** Adds an amount and returns the new count. Default: 1. */
	readonly add: (amount?: number) => number;
	/** Milliseconds until this interval ends; 0 where the last one has ended. */
	readonly left: () => number;
};

/** Creates a counter at 0. */
export function createIntervalCount(clock: Pick<Clock, 'elapsed'>, milliseconds: number): IntervalCount {
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
