/** Global flags as they are typed behind `sluice`, for the commands that a text names; empty for none. */
export type TypedFlags = string;

/** The flags under which a command concerns this profile, and this state directory where one was typed (docs/cli.md, Conventions). */
export function typedFlags({home, profile}: {readonly home?: string; readonly profile?: string}): TypedFlags {
	return [
		...(home === undefined ? [] : ['--home', shellWord(home)]),
		...(profile === undefined || profile === 'default' ? [] : ['--profile', shellWord(profile)]),
	].join(' ');
}

/** The text with these flags in the commands that it names in back quotes: without them they would concern another profile. */
export function withFlags(text: string, flags: TypedFlags): string {
	return flags === '' ? text : text.replaceAll(/`sluice(?=`| (?!--))/gu, `\`sluice ${flags.replaceAll('$', '$$$$')}`);
}

/** A word as one types it in a shell. */
export function shellWord(word: string): string {
	return /^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
