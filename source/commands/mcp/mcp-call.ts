import {type CallJson} from '../../state/json/call.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command.ts';
import {readArguments} from '../cli/json-arguments.ts';
import {jsonDocument} from '../cli/listing.ts';
import {remedyLine, runCommand} from '../cli/run-command.ts';
import {commandLine} from '../cli/words.ts';
import {type CallNote} from '../../state/api.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';

/** More than a result may have (docs/tool-servers.md, Results): it is not cut a second time. */
const maximumCharacters = 4_000_000;

/** `sluice mcp call NAME [--args JSON] [--approve] [--json]`: one call through the only way to the tools as every other; 1 when it was denied or failed. */
export function runMcpCall(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		const call = parseCall(context);
		const awaited = `the answer of ${safeText(call.name, {maximumCharacters: 200})}`;
		const onNote = (note: CallNote) => context.stderr(noteText(context, note));
		let unasked: Problem | undefined;
		const answer = await withApi(context, openOwn, api =>
			reportWaiting(context, awaited, api.call('mcp.call', call, {onNote})),
		).catch((error: unknown) => failure((unasked = toProblem(error))));
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
			? 'No gateway is running, so nobody else can answer. Press Ctrl-C and add --approve to allow this one call.'
			: `Answer in the dashboard or with: ${commandLine(context, `sluice approvals allow ${safeText(id)}`)}`;
	return `sluice: The call waits for an approval. ${answer}\n`;
}

function parseCall(context: CommandContext): {name: string; arguments: JsonObject; approve: boolean} {
	const [name, ...rest] = context.arguments;
	if (name === undefined || rest.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice mcp call NAME [--args JSON] [--approve] [--json]'});
	}

	return {name, arguments: readArguments(context.flags.args), approve: context.flags.approve ?? false};
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
