import {type ToolDefinition} from '../../mcp/connection.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {type Dialog} from '../cli/dialog.ts';

/** The tools a person wants: all of them, or these. */
export type ToolChoice = 'all' | readonly string[];

/** Reads an answer: empty or `all`, `none`, or numbers, ranges and names separated by commas or blanks. Undefined when a part of it names nothing. */
export function readToolChoice(answer: string, names: readonly string[]): ToolChoice | undefined {
	if (answer === '' || answer === 'all') {
		return 'all';
	}

	if (answer === 'none') {
		return [];
	}

	const chosen = answer.split(/[\s,]+/u).map(part => readPart(part, names));
	const known = chosen.filter(part => part !== undefined);
	return known.length === chosen.length ? names.filter(name => known.flat().includes(name)) : undefined;
}

function readPart(part: string, names: readonly string[]): readonly string[] | undefined {
	const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/u.exec(part) ?? [];
	if (first !== '') {
		const chosen = names.slice(Math.max(Number(first) - 1, 0), Number(last));
		return Number(first) >= 1 && Number(last) <= names.length && chosen.length > 0 ? chosen : undefined;
	}

	return names.includes(part) ? [part] : undefined;
}

/** Shows the tools of a server and asks which of them are wanted, until the answer is one. */
export async function askForTools(
	context: Pick<CommandContext, 'stderr'>,
	dialog: Dialog,
	tools: readonly ToolDefinition[],
): Promise<ToolChoice> {
	const names = tools.map(tool => tool.name);
	context.stderr(toolLines(tools));
	for (;;) {
		const answer = await dialog.ask('Which of them? Enter for all; numbers or names like 1,3-5; none');
		const choice = readToolChoice(answer, names);
		if (choice !== undefined) {
			return choice;
		}

		context.stderr('That names no tool of this list.\n');
	}
}

/** The tools of a server, numbered, with what they claim to do. */
export function toolLines(tools: readonly ToolDefinition[]): string {
	const width = Math.min(Math.max(0, ...tools.map(tool => tool.name.length)), 40);
	return tools
		.map(({name, title, description = '', annotations}, index) => {
			const number = String(index + 1).padStart(4);
			const claim = annotations?.readOnlyHint === true ? 'reads only' : 'may change';
			const [firstLine = ''] = (title ?? description).split('\n', 1);
			const words = safeText(firstLine, {maximumCharacters: 60});
			return `${number}  ${safeText(name, {maximumCharacters: 60}).padEnd(width)}  ${claim}  ${words}`.trimEnd();
		})
		.map(line => `${line}\n`)
		.join('');
}
