/** What an answer takes beside its text, counted in characters. */
const overhead = 100;

/**
`make` with its answers kept: for pure functions that are asked about the same few texts over and over. Texts and answers together are bounded by
about `mostCharacters` of text; once they are used up, the answers to new texts are made each time.
*/
export function memoize<Value>(make: (text: string) => Value, mostCharacters = 100_000): (text: string) => Value {
	const known = new Map<string, Value>();
	let used = 0;
	return text => {
		const found = known.get(text);
		if (found !== undefined) {
			return found;
		}

		const made = make(text);
		if (used + text.length + overhead <= mostCharacters) {
			used += text.length + overhead;
			known.set(text, made);
		}

		return made;
	};
}
