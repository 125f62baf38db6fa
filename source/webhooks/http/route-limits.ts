import {type Clock} from '../../util/clock.ts';
import {createIntervalCount, type IntervalCount} from '../../util/limits/interval-count.ts';
import {type Outcome} from './outcome.ts';

/**
Limits how many bodies of unverified senders are open at once, per route (docs/webhooks.md, Limits). One that is read is never
refused: it displaces the oldest one that is only discarded, else the one without data for longest.
*/
export type BodySlots = {
	readonly limit: number;
	readonly take: (route: string) => BodySlot;
	/** Takes a slot for a refused body that is discarded; undefined when bodies that are read have all of them. */
	readonly takeDiscard: (route: string) => DiscardSlot | undefined;
};

/** The slot of one body that is being discarded. */
export type DiscardSlot = {
	/** Aborts when another body takes the slot. */
	readonly signal: AbortSignal;
	readonly release: () => void;
};

/** The slot of one body that is being read. */
export type BodySlot = DiscardSlot & {
	/** Call it when data arrived. */
	readonly progress: () => void;
};

/** Creates `limit` free slots for each route. */
export function createBodySlots(limit: number): BodySlots {
	/** Per route: bodies that are discarded, the oldest first, and bodies that are read, the one without progress for longest first. */
	type Held = Readonly<Record<'discarded' | 'read', Set<AbortController>>>;
	const held = new Map<string, Held>();
	const heldBy = (route: string): Held => held.get(route) ?? {discarded: new Set(), read: new Set()};
	const isFull = ({discarded, read}: Held) => discarded.size + read.size >= limit;

	const displace = ({discarded, read}: Held) => {
		const slots = discarded.size > 0 ? discarded : read;
		const [first] = slots;
		if (first) {
			slots.delete(first);
			first.abort();
		}
	};

	const enter = (route: string, slots: Held, kind: keyof Held) => {
		const slot = new AbortController();
		slots[kind].add(slot);
		held.set(route, slots);
		const release = () => {
			slots[kind].delete(slot);
			if (slots.discarded.size + slots.read.size === 0 && held.get(route) === slots) {
				held.delete(route);
			}
		};

		return {slot, release};
	};

	return {
		limit,
		take(route) {
			const slots = heldBy(route);
			if (isFull(slots)) {
				displace(slots);
			}

			const {slot, release} = enter(route, slots, 'read');
			return {
				signal: slot.signal,
				release,
				progress() {
					if (slots.read.delete(slot)) {
						slots.read.add(slot);
					}
				},
			};
		},
		takeDiscard(route) {
			const slots = heldBy(route);
			if (isFull(slots)) {
				if (slots.discarded.size === 0) {
					return undefined;
				}

				displace(slots);
			}

			const {slot, release} = enter(route, slots, 'discarded');
			return {signal: slot.signal, release};
		},
	};
}

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
