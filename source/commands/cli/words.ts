import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from './command.ts';

/** The one word behind the name of a command. Throws `bad_usage` when there is none, or more. */
export function onlyWord({arguments: [word, ...others]}: Pick<CommandContext, 'arguments'>, usage: string): string {
	if (word === undefined) {
		throw new Problem('bad_usage', {message: `A word is missing. Usage: ${usage}`});
	}

	noWords({arguments: others}, usage);
	return word;
}

/** Throws `bad_usage` when there are words behind the name of a command that takes none. */
export function noWords({arguments: [extra]}: Pick<CommandContext, 'arguments'>, usage: string): void {
	if (extra !== undefined) {
		const shown = safeText(extra, {maximumCharacters: 40});
		throw new Problem('bad_usage', {message: `"${shown}" is one word too many. Usage: ${usage}`});
	}
}

/** The items of a list as flags have it: separated by commas. */
export function listOf(text: string): string[] {
	return text
		.split(',')
		.map(item => item.trim())
		.filter(item => item !== '');
}

/** A command of ours as one types it, with the flags of this start. */
export function commandLine({nameCommands}: Pick<CommandContext, 'nameCommands'>, command: string): string {
	return nameCommands(`\`${command}\``).slice(1, -1);
}
