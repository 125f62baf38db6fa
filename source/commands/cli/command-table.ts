import {didYouMean} from '../../config/values/did-you-mean.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {approvalCommands} from '../approvals/approval-commands.ts';
import {clientCommands} from '../clients/client-commands.ts';
import {connectCommands} from '../connect/connect-commands.ts';
import {configCommands} from '../config/config-commands.ts';
import {cronCommands} from '../cron/cron-commands.ts';
import {deliveryCommands} from '../deliveries/delivery-commands.ts';
import {eventCommands} from '../events/event-commands.ts';
import {gatewayCommands} from '../gateway/gateway-commands.ts';
import {mcpCommands} from '../mcp/mcp-commands.ts';
import {runCommands} from '../runs/run-commands.ts';
import {serviceCommands} from '../service/service-commands.ts';
import {webhookCommands} from '../webhook/webhook-commands.ts';
import {beginsWith, type Command, namesOf} from './command.ts';
import {ownMove} from './in-process.ts';

/** Every command (docs/cli.md, Conventions). Help, completion and dispatch are made from it. */
export const commands: readonly Command[] = [
	...gatewayCommands,
	...configCommands,
	...mcpCommands,
	...clientCommands,
	...connectCommands,
	...webhookCommands,
	...cronCommands,
	...approvalCommands,
	...eventCommands,
	...deliveryCommands,
	...runCommands,
	...serviceCommands,
	{
		words: ['journal', 'move'],
		usage: 'sluice journal move [--dry-run] [--json]',
		summary: 'Copy journal.db into the PostgreSQL database of `journal.url`, with the gateway stopped',
		details:
			'Copies every row with its number and id in one transaction, reads all of them again and compares. If it is\ninterrupted, the database has none of them. journal.db is not changed.',
		flags: ['dryRun', 'json'],
		flagTexts: {dryRun: {summary: 'Only check if it can be moved, and count the rows'}},
		examples: [
			'sluice journal move --dry-run',
			'sluice journal move',
			'sluice --profile work journal move --json',
			'sluice --home /srv/sluice journal move',
		],
		run: async (context, session) =>
			(await import('../journal/journal-move.ts')).runJournalMove(context, ownMove(session)),
	},
	{
		words: ['completion'],
		usage: 'sluice completion bash|zsh|fish',
		summary: 'Print the completion script for a shell',
		flags: [],
		examples: ['source <(sluice completion bash)', 'sluice completion fish > ~/.config/fish/completions/sluice.fish'],
		takes: [['bash', 'zsh', 'fish']],
		run: async (context, session) =>
			(await import('../completion/completion.ts')).runCompletion(context, commands, session),
	},
];

/** The command a person named, with the words behind its name; a group without an action is listed. Throws `bad_usage`. */
export function matchCommand(words: readonly string[]): {readonly command: Command; readonly rest: readonly string[]} {
	const found = findCommand(words) ?? findCommand([...words, 'list']);
	if (found) {
		return {command: found.command, rest: words.slice(found.name.length)};
	}

	throw unknownCommand(words.map(word => safeText(word, {maximumCharacters: 40})));
}

/** Throws `bad_usage` for words that are neither a command, with more behind it where it takes words, nor a group. */
export function refuseUnknownWords(words: readonly string[]): void {
	const found = findCommand(words);
	const shown = words.map(word => safeText(word, {maximumCharacters: 40}));
	if (!found && commandsBelow(words).length === 0) {
		throw unknownCommand(shown);
	}

	if (found && words.length > found.name.length && !takesWords(found.command)) {
		const name = ['sluice', ...found.name].join(' ');
		throw new Problem('bad_usage', {
			message: `\`${name}\` takes no arguments, but "${shown[found.name.length] ?? ''}" was given`,
		});
	}
}

/** True if the usage of a command has a place for words, besides the values of flags. */
function takesWords({words, usage}: Command): boolean {
	const flag = /--[a-z-]+(?: [A-Z]+(?:\|[A-Z]+)*| [a-z]+(?:\|[a-z]+)+)?/gu;
	return /[A-Z]{2,}|\w\|\w/u.test(usage.slice(['sluice', ...words].join(' ').length).replaceAll(flag, ''));
}

/** The commands with a name that begins with these words; all of them for none. */
export function commandsBelow(words: readonly string[]): readonly Command[] {
	return commands.filter(command => namesOf(command).some(name => beginsWith(name, words)));
}

/** The command with the longest name that these words begin with, and that name. */
export function findCommand(
	words: readonly string[],
): {readonly command: Command; readonly name: readonly string[]} | undefined {
	return commands
		.flatMap(command => namesOf(command).map(name => ({command, name})))
		.filter(({name}) => (name.length > 0 || words.length === 0) && beginsWith(words, name))
		.sort((first, second) => second.name.length - first.name.length)[0];
}

/** The remedy of a wrong use: the help of the command, or of the noun, with which these words begin. Undefined: the help of the program. */
export function usageRemedy(words: readonly string[]): string | undefined {
	const found = findCommand(words);
	const name = found?.name ?? words.slice(0, groupLength(words));
	return name.length === 0
		? undefined
		: `Run \`sluice ${name.join(' ')} --help\` to see its ${found ? 'usage and examples' : 'commands'}`;
}

/** The number of words that name a group: with one more they begin no command. */
function groupLength(words: readonly string[]): number {
	const end = words.findIndex((_, index) => commandsBelow(words.slice(0, index + 1)).length === 0);
	return end === -1 ? words.length : end;
}

function unknownCommand(words: readonly string[]): Problem {
	// In a group that is there only the action can be wrong.
	const depth = groupLength(words);
	const group = words.slice(0, depth).join(' ');
	const typed = words.slice(0, depth + 1).join(' ');
	const names = commands
		.flatMap(namesOf)
		.map(name => name.join(' '))
		.filter(Boolean);
	const actions = names.filter(inGroup(group)).map(name => name.slice(group.length + 1));
	if (depth === words.length) {
		return new Problem('bad_usage', {message: `\`sluice ${typed}\` needs an action: ${actions.join(', ')}`});
	}

	const known = group === '' ? [...new Set(names.map(firstWord)), ...names] : names.filter(inGroup(group));
	const action = group === '' ? names.find(name => name.split(' ').slice(1).join(' ') === typed) : undefined;
	const suggestion =
		action ?? didYouMean(words.slice(0, Math.max(2, depth + 1)).join(' '), known) ?? didYouMean(typed, known);
	const hint = suggestion ? `; did you mean "sluice ${suggestion}${isWhole(suggestion) ? '' : ' --help'}"?` : '';
	return new Problem('bad_usage', {message: `Unknown command "${typed}"${hint}`});
}

/** True for the name of a command, or of a group that is listed: the rest of the groups only have a help. */
function isWhole(name: string): boolean {
	const words = name.split(' ');
	return (findCommand(words) ?? findCommand([...words, 'list'])) !== undefined;
}

function firstWord(name: string): string {
	return name.split(' ')[0] ?? name;
}

function inGroup(group: string): (name: string) => boolean {
	return name => name.startsWith(`${group} `);
}
