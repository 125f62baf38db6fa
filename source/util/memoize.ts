/** The overhead of a cached result besides its text, in characters. */
const overhead = 100;

/**
Caches the results of `make`: for pure functions that get the same few texts over and over. Texts and results together are limited to
about `maxCharacters`; after that, the results for new texts are computed each time.
*/
export function memoize<Value>(make: (text: string) => Value, maxCharacters = 100_000): (text: string) => Value {
	const known = new Map<string, Value>();
	let used = 0;
	return text => {
		const found = known.get(text);
		if (found !== undefined) {
			return found;
		}

		const made = make(text);
		if (used + text.length + overhead <= maxCharacters) {
			used += text.length + overhead;
			known.set(text, made);
		}

		return made;
	};
}

/** Computes the result for an object once and keeps it as long as the object: for pure functions of objects that never change. */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
	const known = new WeakMap<Key, {readonly value: Value}>();
	return key => {
		const found = known.get(key);
		if (found) {
			return found.value;
		}

		const value = make(key);
		known.set(key, {value});
		return value;
	};
}
