import {type Command} from '../../source/commands/cli/command.ts';
import {parseCommandLine} from '../../source/commands/cli/parse-command-line.ts';
import {typedCommand} from './typed-command.ts';

/** The commands of the program that a remedy names, in backticks, and that the program would refuse as they are written. */
export function refusedCommands(remedy: string): readonly string[] {
	const named = Array.from(remedy.matchAll(/`sluice ([^`]+)`/gu), match => match[1] ?? '');
	return named.filter(line => {
		try {
			// A quoted text is one word, and NOUN is any noun.
			const words = line
				.replace(/^NOUN(?= --help$)/u, 'mcp')
				.replaceAll(/'[^']*'/gu, 'quoted')
				.split(' ');
			return lacksWords(typedCommand(words), words);
		} catch {
			return true;
		}
	});
}

/** True for a command without a word or flag that its usage does not put in brackets; `--help` needs none. */
function lacksWords({usage, words: own}: Pick<Command, 'usage' | 'words'>, typed: readonly string[]): boolean {
	if (typed.includes('--help')) {
		return false;
	}

	const [needed = '', otherwise = ''] = withoutBrackets(usage).split(' | ');
	const isOtherwise = otherwise !== '' && otherwise.split(' ').some(flag => typed.includes(flag));
	const flags = needed.match(/--[a-z-]+/gu) ?? [];
	const places = needed.replaceAll(/--[a-z-]+ [A-Z]+/gu, '').match(/\b[A-Z]{2,}(?:[.|][A-Z]+)*/gu) ?? [];
	const rest = parseCommandLine(typed).words.slice(own.length);
	return !isOtherwise && (rest.length < places.length || flags.some(flag => !typed.includes(flag)));
}

/** A usage without its optional parts, which may be nested. */
function withoutBrackets(usage: string): string {
	const shorter = usage.replaceAll(/\[[^[\]]*\]/gu, '');
	return shorter === usage ? usage : withoutBrackets(shorter);
}
