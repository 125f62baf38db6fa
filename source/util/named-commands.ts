/** Global flags as they are typed behind `sluice`, one text each, for the commands that a text names. */
export type TypedFlags = readonly string[];

/** The flags under which a command concerns this profile, and this state directory where one was typed (docs/cli.md, Conventions). */
export function typedFlags({
	home,
	profile,
}: {
	readonly home?: string | undefined;
	readonly profile?: string | undefined;
}): TypedFlags {
	return [
		...(home === undefined ? [] : [`--home ${shellWord(home)}`]),
		...(profile === undefined || profile === 'default' ? [] : [`--profile ${shellWord(profile)}`]),
	];
}

/** A command in back quotes that begins with none of our flags, or with those that `withFlags` wrote. */
const namedCommand = /`sluice((?: --(?:home|profile) (?:[^\s'`]|'[^'`]*')+)*)(?=`| (?!--))/gu;

/** The text with these flags in the commands that it names in back quotes: without them they would concern another profile. A flag that is there already stays. */
export function withFlags(text: string, flags: TypedFlags): string {
	return text.replaceAll(namedCommand, (_, present: string) => {
		const missing = flags.filter(flag => !present.includes(` ${flag.split(' ', 1)[0] ?? ''} `));
		return ['`sluice', ...missing].join(' ') + present;
	});
}

/** A word as one types it in a shell. */
export function shellWord(word: string): string {
	return /^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
