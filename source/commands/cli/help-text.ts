import {beginsWith, type Command, namesOf, usageAs} from './command.ts';
import {commands, commandsBelow, findCommand} from './command-table.ts';
import {type FlagName, flagText, type FlagTexts, globalFlags, typedFlag} from './flag-table.ts';

const leftColumn = 38;

/** The text of `--help` for the words in front of it: a command with its examples, a noun, or the commands of every day. */
export function helpText(words: readonly string[]): string {
	const found = findCommand(words);
	if (words.length === 0) {
		return mainHelp();
	}

	return found ? commandHelp(found.command, found.name) : nounHelp(words);
}

function commandHelp(command: Command, name: readonly string[]): string {
	const {summary, details, flags, flagTexts, examples} = command;
	const others = namesOf(command).filter(other => other !== name);
	return sections([
		[summary, ...(details === undefined ? [] : ['', ...details.split('\n')])],
		['Usage', `  ${usageAs(command, name)}`],
		others.length === 0 ? [] : [`The same: ${others.map(typedName).join(', ')}`],
		flags.length === 0 ? [] : ['Flags', ...flags.map(flag => flagRow(flag, flagTexts))],
		examples.length === 0 ? [] : ['Examples', ...examples.map(example => `  ${example}`)],
		['Global flags: sluice --help'],
	]);
}

/** The commands of a noun with all their names. The noun `gateway` also has the commands of one word. */
function nounHelp(words: readonly string[]): string {
	const isGateway = words.length === 1 && words[0] === gatewayNoun;
	const below = isGateway ? commands.filter(command => nounOf(command) === gatewayNoun) : commandsBelow(words);
	const rows = below.flatMap(command => {
		const names = namesOf(command);
		const own = names.find(name => beginsWith(name, words)) ?? command.words;
		const others = names.filter(name => name !== own).map(typedName);
		const row = commandRow(usageAs(command, own), command.summary);
		return others.length === 0 ? [row] : [row, `  ${' '.repeat(leftColumn)}  The same: ${others.join(', ')}`];
	});
	return sections([['Usage', ...rows], ['Details and examples: any of them with --help']]);
}

function mainHelp(): string {
	const daily = commands.filter(({help}) => help === 'main');
	return sections([
		['Sluice, the agent gateway for your terminal'],
		['Usage', `  ${commands.find(({words}) => words.length === 0)?.usage ?? ''}`, '  sluice COMMAND [flags]'],
		['Commands', ...daily.map(command => commandRow(briefUsage(command), command.summary))],
		['More commands: sluice NOUN --help', ...usedNouns().map(noun => commandRow(noun, nouns[noun] ?? ''))],
		['Global flags', ...globalFlags.map(name => flagRow(name))],
		['Examples', '  sluice --demo', '  sluice webhook subscribe --help', '  sluice run --log json'],
		['Exit codes: 0 success, 1 failure, 2 usage error, 3 not running (`status`, `service status`)'],
	]);
}

const gatewayNoun = 'gateway';

/** The nouns of the commands, in the sequence of the help and of the reference. */
const nouns: Readonly<Record<string, string>> = {
	gateway: 'The gateway: run, attach, hold, stop, check',
	mcp: 'Tool servers and their tools',
	logins: 'Logins to tool servers',
	clients: 'Clients of the endpoint, with their tokens',
	webhook: 'Webhook routes and subscriptions',
	events: 'Webhook events',
	deliveries: 'Messages to platforms',
	cron: 'Scheduled jobs',
	approvals: 'Calls that wait for an approval',
	rules: 'Rules that decide without asking',
	questions: 'Questions of servers and runs',
	runs: 'Agent runs',
	calls: 'Tool calls',
	uncertain: 'Calls that may have taken effect',
	config: 'Values of config.yaml',
	skills: 'Skills of agent runs',
	journal: 'The journal',
	service: 'The gateway as a service of your user',
};

/** The nouns that have commands. */
export function usedNouns(): readonly string[] {
	const used = new Set(commands.map(nounOf));
	return Object.keys(nouns).filter(noun => used.has(noun));
}

/** The noun under which help and reference list a command. */
export function nounOf({words}: Command): string {
	const [first = ''] = words;
	return words.length > 1 ? first : gatewayNoun;
}

/** The shortest name of a command, with the words that it needs. */
function briefUsage(command: Command): string {
	const [shortest = command.words] = namesOf(command).toSorted((first, second) => first.length - second.length);
	return withoutBrackets(usageAs(command, shortest)).trim();
}

/** A usage without its optional parts, which may be nested. */
function withoutBrackets(usage: string): string {
	const shorter = usage.replaceAll(/ ?\[[^[\]]*\]/gu, '');
	return shorter === usage ? usage : withoutBrackets(shorter);
}

function typedName(words: readonly string[]): string {
	return ['sluice', ...words].join(' ');
}

function commandRow(usage: string, summary: string): string {
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
