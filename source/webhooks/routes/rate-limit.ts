import {type Clock} from '../../util/clock.ts';
import {type Outcome} from '../http/outcome.ts';

/** Counts requests per route in fixed windows of one minute (docs/webhooks.md, Limits). */
export type RateLimit = {
	/** Counts one request; the refusal when `limit` were counted in this window. */
	readonly takeQuota: (route: string, limit: number) => Outcome | undefined;
};

const windowMilliseconds = 60_000;

/** Opens a limiter without history. Only names of known routes may be counted, or it would grow without bound. */
export function createRateLimit(clock: Clock): RateLimit {
	const windows = new Map<string, {readonly startedAt: number; count: number}>();
	return {
		takeQuota(route, limit) {
			const now = clock.elapsed();
			let window = windows.get(route);
			if (!window || now - window.startedAt >= windowMilliseconds) {
				window = {startedAt: now, count: 0};
				windows.set(route, window);
			}

			if (window.count >= limit) {
				const remaining = window.startedAt + windowMilliseconds - now;
				return {kind: 'rate-limited', retryAfterSeconds: Math.ceil(remaining / 1000)};
			}

			window.count++;
			return undefined;
		},
	};
}
