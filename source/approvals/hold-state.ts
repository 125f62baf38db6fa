import {z} from 'zod';
import {type HeldState} from '../state/status-event.ts';
import {hashJson} from '../util/json-hash.ts';

/** A stored hold: its start in milliseconds since the epoch, its author and reason, and its gateway among those that share a journal. */
const storedHold = z.object({since: z.number(), by: z.string(), reason: z.string(), node: z.string().optional()});

/** The content of `hold.json`. */
export const holdFileSchema = z.object({held: storedHold.nullable()});

export type HoldFile = z.infer<typeof holdFileSchema>;

export type StoredHold = z.infer<typeof storedHold>;

/** The state of the hold of everything. */
export type HoldState =
	| {readonly kind: 'free'}
	| {readonly kind: 'held'; readonly hold: StoredHold}
	/** The release is being written; everything is held until it is on disk. */
	| {readonly kind: 'releasing'; readonly hold: StoredHold};

/** The events of a hold. */
export type HoldEvent =
	| {readonly kind: 'hold'; readonly hold: StoredHold}
	| {readonly kind: 'release'}
	/** Another process changed what is stored. */
	| {readonly kind: 'stored'; readonly hold: StoredHold | undefined}
	/** The release of this hold is on disk, or could not be written. */
	| {readonly kind: 'released' | 'not-released'; readonly hold: StoredHold};

/** The next state: the first hold remains until it is released, and one that comes during the release outlives it. */
export function nextHoldState(state: HoldState, event: HoldEvent): HoldState {
	switch (event.kind) {
		case 'hold':
			return state.kind === 'held' ? state : {kind: 'held', hold: event.hold};
		case 'stored':
			return storedState(state, event.hold);
		case 'release':
			return state.kind === 'held' ? {kind: 'releasing', hold: state.hold} : state;
		case 'released':
			return isReleasing(state, event.hold) ? {kind: 'free'} : state;
		case 'not-released':
			return isReleasing(state, event.hold) ? {kind: 'held', hold: event.hold} : state;
	}
}

/** The stored hold counts, but not while the end of a release is being written. */
function storedState(state: HoldState, hold: StoredHold | undefined): HoldState {
	if (state.kind === 'releasing' || isSameHold(state.kind === 'held' ? state.hold : undefined, hold)) {
		return state;
	}

	return hold ? {kind: 'held', hold} : {kind: 'free'};
}

/** True for the same hold, and for none twice. */
export function isSameHold(one: StoredHold | undefined, other: StoredHold | undefined): boolean {
	return (one && withHash(one).hash) === (other && withHash(other).hash);
}

function isReleasing(state: HoldState, hold: StoredHold): boolean {
	return state.kind === 'releasing' && state.hold === hold;
}

/** A hold with the hash by which it is released: a person who saw another one releases nothing. `own` is the gateway that shows it. */
export function withHash({since, by, reason, node}: StoredHold, own?: string): HeldState {
	const isElsewhere = node !== undefined && node !== own;
	const hash = hashJson({since, by, reason, ...(node !== undefined && {node})});
	return {since, by: isElsewhere ? `${by} on ${node}` : by, reason, hash};
}
