import {type Clock} from '../../util/clock.ts';
import {createIntervalCount, type IntervalCount} from '../../util/limits/interval-count.ts';
import {type Outcome} from './outcome.ts';

/** Counts requests per route in fixed windows of one minute (docs/webhooks.md, Limits). */
type RateLimit = {
	/** Counts one request; returns the refusal when the window already has `limit`. */
	readonly takeQuota: (route: string, limit: number) => Outcome | undefined;
};

/** The length of the intervals in which requests are counted. */
export const quotaMilliseconds = 60_000;

/** Creates an empty limiter. Count only the names of known routes, or it would grow without bound. */
export function createRateLimit(clock: Clock): RateLimit {
	const windows = new Map<string, IntervalCount>();
	return {
		takeQuota(route, limit) {
			const window = windows.get(route) ?? createIntervalCount(clock, quotaMilliseconds);
			windows.set(route, window);
			if (window.count() >= limit) {
				// A limit of 0 begins no interval.
				return {kind: 'rate-limited', retryAfterSeconds: Math.ceil((window.left() || quotaMilliseconds) / 1000)};
			}

			window.add();
			return undefined;
		},
	};
}
