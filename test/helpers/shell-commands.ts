/** One command of a shell script: its words without quotes, and whether its input or output goes to another command or file. */
export type ShellCommand = {readonly words: readonly string[]; readonly line: string; readonly plain: boolean};

const token = /#.*|\\\n|\s+|\|\||&&|2?>>?&?\d*|<\(|[|&;()<]|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\|&;()<>])+/gsu;

/** The commands of a script as people write them in documentation: quotes, comments, pipes, lists, redirections, process substitution. */
export function shellCommands(script: string): readonly ShellCommand[] {
	return script
		.replaceAll('\\\n', ' ')
		.split('\n')
		.flatMap(line => commandsOf(line));
}

function commandsOf(line: string): readonly ShellCommand[] {
	const commands: string[][] = [[]];
	let plain = true;
	let isFile = false;
	for (const [text] of line.matchAll(token)) {
		if (text.startsWith('#') || text.trim() === '') {
			continue;
		}

		if (/^2?>/u.test(text) || text === '<') {
			isFile = true;
		} else if (/^(?:\|\||&&|<\(|[|&;()])$/u.test(text)) {
			plain = false;
			commands.push([]);
		} else if (isFile) {
			isFile = false;
		} else {
			commands.at(-1)?.push(unquoted(text));
		}
	}

	return commands.filter(words => words.length > 0).map(words => ({words, line, plain}));
}

function unquoted(text: string): string {
	return text.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'|\\./gsu, part => {
		const inner = part.slice(1, part.startsWith('\\') ? undefined : -1);
		return part.startsWith('"') ? inner.replaceAll(/\\(["\\$`])/gu, '$1') : inner;
	});
}
