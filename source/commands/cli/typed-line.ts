import {parseArgs} from 'node:util';
import {safeText} from '../../util/safe-text.ts';
import {switchMeaning} from '../../util/switch-word.ts';
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
	const flags: TakenFlags = {values: defaults(), given: new Set()};
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
	return {kind: 'typed', words, flags: Object.fromEntries(flags.values) as TypedFlags, unknownFlags};
}

/** A flag that may stand alone takes no word that is another flag for its value. */
function withOwnValue(word: string, next: string | undefined): string {
	const isAlone = flagNames().some(name => describeFlag(name).mayStandAlone && word === `--${hyphenated(name)}`);
	return isAlone && (next === undefined || next.startsWith('-')) ? `${word}=` : word;
}

/** The flags read so far; `given` are the switches among them that were typed. */
type TakenFlags = {readonly values: Map<FlagName, FlagValue>; readonly given: Set<FlagName>};

type OptionToken = {
	readonly name: string;
	readonly value?: string | undefined;
	readonly inlineValue?: boolean | undefined;
};

/** Puts a flag to the others; answers what is wrong with it. */
function takeFlag(flags: TakenFlags, name: FlagName, token: OptionToken): string | undefined {
	const {type, isMultiple} = describeFlag(name);
	const {value} = token;
	if (type === 'boolean') {
		return takeSwitch(flags, name, token);
	}

	// `--home --json` is a value forgotten, not a directory.
	if (value === undefined || (!token.inlineValue && value.startsWith('--'))) {
		return `--${token.name} needs a value`;
	}

	const before = flags.values.get(name);
	if (isMultiple) {
		flags.values.set(name, [...(Array.isArray(before) ? before : []), value]);
		return undefined;
	}

	flags.values.set(name, type === 'number' ? numberOf(value) : value);
	return before === undefined ? undefined : `--${token.name} can only be set once`;
}

/** A switch alone is on; a value is read as a person means it, and anything else is refused: what somebody has not said must not be done. */
function takeSwitch(flags: TakenFlags, name: FlagName, token: OptionToken): string | undefined {
	const typed = token.value === undefined ? true : switchMeaning(token.value);
	if (typed === undefined) {
		const value = safeText(token.value ?? '', {maximumCharacters: 40});
		return `--${token.name} is a switch: "${value}" is neither yes nor no (true|false|yes|no|on|off|1|0)`;
	}

	const meant = typed !== token.name.startsWith('no-');
	const isContradiction = flags.given.has(name) && flags.values.get(name) !== meant;
	flags.values.set(name, meant);
	flags.given.add(name);
	return isContradiction ? `--${token.name} is given twice, once on and once off` : undefined;
}

/** No text is no number, not zero. */
function numberOf(text: string): number {
	return text.trim() === '' ? Number.NaN : Number(text);
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
