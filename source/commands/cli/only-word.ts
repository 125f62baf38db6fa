import {Problem} from '../../util/problem.ts';
import {type CommandContext} from './command.ts';

/** The one word behind the name of a command. Throws `bad_usage` when there is none, or more. */
export function onlyWord({arguments: [word, ...others]}: Pick<CommandContext, 'arguments'>, usage: string): string {
	if (word === undefined || others.length > 0) {
		throw new Problem('bad_usage', {message: `Usage: ${usage}`});
	}

	return word;
}
