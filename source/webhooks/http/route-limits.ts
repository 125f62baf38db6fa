import {type Clock} from '../../util/clock.ts';
import {type Outcome} from './outcome.ts';

/** Bounds how much of one thing is under way at once, per route: bodies of senders that are not yet verified, scripts (docs/webhooks.md, Answers). */
export type RouteSlots = {
	/** Takes a slot; undefined when all are taken. The returned function releases it, once. */
	readonly take: (route: string) => (() => void) | undefined;
};

/** Creates `limit` free slots for each route. */
export function createRouteSlots(limit: number): RouteSlots {
	const taken = new Map<string, number>();
	const release = (route: string) => {
		const count = (taken.get(route) ?? 1) - 1;
		if (count === 0) {
			taken.delete(route);
		} else {
			taken.set(route, count);
		}
	};

	return {
		take(route) {
			const count = taken.get(route) ?? 0;
			if (count >= limit) {
				return undefined;
			}

			taken.set(route, count + 1);
			let isHeld = true;
			return () => {
				if (isHeld) {
					isHeld = false;
					release(route);
				}
			};
		},
	};
}

/** Counts requests per route in fixed windows of one minute (docs/webhooks.md, Limits). */
type RateLimit = {
	/** Counts one request; the refusal when `limit` were counted in this window. */
	readonly takeQuota: (route: string, limit: number) => Outcome | undefined;
};

const windowMilliseconds = 60_000;

/** Creates a limiter without history. Only names of known routes may be counted, or it would grow without bound. */
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
