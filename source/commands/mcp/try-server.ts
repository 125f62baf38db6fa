import {type SeparatedEntry} from '../../config/secrets/entry-secrets.ts';
import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type ToolDefinition} from '../../mcp/connection.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, reportWaiting} from '../cli/command.ts';
import {type Dialog} from '../cli/dialog.ts';
import {answerText} from './probe-text.ts';

/** A new server, how it is tried, and who is asked. */
export type Trial = {
	readonly server: SeparatedEntry & {readonly name: string};
	readonly probe: (server: Trial['server'], signal: AbortSignal) => Promise<ProbeReport>;
	readonly dialog: Dialog | undefined;
};

/** The entry of a new server as it is to be written, and how the server answered. */
export type TriedServer = {readonly entry: JsonObject; readonly report?: ProbeReport};

/** The tools a person wants: all of them, or these. */
type ToolChoice = 'all' | readonly string[];

/** Connects a new server and asks which of its tools are wanted. Throws when it did not answer and nobody wants it all the same. */
export async function tryServer(
	context: Pick<CommandContext, 'flags' | 'stderr' | 'signal' | 'clock'>,
	{server, probe, dialog}: Trial,
): Promise<TriedServer> {
	if (context.flags.probe === false) {
		return {entry: server.entry};
	}

	context.stderr(`Connecting to ${server.name} …\n`);
	const report = await reportWaiting(context, server.name, probe(server, context.signal));
	context.stderr(`${answerText(server.name, report)}\n`);
	if (report.state === 'connected') {
		return {entry: await withChosenTools(context, {dialog, report, entry: server.entry}), report};
	}

	const isWanted = context.flags.yes || (await dialog?.confirm('Add it anyway?', 'no'));
	if (!isWanted) {
		throw dialog
			? new Problem('cancelled', {message: 'Nothing was changed'})
			: new Problem('server_unavailable', {message: 'It was not added; --yes adds it anyway'});
	}

	return {entry: server.entry, report};
}

async function withChosenTools(
	context: Pick<CommandContext, 'stderr'>,
	{dialog, report, entry}: {readonly report: ProbeReport; readonly entry: JsonObject} & Pick<Trial, 'dialog'>,
): Promise<JsonObject> {
	if (!dialog || entry['tools'] !== undefined || report.tools.length === 0) {
		return entry;
	}

	const choice = await askForTools(context, dialog, report.tools);
	return choice === 'all' ? entry : {...entry, tools: {include: choice}};
}

/** Shows the tools of a server and asks which of them are wanted, until the answer is one. */
async function askForTools(
	context: Pick<CommandContext, 'stderr'>,
	dialog: Dialog,
	tools: readonly ToolDefinition[],
): Promise<ToolChoice> {
	const names = tools.map(tool => tool.name);
	context.stderr(toolLines(tools));
	for (;;) {
		const answer = await dialog.ask('Which of them? Enter for all, none, or numbers or names like 1,3-5');
		const choice = readToolChoice(answer, names);
		if (choice !== undefined) {
			return choice;
		}

		context.stderr('That does not match a tool in this list.\n');
	}
}

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

/** The tools of a server, numbered, with what they claim to do. */
export function toolLines(tools: readonly ToolDefinition[]): string {
	const width = Math.min(Math.max(0, ...tools.map(tool => tool.name.length)), 40);
	return tools
		.map(({name, title, description = '', annotations}, index) => {
			const number = String(index + 1).padStart(4);
			const claim = annotations?.readOnlyHint === true ? 'read-only' : 'may change';
			const [firstLine = ''] = (title ?? description).split('\n', 1);
			const words = safeText(firstLine, {maximumCharacters: 60});
			return `${number}  ${safeText(name, {maximumCharacters: 60}).padEnd(width)}  ${claim}  ${words}`.trimEnd();
		})
		.map(line => `${line}\n`)
		.join('');
}
