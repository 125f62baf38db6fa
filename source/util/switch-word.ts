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

/** What a person means who writes a switch as a word, in any case; undefined: nothing that is known. */
export function switchMeaning(word: string): boolean | undefined {
	return meanings.get(word.trim().toLowerCase());
}
