import {didYouMean} from '../../config/values/did-you-mean.ts';
import {type CallJson} from '../../state/json/call.ts';
import {type ToolJson} from '../../state/json/server.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command.ts';
import {readArguments} from '../cli/json-arguments.ts';
import {findTool, serverOfTool} from '../cli/tool-name.ts';
import {readAssignments, typedArguments} from '../cli/typed-arguments.ts';
import {jsonDocument} from '../cli/listing.ts';
import {remedyLine, runCommand} from '../cli/run-command.ts';
import {commandLine} from '../cli/words.ts';
import {type CallNote, type ParamsOf} from '../../state/api.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';

/** More than a result may have (docs/connections.md, Results): it is not cut a second time. */
const maximumCharacters = 4_000_000;

const usage = 'sluice mcp call NAME [ARGUMENT=VALUE …|--args JSON|@FILE|-] [--approve] [--json]';

/**
`sluice mcp call NAME [ARGUMENT=VALUE …|--args JSON|@FILE|-]`: one call through the only way to the tools as every other; 1 when it was denied or failed.
`serverNames`: those of the configuration, so that a call without a gateway starts one server.
*/
export function runMcpCall(
	context: CommandContext,
	openOwn: OpenOwnApi,
	serverNames: () => Promise<readonly string[]> = async () => [],
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const typed = await parseCall(context);
		const awaited = `the answer of ${safeText(typed.name, {maximumCharacters: 200})}`;
		const onNote = (note: CallNote) => context.stderr(noteText(context, note));
		let unasked: Problem | undefined;
		const answer = await withApi(context, openOwn, async api => {
			const call = await readCall(typed, api, serverNames);
			return reportWaiting(context, awaited, api.call('mcp.call', call, {onNote}));
		}).catch((error: unknown) => {
			unasked = toProblem(error);
			if (unasked.code === 'bad_usage') {
				throw unasked;
			}

			return failure(unasked);
		});
		if (context.flags.json) {
			context.stdout(jsonDocument(answer));
		} else {
			print(context, answer);
			// Nobody was asked, so the answer has no advice of its own.
			context.stderr(unasked ? remedyLine(unasked) : '');
		}

		return 'error' in answer ? 1 : 0;
	});
}

/** The hint for a person about a call that waits. */
function noteText(context: Pick<CommandContext, 'nameCommands'>, note: CallNote): string {
	if (note.type === 'hold.waiting') {
		return `sluice: Everything is held, so the call waits. Release it with: ${commandLine(context, 'sluice unhold')}\n`;
	}

	const {id} = note;
	const answer =
		id === undefined
			? 'No gateway is running, so it cannot be answered elsewhere. Press Ctrl-C and add --approve to allow this one call.'
			: `Answer in the dashboard or with: ${commandLine(context, `sluice approvals allow ${safeText(id)}`)}`;
	return `sluice: The call waits for an approval. ${answer}\n`;
}

/** A call as it was typed: the types of the arguments are those of the tool. */
type TypedCall = ParamsOf<'mcp.call'> & {readonly assignments: ReturnType<typeof readAssignments>};

async function parseCall({arguments: [name, ...words], flags, signal}: CommandContext): Promise<TypedCall> {
	if (name === undefined) {
		throw new Problem('bad_usage', {message: `Usage: ${usage}`});
	}

	const assignments = readAssignments(words, usage);
	if (assignments.length > 0 && flags.args !== undefined) {
		throw new Problem('bad_usage', {message: 'Give the arguments as ARGUMENT=VALUE or with --args, not both'});
	}

	return {name, arguments: await readArguments(flags.args, signal), approve: flags.approve ?? false, assignments};
}

/** The call of the tool that was named. A registered name with JSON needs no look at the tools. */
async function readCall(
	{assignments, ...call}: TypedCall,
	api: CommandApi,
	serverNames: () => Promise<readonly string[]>,
): Promise<ParamsOf<'mcp.call'>> {
	if (assignments.length === 0 && !call.name.includes('/')) {
		return call;
	}

	const server = api.of === 'process' ? serverOfTool(call.name, await serverNames()) : undefined;
	const tools = await api.call('mcp.tools', server === undefined ? {} : {server});
	const tool = findTool(call.name, tools);
	if (!tool) {
		throw await unknownTool(call.name, tools, api);
	}

	return {
		...call,
		name: tool.name,
		arguments: assignments.length === 0 ? call.arguments : typedArguments(assignments, tool.input_schema),
	};
}

/** A server that is not connected has no tools, and its state says why. */
async function unknownTool(typed: string, tools: readonly ToolJson[], {call}: CommandApi): Promise<Problem> {
	const shown = safeText(typed, {maximumCharacters: 100});
	const servers = await call('mcp.list', {});
	const name = serverOfTool(
		typed,
		servers.map(server => server.name),
	);
	const server = servers.find(one => one.name === name && one.state !== 'connected');
	if (server && !tools.some(tool => tool.server === server.name)) {
		const reason = server.reason === null ? '' : `: ${safeText(server.reason)}`;
		return new Problem('server_unavailable', {
			message: `The server of ${shown} is ${server.state}${reason}`,
			scope: {kind: 'server', name: server.name},
		});
	}

	const meant = didYouMean(
		typed,
		tools.map(tool => (typed.includes('/') ? `${tool.server}/${tool.tool}` : tool.name)),
	);
	const hint = meant === undefined ? '' : `; did you mean "${safeText(meant)}"?`;
	return new Problem('unknown_tool', {message: `There is no tool "${shown}"${hint}`});
}

function failure(problem: Problem): CallJson {
	return {error: {code: problem.code, message: problemLine(problem)}};
}

function print(context: CommandContext, answer: CallJson): void {
	if ('error' in answer) {
		const {code, message} = answer.error;
		context.stderr(`sluice: ${code}: ${safeText(message, {multiline: true})}\n`);
		return;
	}

	const structured = answer.structuredContent ? [JSON.stringify(answer.structuredContent, null, 2)] : [];
	for (const text of [...(answer.result === '' ? [] : [answer.result]), ...structured]) {
		context.stdout(`${safeText(text, {multiline: true, maximumCharacters})}\n`);
	}
}
