import {type Clock} from '../../util/clock.ts';
import {type Outcome} from './outcome.ts';

/** Limits how many of one kind are active at once, per route (docs/webhooks.md, Limits). */
export type RouteSlots = {
	/** Takes a slot; undefined when none is free. The returned function releases it, once. */
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

/** Limits how many bodies of unverified senders are read at once, per route, and refuses none: a newer one displaces the one without data for longest (docs/webhooks.md, Limits). */
export type BodySlots = {
	readonly limit: number;
	readonly take: (route: string) => BodySlot;
};

/** The slot of one body that is being read. */
export type BodySlot = {
	/** Aborts when a newer body takes the slot. */
	readonly signal: AbortSignal;
	/** Call it when data arrived. */
	readonly progress: () => void;
	readonly release: () => void;
};

/** Creates `limit` free slots for each route. */
export function createBodySlots(limit: number): BodySlots {
	/** Per route, the slot without progress for longest first. */
	const held = new Map<string, Set<AbortController>>();
	return {
		limit,
		take(route) {
			const slots = held.get(route) ?? new Set();
			const [longest] = slots;
			const slot = new AbortController();
			held.set(route, slots.add(slot));
			if (longest && slots.size > limit) {
				slots.delete(longest);
				longest.abort();
			}

			return {
				signal: slot.signal,
				progress() {
					if (slots.delete(slot)) {
						slots.add(slot);
					}
				},
				release() {
					slots.delete(slot);
					if (slots.size === 0) {
						held.delete(route);
					}
				},
			};
		},
	};
}

/** Counts requests per route in fixed windows of one minute (docs/webhooks.md, Limits). */
type RateLimit = {
	/** Counts one request; returns the refusal when the window already has `limit`. */
	readonly takeQuota: (route: string, limit: number) => Outcome | undefined;
};

/** How long the windows are in which requests are counted. */
export const quotaMilliseconds = 60_000;

/** Creates an empty limiter. Count only the names of known routes, or it would grow without bound. */
export function createRateLimit(clock: Clock): RateLimit {
	const windows = new Map<string, {readonly startedAt: number; count: number}>();
	return {
		takeQuota(route, limit) {
			const now = clock.elapsed();
			let window = windows.get(route);
			if (!window || now - window.startedAt >= quotaMilliseconds) {
				window = {startedAt: now, count: 0};
				windows.set(route, window);
			}

			if (window.count >= limit) {
				const remaining = window.startedAt + quotaMilliseconds - now;
				return {kind: 'rate-limited', retryAfterSeconds: Math.ceil(remaining / 1000)};
			}

			window.count++;
			return undefined;
		},
	};
}
