import {type EventBus} from './event-bus.ts';
import {type GatewayEvent} from './event.ts';
import {reduceAll, replaceSnapshot, ringLimits} from './reduce.ts';
import {emptySnapshot, type Snapshot} from './snapshot.ts';

/** A snapshot whose events are gathered until somebody looks: many at once cost little more than one. */
export type GatheredSnapshot = {
	readonly push: (event: GatewayEvent) => void;
	/** Replaces all that was pushed before (`replaceSnapshot`). */
	readonly replace: (snapshot: Snapshot) => void;
	/** The same object until something changes. */
	readonly current: () => Snapshot;
};

/** Creates an empty snapshot that gathers at most `limit` events. */
export function createGatheredSnapshot(limit: number): GatheredSnapshot {
	let snapshot = emptySnapshot;
	let pending: GatewayEvent[] = [];
	const current = () => {
		snapshot = pending.length === 0 ? snapshot : reduceAll(snapshot, pending);
		pending = [];
		return snapshot;
	};

	return {
		push(event) {
			if (pending.push(event) >= limit) {
				current();
			}
		},
		replace(next) {
			snapshot = replaceSnapshot(current(), next);
		},
		current,
	};
}

/** The snapshot of a gateway, for consoles that come later. */
export type LiveSnapshot = Pick<GatheredSnapshot, 'current'> & {readonly close: () => void};

/** Follows the events from now on, of other gateways too. Nobody may ever ask: they are gathered until they would push each other out of the rings anyway. */
export function openLiveSnapshot({gatherAll}: Pick<EventBus, 'gatherAll'>): LiveSnapshot {
	const {push, current} = createGatheredSnapshot(ringLimits.events);
	return {current, close: gatherAll(push)};
}
