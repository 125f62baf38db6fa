import {parseArgs} from 'node:util';
import {describeFlag, type FlagName, flagNames} from './flag-table.ts';
import {type TypedFlags} from './run-program.ts';

/** A command line as it was typed, or why it cannot be read. */
export type TypedLine =
	| {
			readonly kind: 'typed';
			readonly words: readonly string[];
			readonly flags: TypedFlags;
			readonly unknownFlags: readonly string[];
	  }
	| {readonly kind: 'not-understood'; readonly message: string};

type FlagValue = string | number | boolean | readonly string[];

/**
Reads the words and flags behind the name of the program by the table of flags. What stands behind `--` are words, whatever they look like:
the command line of a tool server. Flags nobody knows are only named: the command that was meant says what is wrong with them.
*/
export function typedLine(argv: readonly string[]): TypedLine {
	const end = argv.indexOf('--');
	const own = end === -1 ? argv : argv.slice(0, end);
	const {tokens} = parseArgs({
		args: [...own.map((word, index) => withOwnValue(word, own[index + 1])), ...argv.slice(own.length)],
		options: Object.fromEntries(flagNames().map(name => [hyphenated(name), optionOf(name)])),
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	const known = new Map<string, FlagName>(flagNames().map(name => [hyphenated(name), name]));
	const flags = defaults();
	const words: string[] = [];
	const unknownFlags: string[] = [];
	for (const token of tokens) {
		if (token.kind === 'positional') {
			words.push(token.value);
		}

		if (token.kind !== 'option') {
			continue;
		}

		const name = known.get(token.name) ?? known.get(token.name.replace(/^no-/u, ''));
		if (!name || (token.name.startsWith('no-') && describeFlag(name).type !== 'boolean')) {
			unknownFlags.push(camelCase(token.name));
			continue;
		}

		const problem = takeFlag(flags, name, token);
		if (problem) {
			return {kind: 'not-understood', message: problem};
		}
	}

	// The table says which flag holds what.
	return {kind: 'typed', words, flags: Object.fromEntries(flags) as TypedFlags, unknownFlags};
}

/** A flag that may stand alone takes no word that is another flag for its value. */
function withOwnValue(word: string, next: string | undefined): string {
	const isAlone = flagNames().some(name => describeFlag(name).mayStandAlone && word === `--${hyphenated(name)}`);
	return isAlone && (next === undefined || next.startsWith('-')) ? `${word}=` : word;
}

type OptionToken = {
	readonly name: string;
	readonly value?: string | undefined;
	readonly inlineValue?: boolean | undefined;
};

/** Puts a flag to the others; answers what is wrong with it. */
function takeFlag(flags: Map<FlagName, FlagValue>, name: FlagName, token: OptionToken): string | undefined {
	const {type, isMultiple} = describeFlag(name);
	const {value} = token;
	if (type === 'boolean') {
		const isNegated = token.name.startsWith('no-');
		flags.set(name, (value === 'false') === isNegated);
		return undefined;
	}

	// `--home --json` is a value forgotten, not a directory.
	if (value === undefined || (!token.inlineValue && value.startsWith('--'))) {
		return `--${token.name} needs a value`;
	}

	const before = flags.get(name);
	if (isMultiple) {
		flags.set(name, [...(Array.isArray(before) ? before : []), value]);
		return undefined;
	}

	flags.set(name, type === 'number' ? Number(value) : value);
	return before === undefined ? undefined : `--${token.name} can only be set once`;
}

function defaults(): Map<FlagName, FlagValue> {
	const flags = new Map<FlagName, FlagValue>();
	for (const name of flagNames()) {
		const {default: fallback, isMultiple} = describeFlag(name);
		const value = isMultiple ? [] : fallback;
		if (value !== undefined) {
			flags.set(name, value);
		}
	}

	return flags;
}

function optionOf(name: FlagName) {
	const {type, shortFlag} = describeFlag(name);
	return {type: type === 'boolean' ? 'boolean' : 'string', ...(shortFlag ? {short: shortFlag} : {})} as const;
}

/** `dryRun` as `dry-run`. */
function hyphenated(name: string): string {
	return name.replaceAll(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
	return name.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}
