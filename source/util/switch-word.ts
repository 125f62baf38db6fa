const meanings: ReadonlyMap<string, boolean> = new Map([
	['true', true],
	['yes', true],
	['on', true],
	['1', true],
	['false', false],
	['no', false],
	['off', false],
	['0', false],
]);

/** The boolean for a word of a switch, in any case; undefined for an unknown word. */
export function switchMeaning(word: string): boolean | undefined {
	return meanings.get(word.trim().toLowerCase());
}
