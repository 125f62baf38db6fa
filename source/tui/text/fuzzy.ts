/** The cost of a word by how it is found. */
const costs = {wordStart: 1, inside: 2, scattered: 4} as const;

/** Characters after which a word begins. */
const boundary = /[\s/._:-]/u;

/**
Cost of a match, smaller is better: the same text, its beginning, the place of its words in any order; last, words whose letters are all there in
order. Undefined if a word is missing. Ignores case.
*/
export function fuzzyCost(typed: string, text: string): number | undefined {
	const wanted = typed.toLowerCase();
	const candidate = text.toLowerCase();
	if (candidate.startsWith(wanted)) {
		return wanted.length === candidate.length ? 0 : 0.5;
	}

	let cost = 0;
	for (const word of wanted.split(/\s+/u).filter(Boolean)) {
		const found = wordCost(word, candidate);
		if (found === undefined) {
			return undefined;
		}

		cost += found;
	}

	return cost;
}

function wordCost(word: string, text: string): number | undefined {
	const first = text.indexOf(word);
	if (first === -1) {
		const spread = spreadOf(word, text);
		return spread === undefined ? undefined : costs.scattered + share(spread);
	}

	for (let at = first; at !== -1; at = text.indexOf(word, at + 1)) {
		if (at === 0 || boundary.test(text.charAt(at - 1))) {
			return costs.wordStart;
		}
	}

	return costs.inside + share(first);
}

/** Number of characters between the letters of a word, found one after the other. */
function spreadOf(word: string, text: string): number | undefined {
	let from = -1;
	let start = 0;
	for (const [index, letter] of Array.from(word).entries()) {
		from = text.indexOf(letter, from + 1);
		if (from === -1) {
			return undefined;
		}

		start = index === 0 ? from : start;
	}

	return from - start + 1 - word.length;
}

/** A number below 1 that grows with the count. */
function share(count: number): number {
	return count / (count + 20);
}
