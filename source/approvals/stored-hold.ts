import {type HeldState} from '../state/status-event.ts';
import {type Clock} from '../util/clock.ts';
import {errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {
	type HoldFile,
	type HoldEvent,
	type HoldState,
	isSameHold,
	nextHoldState,
	type StoredHold,
	withHash,
} from './hold-state.ts';

/** The file behind a hold. */
export type HoldStore = {
	/** Throws when the file cannot be read. */
	readonly read: () => HoldFile;
	/** Rejects when the file cannot be changed. The same content, unchanged, writes nothing. */
	readonly update: (change: (file: HoldFile) => HoldFile, clock: Clock) => Promise<void>;
};

type StoredHoldOptions = {
	readonly clock: Clock;
	/** One of each profile, which may run alone before or later. */
	readonly stores: readonly HoldStore[];
	/** The name of this gateway among those that share the stores; undefined: it shares them with none. */
	readonly node: () => string | undefined;
	/** Called in the moment in which a hold begins or ends here, before it is on disk, and at first with what is stored. */
	readonly onChange: (state: 'held' | 'free') => void;
	/** Called with each hold once it is on disk, or could not be written. */
	readonly onHeld: (held: HeldState, problem?: string) => void;
	/** Called with who released it, once that is on disk. */
	readonly onReleased: (by: string) => void;
};

/** The state of a hold and its file. */
export type HoldControl = {
	/** Undefined while nothing is held. */
	readonly current: () => HeldState | undefined;
	/** Holds at once; an earlier hold remains. Resolves with the stored hold; rejects when it cannot be written, and holds all the same. */
	readonly hold: (asked: {readonly by: string; readonly reason: string}) => Promise<{
		readonly answer: 'held' | 'already-held';
		readonly held: HeldState;
	}>;
	/** Releases the hold of this hash, once that is on disk. Rejects when it cannot be written, and holds on. */
	readonly release: (asked: {
		readonly by: string;
		readonly hash: string;
	}) => Promise<'released' | 'not-held' | 'changed'>;
	/** Takes over what another process stored. A hold of this one that could not be written holds on. */
	readonly refresh: () => void;
};

/** Opens what is stored. A file that cannot be read holds everything (docs/approvals.md, Hold). */
export function createStoredHold(options: StoredHoldOptions): HoldControl {
	const {clock, stores, node, onChange, onHeld, onReleased} = options;
	const shown = (hold: StoredHold) => withHash(hold, node());
	const stored = readHold(stores, clock);
	let state: HoldState = stored ? {kind: 'held', hold: stored} : {kind: 'free'};
	onChange(state.kind);
	let written: Promise<void> = Promise.resolve();
	const step = (event: HoldEvent) => {
		const before = state;
		state = nextHoldState(state, event);
		if ((before.kind === 'free') !== (state.kind === 'free')) {
			onChange(state.kind === 'free' ? 'free' : 'held');
		}

		return before !== state;
	};

	const refresh = () => {
		const stored = readHold(stores, clock);
		const hold = writes.standing(stored);
		const before = state;
		if (step({kind: 'stored', hold})) {
			if (hold) {
				onHeld(shown(hold));
			} else {
				// One that could not be read is nobody's.
				onReleased(before.kind === 'held' && before.hold.by === unreadableBy ? unreadableBy : 'another gateway');
			}

			return 'changed';
		}

		return 'same';
	};

	const writes = createHoldWrites(options, {step, refresh});
	return {
		refresh: () => void refresh(),
		current: () => (state.kind === 'free' ? undefined : shown(state.hold)),
		async hold({by, reason}) {
			const hold = safeHold({since: clock.now(), by, reason, node: node()});
			// A hold here may have been released elsewhere: only the stores know.
			written = step({kind: 'hold', hold})
				? writes.hold(hold)
				: written.catch(() => undefined).then(() => writes.holdOn(hold));
			await written;
			return state.kind === 'free' || isSameHold(state.hold, hold)
				? {answer: 'held', held: shown(hold)}
				: {answer: 'already-held', held: shown(state.hold)};
		},
		async release({by, hash}) {
			if (state.kind === 'free') {
				return 'not-held';
			}

			if (state.kind === 'releasing' || shown(state.hold).hash !== hash) {
				return 'changed';
			}

			const {hold} = state;
			step({kind: 'release'});
			if ((await writes.release(hold)) === 'changed') {
				return 'changed';
			}

			onReleased(by);
			return 'released';
		},
	};
}

/** Writes what was decided here. */
function createHoldWrites(
	{clock, stores, node, onHeld}: Omit<StoredHoldOptions, 'onReleased' | 'onChange'>,
	{step, refresh}: {readonly step: (event: HoldEvent) => boolean; readonly refresh: () => 'changed' | 'same'},
) {
	const shown = (hold: StoredHold) => withHash(hold, node());
	/** A hold that only this process knows: its write is under way, or failed. */
	let unwritten: StoredHold | undefined;
	const standing = (stored: StoredHold | undefined): StoredHold | undefined => {
		if (stored && stored.by !== unreadableBy) {
			unwritten = undefined;
		}

		return stored ?? unwritten;
	};

	const write = async (hold: StoredHold, writing: () => Promise<void>): Promise<void> => {
		unwritten = hold;
		try {
			await writing();
		} catch (caught) {
			unwritten = hold;
			onHeld(shown(hold), errorText(caught));
			throw caught;
		}

		unwritten = unwritten === hold ? undefined : unwritten;
		// Whatever was taken over meanwhile, what is stored now counts.
		if (refresh() === 'same' && isSameHold(readHold(stores, clock), hold)) {
			onHeld(shown(hold));
		}
	};

	return {
		/** The hold that counts by what is stored; a hold of this process that is not written yet counts if nothing is stored. */
		standing,
		/** The first hold here. If another process was quicker, its hold remains. */
		hold: (hold: StoredHold) => write(hold, () => replaceHolds(stores, hold, clock)),
		/** Holds after an earlier hold here, which remains if it is still stored or was never written. */
		async holdOn(hold: StoredHold): Promise<void> {
			const wanted = unwritten ?? hold;
			await write(wanted, () => addHolds(stores, wanted, clock));
		},
		/** `changed`: it is held still, or again. */
		async release(hold: StoredHold): Promise<'released' | 'changed'> {
			try {
				await replaceHolds(stores, null, clock);
			} catch (caught) {
				step({kind: 'not-released', hold});
				throw caught;
			}

			unwritten = unwritten === hold ? undefined : unwritten;
			if (!step({kind: 'released', hold})) {
				return 'changed';
			}

			const next = standing(readHold(stores, clock));
			if (next && step({kind: 'stored', hold: next})) {
				onHeld(shown(next));
			}

			return next ? 'changed' : 'released';
		},
	};
}

/** Replaces in each store what is seen there now: a hold that another process stores meanwhile stays. */
async function replaceHolds(stores: readonly HoldStore[], next: StoredHold | null, clock: Clock): Promise<void> {
	await Promise.all(
		stores.map(store => {
			const seen = storedIn(store);
			return store.update(file => {
				const isSeen = !file.held || isSameHold(file.held, seen);
				return !isSeen || isSameHold(file.held ?? undefined, next ?? undefined) ? file : {held: next};
			}, clock);
		}),
	);
}

/** Lets each store have a hold: its own, else that of another store, else this one. */
async function addHolds(stores: readonly HoldStore[], hold: StoredHold, clock: Clock): Promise<void> {
	const find = () => stores.map(storedIn).find(stored => stored !== undefined) ?? hold;
	await Promise.all(stores.map(store => store.update(file => (file.held ? file : {held: find()}), clock)));
}

/** A hold that cannot be read cannot be replaced either. */
function storedIn({read}: HoldStore): StoredHold | undefined {
	try {
		return read().held ?? undefined;
	} catch {
		return undefined;
	}
}

/** The author of the hold if the stored one cannot be read. */
const unreadableBy = 'gateway';

/** The hold of the first store that has one. */
export function readHold(
	stores: ReadonlyArray<Pick<HoldStore, 'read'>>,
	clock: Pick<Clock, 'now'>,
): StoredHold | undefined {
	for (const store of stores) {
		try {
			const {held} = store.read();
			if (held) {
				return safeHold(held);
			}
		} catch (caught) {
			return safeHold({since: clock.now(), by: unreadableBy, reason: errorText(caught)});
		}
	}

	return undefined;
}

const maxReasonCharacters = 200;

/** Fit to be shown: the reason is anybody's words, and the file may have been written by hand. */
function safeHold({since, by, reason, node}: StoredHold): StoredHold {
	return {
		since,
		...(node !== undefined && {node: safeText(node, {maximumCharacters: 100})}),
		by: safeText(by, {maximumCharacters: 100}),
		reason: safeText(reason, {maximumCharacters: maxReasonCharacters}),
	};
}
