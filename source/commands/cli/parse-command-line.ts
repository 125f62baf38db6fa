import meow from 'meow';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {switchMeaning} from '../../util/switch-word.ts';
import {usageRemedy} from './command-table.ts';
import {describeFlag, type FlagName, flagNames, flagTable, globalFlags, hyphenated} from './flag-table.ts';
import {withUsageRemedy} from './run-command.ts';
import {type CommandLine} from './run-program.ts';

/**
Parses the words and flags behind the name of the program (docs/cli.md, Conventions). Everything after `--` is a word: the command line of a
tool server. Unknown flags are only listed, because the command that was named reports them. Throws `bad_usage`.
*/
export function parseCommandLine(argv: readonly string[]): CommandLine {
	const end = argv.indexOf('--');
	const own = end === -1 ? argv : argv.slice(0, end);
	const {line, unknownFlags} = joinValues(own);
	const {input, flags} = meow({
		importMeta: import.meta,
		argv: [...line, ...argv.slice(own.length)],
		flags: flagTable,
		// meow prints both through the console and exits at once, but a slow reader must get all of it: run-program prints them.
		autoHelp: false,
		autoVersion: false,
		// A switch that was not typed and has no default is undefined.
		booleanDefault: undefined,
		// meow sets the title of the process to the name of the package; `ps` goes on showing the whole command line.
		pkg: {name: ['sluice', ...argv].join(' ')},
	});
	return {words: input, flags, unknownFlags};
}

type FlagsSoFar = {
	readonly line: string[];
	readonly unknownFlags: string[];
	readonly given: Map<FlagName, string>;
};

/**
Writes every flag as `--name="value"`, which meow reads literally, without the quotes. Left to itself it reads `--message -x` as an empty message
and a flag `x`, `--json false` as off, `--yes=1` as off, and lets an unknown flag take the next word for its value.
*/
function joinValues(words: readonly string[]): FlagsSoFar {
	const flags: FlagsSoFar = {line: [], unknownFlags: [], given: new Map()};
	const rest = [...words];
	try {
		for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
			if (word.startsWith('--')) {
				addFlag(flags, word, rest);
			} else if (word.startsWith('-') && word !== '-') {
				addShortFlags(flags, word, rest);
			} else {
				flags.line.push(word);
			}
		}
	} catch (caught) {
		const named = [...flags.line, ...rest].filter(word => !word.startsWith('-'));
		throw withUsageRemedy(toProblem(caught), usageRemedy(named));
	}

	return flags;
}

/** Adds `--name`, `--no-name` or `--name=value`; a value that is not joined is taken from the words that follow. */
function addFlag(flags: FlagsSoFar, word: string, rest: string[]): void {
	const equals = word.indexOf('=', 3);
	const typed = equals === -1 ? word : word.slice(0, equals);
	const value = equals === -1 ? undefined : word.slice(equals + 1);
	const name = flagNames().find(flag => typed === `--${hyphenated(flag)}` || typed === `--no-${hyphenated(flag)}`);
	const isNegated = typed.startsWith('--no-');
	if (!name || (isNegated && describeFlag(name).type !== 'boolean')) {
		flags.unknownFlags.push(camelCase(typed.slice(2)));
	} else if (describeFlag(name).type === 'boolean') {
		addSwitch(flags, name, isOn(name, typed, value) !== isNegated);
	} else {
		addValue(flags, name, {typed, value: value ?? nextValue(name, typed, rest)});
	}
}

/** Adds the flags of `-h`, `-hv`, `-n 20` or `-fn20`: what follows the letter of a flag with a value is the value. */
function addShortFlags(flags: FlagsSoFar, word: string, rest: string[]): void {
	const letters = word.slice(1);
	for (const [index, letter] of letters.split('').entries()) {
		const name = flagNames().find(flag => describeFlag(flag).shortFlag === letter);
		if (name && describeFlag(name).type !== 'boolean') {
			const typed = `-${letter}`;
			addValue(flags, name, {typed, value: letters.slice(index + 1) || nextValue(name, typed, rest)});
			return;
		}

		if (name) {
			addSwitch(flags, name, true);
		} else {
			flags.unknownFlags.push(letter);
		}
	}
}

function addSwitch({line, given}: FlagsSoFar, name: FlagName, isSet: boolean): void {
	const value = String(isSet);
	if ((given.get(name) ?? value) !== value) {
		throw badUsage(`--${hyphenated(name)} and --no-${hyphenated(name)} exclude each other`, name);
	}

	given.set(name, value);
	line.push(`--${name}=${value}`);
}

function addValue({line, given}: FlagsSoFar, name: FlagName, {typed, value}: {typed: string; value: string}): void {
	const {type, isMultiple} = describeFlag(name);
	if (given.has(name) && !isMultiple) {
		throw badUsage(`${typed} can only be given once`, name);
	}

	given.set(name, value);
	// No text would become zero.
	line.push(`--${name}="${type === 'number' && value.trim() === '' ? 'NaN' : value}"`);
}

/** True if a switch with this value is on. Throws `bad_usage` for other words than yes and no. */
function isOn(name: FlagName, typed: string, value: string | undefined): boolean {
	const meaning = value === undefined ? true : switchMeaning(value);
	if (meaning === undefined) {
		const shown = safeText(value ?? '', {maximumCharacters: 40});
		throw badUsage(`${typed} cannot be "${shown}". Allowed: true, false, yes, no, on, off, 1, 0`, name);
	}

	return meaning;
}

/** Takes the next word for the value of a flag. `--home --json` is a forgotten value, not a directory. */
function nextValue(name: FlagName, typed: string, rest: string[]): string {
	const [next] = rest;
	if (describeFlag(name).mayStandAlone && (next === undefined || next.startsWith('-'))) {
		return '';
	}

	if (next === undefined || next.startsWith('--')) {
		throw badUsage(`${typed} needs a value`, name);
	}

	rest.shift();
	return next;
}

function badUsage(message: string, flag: FlagName): Problem {
	const isGlobal = globalFlags.includes(flag);
	return new Problem('bad_usage', {
		message,
		...(isGlobal && {remedy: 'Run `sluice --help` to see the global flags'}),
	});
}

function camelCase(name: string): string {
	return name.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}
