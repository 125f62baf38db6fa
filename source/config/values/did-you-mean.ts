import {editDistance} from './edit-distance.ts';

/** The known word a person probably meant, or undefined when none is near: about one mistake for three letters (docs/configuration.md, How values are read). */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
	const wanted = plain(word);
	// A longer word is no slip of the keyboard, and the comparison grows with the square of its length.
	if (wanted.length > longestWordCharacters) {
		return undefined;
	}

	const nearest = known
		.map(candidate => ({candidate, distance: editDistance(wanted, plain(candidate))}))
		.sort((first, second) => first.distance - second.distance)[0];
	return nearest && nearest.distance <= Math.ceil(Math.max(wanted.length, 2) / 3) ? nearest.candidate : undefined;
}

const longestWordCharacters = 60;

/** Case, hyphens and underscores are what people mix up most. */
function plain(word: string): string {
	return word.toLowerCase().replaceAll(/[-_\s]/gu, '');
}
