import {beginsWith, type Command, namesOf} from '../cli/command.ts';
import {
	type Completes,
	describeFlag,
	type FlagName,
	flagNames,
	flagText,
	globalFlags,
	typedFlag,
} from '../cli/flag-table.ts';

/** A word that could stand under the cursor, and what it is. `whole`: the id of which the word is the part that lists show. */
export type Candidate = {readonly word: string; readonly summary: string; readonly whole?: string};

/** The candidates for a word: known words, or a kind of names to look up. */
export type Completion =
	| {readonly kind: 'words'; readonly candidates: readonly Candidate[]}
	| {readonly kind: 'names'; readonly of: Exclude<Completes, readonly string[]>};

/** The words after `sluice` on the command line. */
export type TypedWords = {
	/** The value of `--flag=value` is a word of its own here. */
	readonly words: readonly string[];
	/** Text the shell expects before the completed value: `--flag=` if it takes flag and value for one word. */
	readonly prefix: string;
};

/** Reads the words of a shell. zsh and fish hand over `--flag=value` as one word, bash as three, because `=` is in its COMP_WORDBREAKS. */
export function readTypedWords(given: readonly string[]): TypedWords {
	const whole: string[] = [];
	given.forEach((word, index) => {
		const isPart = index > 0 && (word === '=' || given[index - 1] === '=');
		whole.push(isPart ? `${whole.pop() ?? ''}${word}` : word);
	});
	const [flag] = flagAndValue(given.at(-1) ?? '') ?? [];
	return {
		words: whole.flatMap(word => flagAndValue(word) ?? [word]),
		prefix: flag === undefined ? '' : `${flag}=`,
	};
}

/** The two parts of `--flag=value`; undefined for any other word. */
function flagAndValue(word: string): readonly [flag: string, value: string] | undefined {
	const at = word.indexOf('=');
	const flag = word.slice(0, Math.max(0, at));
	return valueFlag(flag) === undefined ? undefined : [flag, word.slice(at + 1)];
}

/** Completes a line behind `sluice`; its last word is the one under the cursor, perhaps empty. Not yet narrowed down to what is typed of it. */
export function completeLine(words: readonly string[], commands: readonly Command[]): Completion {
	const before = words.slice(0, -1);
	const current = words.at(-1) ?? '';
	if (before.includes('--')) {
		return {kind: 'words', candidates: []};
	}

	const typed = positionalsOf(before);
	const found = commands
		.flatMap(one => namesOf(one).map(name => ({command: one, name})))
		.filter(({name}) => beginsWith(typed, name))
		.sort((first, second) => second.name.length - first.name.length)[0];
	const command = found?.command;
	const flag = valueFlag(before.at(-1));
	if (flag !== undefined) {
		return toCompletion(flagText(flag, command?.flagTexts).completes);
	}

	if (current.startsWith('-')) {
		return {kind: 'words', candidates: flagCandidates(command)};
	}

	const next = nextWords(typed, commands);
	return next.length > 0 || !found
		? {kind: 'words', candidates: next}
		: toCompletion(found.command.takes?.[typed.length - found.name.length]);
}

/** The flag that wants a value next. */
function valueFlag(word: string | undefined): FlagName | undefined {
	return flagNames().find(name => {
		const {type, shortFlag} = describeFlag(name);
		return type !== 'boolean' && (typedFlag(name) === word || (shortFlag !== undefined && word === `-${shortFlag}`));
	});
}

function positionalsOf(words: readonly string[]): readonly string[] {
	return words.filter((word, index) => !word.startsWith('-') && valueFlag(words[index - 1]) === undefined);
}

function nextWords(typed: readonly string[], commands: readonly Command[]): readonly Candidate[] {
	const below = commands
		.flatMap(command => namesOf(command).map(name => ({name, summary: command.summary})))
		.filter(({name}) => name.length > typed.length && beginsWith(name, typed));
	const found = new Map<string, string>();
	for (const {name, summary} of below) {
		const word = name[typed.length] ?? '';
		const isWhole = name.length === typed.length + 1;
		found.set(word, found.has(word) || !isWhole ? `${[...typed, word].join(' ')} …` : summary);
	}

	return [...found].map(([word, summary]) => ({word, summary}));
}

function flagCandidates(command: Command | undefined): readonly Candidate[] {
	return [...(command?.flags ?? []), ...globalFlags].map(name => ({
		word: typedFlag(name),
		summary: flagText(name, command?.flagTexts).summary,
	}));
}

function toCompletion(completes: Completes | undefined): Completion {
	if (typeof completes === 'string') {
		return {kind: 'names', of: completes};
	}

	return {kind: 'words', candidates: (completes ?? []).map(word => ({word, summary: ''}))};
}
