import {didYouMean} from '../config/did-you-mean.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Command, commands, plannedCommands} from './command-table.ts';

/** The command a person named, with the words behind its name. Throws `bad_usage` or `not_supported_yet`. */
export function routeWords(words: readonly string[]): {readonly command: Command; readonly rest: readonly string[]} {
	const command = commands
		.filter(candidate => candidate.words.every((word, index) => words[index] === word))
		.sort((first, second) => second.words.length - first.words.length)[0];
	if (command && (command.words.length > 0 || words.length === 0)) {
		return {command, rest: words.slice(command.words.length)};
	}

	throw unknownCommand(words.map(word => safeText(word, {maximumCharacters: 40})));
}

function unknownCommand(words: readonly string[]): Problem {
	const typed = words.slice(0, 2).join(' ');
	const planned = plannedCommands.find(name => typed === name || words[0] === name);
	if (planned) {
		return new Problem('not_supported_yet', {message: `not supported yet: sluice ${planned}`});
	}

	const known = [...commands.map(command => command.words.join(' ')).filter(name => name !== ''), ...plannedCommands];
	const suggestion = didYouMean(typed, known) ?? didYouMean(words[0] ?? '', [...new Set(known.map(firstWord))]);
	const hint = suggestion ? `; did you mean "sluice ${suggestion}"?` : '';
	return new Problem('bad_usage', {message: `Unknown command: ${typed}${hint}`});
}

function firstWord(name: string): string {
	return name.split(' ')[0] ?? name;
}
