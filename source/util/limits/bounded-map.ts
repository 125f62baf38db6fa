import {type Clock} from '../clock.ts';

/** A map with an upper bound: entries are ordered by when they were last set, and the oldest are evicted first. Reads do not change the order. */
export type BoundedMap<Key, Value> = {
	/** Undefined, too, for an entry past the age limit. */
	readonly get: (key: Key) => Value | undefined;
	readonly has: (key: Key) => boolean;
	/** Makes the entry the newest, then evicts until the bound holds. The new entry itself always stays. */
	readonly set: (key: Key, value: Value) => void;
	readonly delete: (key: Key) => boolean;
	/** The keys, oldest first. */
	readonly keys: () => readonly Key[];
	/** The entries, oldest first. */
	readonly entries: () => ReadonlyArray<readonly [Key, Value]>;
};

type Bounds<Key, Value> = {
	/** The maximum sum of the weights of all entries. */
	readonly max: number;
	/** Default: 1 for each entry, so that `max` is a number of entries. Must always return the same for the same value. */
	readonly weightOf?: (value: Value) => number;
	/** Entries are removed this long after they were set. Default: never. */
	readonly age?: {readonly clock: Pick<Clock, 'elapsed'>; readonly milliseconds: number};
	/** Called for each entry that gives way to a newer one; not for deleted, replaced or aged ones. */
	readonly onEvict?: (value: Value, key: Key) => void;
};

/** An entry in the list from the oldest to the newest. */
type Entry<Key, Value> = {
	readonly key: Key;
	readonly value: Value;
	readonly setAt: number;
	older: Entry<Key, Value> | undefined;
	newer: Entry<Key, Value> | undefined;
};

/** Creates an empty map. */
export function createBoundedMap<Key, Value>(bounds: Bounds<Key, Value>): BoundedMap<Key, Value> {
	const {max, weightOf = () => 1, age, onEvict} = bounds;
	const kept = new Map<Key, Entry<Key, Value>>();
	const list = createAgeList<Key, Value>();
	let weight = 0;

	const remove = (key: Key): boolean => {
		const entry = kept.get(key);
		if (entry) {
			list.remove(entry);
			weight -= weightOf(entry.value);
		}

		return kept.delete(key);
	};

	const isAged = ({setAt}: Entry<Key, Value>) => age !== undefined && setAt <= age.clock.elapsed() - age.milliseconds;
	const removeAged = () => {
		for (let entry = list.oldest(); entry && isAged(entry); entry = list.oldest()) {
			remove(entry.key);
		}
	};

	const isOver = () => weight > max && kept.size > 1;
	const evict = () => {
		for (let entry = list.oldest(); entry && isOver(); entry = list.oldest()) {
			remove(entry.key);
			onEvict?.(entry.value, entry.key);
		}
	};

	return {
		get(key) {
			removeAged();
			return kept.get(key)?.value;
		},
		has(key) {
			removeAged();
			return kept.has(key);
		},
		set(key, value) {
			removeAged();
			remove(key);
			kept.set(key, list.add({key, value, setAt: age?.clock.elapsed() ?? 0}));
			weight += weightOf(value);
			evict();
		},
		delete: remove,
		keys() {
			removeAged();
			return [...kept.keys()];
		},
		entries() {
			removeAged();
			return Array.from(kept, ([key, {value}]) => [key, value] as const);
		},
	};
}

/** Links entries from the oldest to the newest: an iterator over a Map passes the places of all removed entries to find the oldest. */
function createAgeList<Key, Value>() {
	let oldest: Entry<Key, Value> | undefined;
	let newest: Entry<Key, Value> | undefined;
	return {
		oldest: () => oldest,
		add(given: Pick<Entry<Key, Value>, 'key' | 'value' | 'setAt'>): Entry<Key, Value> {
			const entry = {...given, older: newest, newer: undefined};
			if (newest) {
				newest.newer = entry;
			} else {
				oldest = entry;
			}

			newest = entry;
			return entry;
		},
		remove({older, newer}: Entry<Key, Value>) {
			if (older) {
				older.newer = newer;
			} else {
				oldest = newer;
			}

			if (newer) {
				newer.older = older;
			} else {
				newest = older;
			}
		},
	};
}
