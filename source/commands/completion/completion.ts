import {type StatePaths, statePaths, stateRoot} from '../../config/read/state-paths.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Command, type CommandContext, type ControlSockets, type ExitCode} from '../cli/command.ts';
import {type Candidate, completeLine, readTypedWords} from './complete-line.ts';
import {type completionNames} from './completion-names.ts';
import {completionScripts, shells} from './completion-scripts.ts';
import {type Session} from '../cli/session.ts';

/**
`sluice completion bash|zsh|fish` prints the script of a shell; `sluice completion words -- WORDS…` is what these scripts ask:
a line for each word that could stand under the cursor, with the names of the state directory that the typed line is about.
*/
export async function runCompletion(
	context: CommandContext,
	commands: readonly Command[],
	session: Pick<Session, 'paths' | 'environment'>,
): Promise<ExitCode> {
	const [what, ...given] = context.arguments;
	const shell = shells.find(name => name === what);
	if (shell && given.length === 0) {
		context.stdout(completionScripts[shell]);
		return 0;
	}

	if (what !== 'words') {
		throw new Problem('bad_usage', {message: `Usage: sluice completion ${shells.join('|')}`});
	}

	const {words, prefix} = readTypedWords(given);
	const current = words.at(-1) ?? '';
	const candidates = await candidatesOf(words, commands, () => ({...context, paths: pathsOf(words, session)}));
	const lines = candidates.flatMap(({word, whole = word, summary}) => {
		const fitting = [word, whole].find(text => text.startsWith(current) && isPlain(text));
		return fitting === undefined ? [] : [`${prefix}${fitting}\t${safeText(summary)}\n`];
	});
	context.stdout(lines.join(''));
	return 0;
}

async function candidatesOf(
	words: readonly string[],
	commands: readonly Command[],
	place: () => Parameters<typeof completionNames>[1],
): Promise<readonly Candidate[]> {
	const completion = completeLine(words, commands);
	if (completion.kind === 'words') {
		return completion.candidates;
	}

	// Most words are known without a look at any file.
	const names = await import('./completion-names.ts');
	return names.completionNames(completion.of, place());
}

function pathsOf(
	words: readonly string[],
	{paths, environment}: Pick<Session, 'paths' | 'environment'>,
): StatePaths & ControlSockets {
	const home = valueBehind('--home', words);
	const root = home === undefined ? paths.root : stateRoot(environment, home);
	const {runtimeDirectory} = environment;
	const typedProfile = valueBehind('--profile', words);
	return {...statePaths({root, profile: typedProfile ?? paths.profile, runtimeDirectory}), typedProfile};
}

function valueBehind(flag: string, words: readonly string[]): string | undefined {
	const index = words.indexOf(flag);
	return index === -1 || index + 2 > words.length - 1 ? undefined : words[index + 1];
}

/** Names come from files; a shell must find nothing in them that it could take for more than a word. */
function isPlain(word: string): boolean {
	return /^[\w.:@+/-]+$/u.test(word);
}
