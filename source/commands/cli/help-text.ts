import {type Command} from './command.ts';
import {commands, commandsBelow} from './command-table.ts';
import {type FlagName, flagText, type FlagTexts, globalFlags, typedFlag} from './flag-table.ts';

const leftColumn = 44;

/** The text of `--help` for the words in front of it: a command with its examples, a group, or everything. */
export function helpText(words: readonly string[]): string {
	const below = commandsBelow(words);
	if (words.length === 0 || below.length === 0) {
		return words.length === 0 ? fullHelp() : helpText(words.slice(0, -1));
	}

	const exact = below.find(command => command.words.length === words.length);
	return exact ? commandHelp(exact) : groupHelp(words, below);
}

function commandHelp({usage, summary, details, flags, flagTexts, examples}: Command): string {
	return sections([
		[summary, ...(details === undefined ? [] : ['', ...details.split('\n')])],
		['Usage', `  ${usage}`],
		flags.length === 0 ? [] : ['Flags', ...flags.map(name => flagRow(name, flagTexts))],
		examples.length === 0 ? [] : ['Examples', ...examples.map(example => `  ${example}`)],
		['Global flags: sluice --help'],
	]);
}

function groupHelp(words: readonly string[], below: readonly Command[]): string {
	return sections([
		['Usage', ...below.map(commandRow)],
		[`Details and examples: sluice ${words.join(' ')} <command> --help`],
	]);
}

function fullHelp(): string {
	const groups = new Map<string, readonly Command[]>();
	for (const command of commands) {
		const title = groupTitle(command);
		groups.set(title, [...(groups.get(title) ?? []), command]);
	}

	return sections([
		['Sluice, the agent gateway for your terminal'],
		...[...groups].map(([title, members]) => [title, ...members.map(commandRow)]),
		['Global flags', ...globalFlags.map(name => flagRow(name))],
		['Examples', '  sluice --demo', '  sluice webhook subscribe --help', '  sluice gateway run --log json'],
		['Exit codes: 0 success, 1 failure, 2 usage error'],
	]);
}

const titles: Readonly<Record<string, string>> = {
	mcp: 'Tool servers',
	webhook: 'Webhooks',
	cron: 'Scheduled jobs',
	skills: 'Skills',
	approvals: 'Approvals',
	events: 'Events',
	runs: 'Runs and calls',
	calls: 'Runs and calls',
	uncertain: 'Runs and calls',
	questions: 'Approvals',
	rules: 'Approvals',
	config: 'Setup',
	doctor: 'Setup',
	service: 'Service',
	completion: 'Setup',
};

/** The group under which help and reference list a command. */
export function groupTitle({words: [group = '']}: Command): string {
	return titles[group] ?? 'Gateway';
}

function commandRow({usage, summary}: Command): string {
	return usage.length > leftColumn
		? `  ${usage}\n  ${' '.repeat(leftColumn)}  ${summary}`
		: `  ${usage.padEnd(leftColumn)}  ${summary}`;
}

function flagRow(name: FlagName, texts: FlagTexts = {}): string {
	const {value, summary, shortFlag} = flagText(name, texts);
	const short = shortFlag === undefined ? '' : `, -${shortFlag}`;
	return `  ${`${typedFlag(name)}${short}${value === undefined ? '' : ` ${value}`}`.padEnd(26)}  ${summary}`;
}

/** Blocks of lines with an empty line between them; a block of several lines is a title and its rows. */
function sections(blocks: ReadonlyArray<readonly string[]>): string {
	const full = blocks.filter(block => block.length > 0);
	return `${full.map(block => block.join('\n')).join('\n\n')}\n`;
}
