import {safeText} from '../../util/safe-text.ts';

/** The sentences for a word that a closed list does not have: `"strpe" is not a known preset; did you mean "stripe"? Allowed: slack, stripe`. */
export function unknownWord(
	typed: string,
	{
		noun,
		words,
		allowed = words.join(', '),
	}: {readonly noun: string; readonly words: readonly string[]; readonly allowed?: string},
): string {
	const meant = didYouMean(typed, words);
	const end = meant === undefined ? '.' : `; did you mean "${meant}"?`;
	return `"${safeText(typed, {maximumCharacters: 40})}" is not a known ${noun}${end} Allowed: ${allowed}`;
}

/** The known word that a person probably meant, or undefined when none is close: about one mistake per three letters (docs/configuration.md, How values are read). */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
	const wanted = plain(word);
	// A longer word is no typo, and the comparison grows with the square of its length.
	if (wanted.length > longestWordCharacters) {
		return undefined;
	}

	const nearest = known
		.map(candidate => ({candidate, distance: editDistance(wanted, plain(candidate))}))
		.sort((first, second) => first.distance - second.distance)[0];
	return nearest && nearest.distance <= Math.ceil(Math.max(wanted.length, 2) / 3) ? nearest.candidate : undefined;
}

const longestWordCharacters = 60;

/** People mix up case, hyphens and underscores most. */
function plain(word: string): string {
	return word.toLowerCase().replaceAll(/[-_\s]/gu, '');
}

/** The edit distance of two words: letters to insert, delete, replace or swap with their neighbour. */
export function editDistance(first: string, second: string): number {
	let older: number[] = [];
	let previous = Array.from({length: second.length + 1}, (_, column) => column);
	for (let row = 1; row <= first.length; row++) {
		const current = [row];
		for (let column = 1; column <= second.length; column++) {
			const same = first[row - 1] === second[column - 1];
			const swapped = row > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
			current[column] = Math.min(
				at(previous, column) + 1,
				at(current, column - 1) + 1,
				at(previous, column - 1) + (same ? 0 : 1),
				swapped ? at(older, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}

		older = previous;
		previous = current;
	}

	return at(previous, second.length);
}

function at(row: readonly number[], column: number): number {
	return row[column] ?? Number.POSITIVE_INFINITY;
}
