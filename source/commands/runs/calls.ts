import {type CallDetailJson} from '../../state/json/call.ts';
import {resolutionWords} from '../../state/answered.ts';
import {callTable, outcomeText} from '../../state/entities/call.ts';
import {decisionText} from '../../state/entities/decision.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {callLines, fact} from '../approvals/request-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords, onlyWord} from '../cli/words.ts';
import {readLimit} from './row-limit.ts';

/** `sluice calls list`: the newest tool calls, from the journal. */
export function runCallsList(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice calls list [--limit N] [--json]');
		const limit = readLimit(context.flags);
		const calls = await withApi(context, openOwn, ({call}) => call('calls.list', {limit}));
		await printRows(context, calls, {...callTable, none: 'No calls are stored.'});
		return 0;
	});
}

/** `sluice calls show ID`: arguments, result and decision of a call. */
export function runCallsShow(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, 'sluice calls show ID [--json]');
		const call = await withApi(context, openOwn, ({call}) => call('calls.show', {id}));
		if (!call) {
			throw new Problem('unknown_call', {message: `There is no call with the id ${safeText(id)}`});
		}

		context.stdout(context.flags.json ? jsonDocument(call) : callDocument(call));
		return 0;
	});
}

/** A person's decision about an uncertain call. */
function resolvedText({resolution, resolved_by: by}: CallDetailJson): string {
	return resolution === null ? '' : resolutionWords({resolution, by: by ?? undefined});
}

const maxAnswerCharacters = 1_000_000;

function callDocument(call: CallDetailJson): string {
	const {answer, decision, ms} = call;
	return `${[
		...fact('id', call.id),
		...fact('time', dateAndTime(call.time)),
		...fact('outcome', outcomeText(call)),
		...fact('ms', ms === null ? '' : String(Math.round(ms))),
		...fact('decision', decision === null ? '' : decisionText(decision)),
		...fact('resolved', resolvedText(call)),
		...callLines(call),
		'result:',
		answer === null ? '(not stored)' : safeText(answer, {multiline: true, maximumCharacters: maxAnswerCharacters}),
	].join('\n')}\n`;
}
