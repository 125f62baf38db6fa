import {didYouMean} from '../../config/values/did-you-mean.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {approvalCommands} from '../approvals/approval-commands.ts';
import {configCommands} from '../config/config-commands.ts';
import {cronCommands} from '../cron/cron-commands.ts';
import {eventCommands} from '../events/event-commands.ts';
import {gatewayCommands} from '../gateway/gateway-commands.ts';
import {mcpCommands} from '../mcp/mcp-commands.ts';
import {runCommands} from '../runs/run-commands.ts';
import {serviceCommands} from '../service/service-commands.ts';
import {webhookCommands} from '../webhook/webhook-commands.ts';
import {type Command} from './command.ts';
import {ownMove} from './in-process.ts';

/** Every command (docs/cli.md, Conventions). Help, completion and dispatch are made from it. */
export const commands: readonly Command[] = [
	...gatewayCommands,
	...configCommands,
	...mcpCommands,
	...webhookCommands,
	...cronCommands,
	...approvalCommands,
	...eventCommands,
	...runCommands,
	...serviceCommands,
	{
		words: ['journal', 'move'],
		usage: 'sluice journal move [--dry-run] [--json]',
		summary: 'Copy journal.db into the PostgreSQL database of `journal.url`, with the gateway stopped',
		details:
			'Copies every row under its number and id in one transaction, reads all of them again and compares. Whatever\nends it before, Ctrl-C too, leaves the database without any. journal.db stays as it is.',
		flags: ['dryRun', 'json'],
		flagTexts: {dryRun: {summary: 'Only say whether it could be moved, and count the rows'}},
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
	if (found && (found.words.length > 0 || words.length === 0)) {
		return {command: found, rest: words.slice(found.words.length)};
	}

	throw unknownCommand(words.map(word => safeText(word, {maximumCharacters: 40})));
}

/** Throws `bad_usage` for words that are neither a command, with more behind it, nor a group. */
export function refuseUnknownWords(words: readonly string[]): void {
	if (findCommand(words) === undefined && commandsBelow(words).length === 0) {
		throw unknownCommand(words.map(word => safeText(word, {maximumCharacters: 40})));
	}
}

/** The commands whose names begin with these words; all of them for none. */
export function commandsBelow(words: readonly string[]): readonly Command[] {
	return commands.filter(command => words.every((word, index) => command.words[index] === word));
}

/** The command with the longest name that these words begin with. */
function findCommand(words: readonly string[]): Command | undefined {
	return commands
		.filter(command => command.words.length > 0 || words.length === 0)
		.filter(command => command.words.every((word, index) => words[index] === word))
		.sort((first, second) => second.words.length - first.words.length)[0];
}

function unknownCommand(words: readonly string[]): Problem {
	// In a group that is there only the action can be wrong.
	const group = commandsBelow(words.slice(0, 1)).length > 0 ? words[0] : undefined;
	const typed = words.slice(0, group === undefined ? 1 : 2).join(' ');
	const names = commands.map(command => command.words.join(' ')).filter(Boolean);
	const actions = names.filter(inGroup(group ?? '')).map(name => name.split(' ').slice(1).join(' '));
	if (words.length === 1 && actions.length > 0) {
		return new Problem('bad_usage', {message: `\`sluice ${typed}\` needs an action: ${actions.join(', ')}`});
	}

	const known = group === undefined ? [...new Set(names.map(firstWord)), ...names] : names.filter(inGroup(group));
	const action = group === undefined ? names.find(name => name.split(' ').slice(1).join(' ') === typed) : undefined;
	const suggestion = action ?? didYouMean(words.slice(0, 2).join(' '), known) ?? didYouMean(typed, known);
	const hint = suggestion ? `; did you mean "sluice ${suggestion}${isWhole(suggestion) ? '' : ' --help'}"?` : '';
	return new Problem('bad_usage', {message: `Unknown command: ${typed}${hint}`});
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
	return name => firstWord(name) === group;
}
