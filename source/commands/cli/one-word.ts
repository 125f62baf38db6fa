import {Problem} from '../../util/problem.ts';
import {type CommandContext} from './command.ts';

/** The one word that a command takes. Throws `bad_usage` with its usage. */
export function oneWord(context: CommandContext, usage: string): string {
	const [word, ...others] = context.arguments;
	if (word === undefined || others.length > 0) {
		throw new Problem('bad_usage', {message: usage});
	}

	return word;
}
