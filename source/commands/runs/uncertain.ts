import {type UncertainEndJson} from '../../state/json/call.ts';
import {type CommandClient} from '../../control/client.ts';
import {type ResultOf} from '../../state/api.ts';
import {resolutionWords} from '../../state/answered.ts';
import {uncertainTable} from '../../state/entities/uncertain.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {exactLine} from '../../util/exact-text.ts';
import {shownId} from '../../util/id-part.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {confirmShown} from '../approvals/allow-approval.ts';
import {callLines, reviewLines} from '../approvals/request-text.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi, withRunning} from '../cli/connect-gateway.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords, onlyWord} from '../cli/words.ts';

/** `sluice uncertain list`: calls whose outcome nobody knows, from the journal. */
export function runUncertainList(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice uncertain list [--json]');
		const calls = await withApi(context, openOwn, ({call}) => call('uncertain.list', {}));
		await printRows(context, calls, {...uncertainTable, none: 'No call is uncertain.'});
		return 0;
	});
}

type Resolution = 'happened' | 'didNotHappen' | 'repeat';

const usage = 'sluice uncertain resolve ID --happened|--did-not-happen|--repeat [--hash HASH] [--json]';

/** `sluice uncertain resolve ID`: what a person found about a call, or the same call once more (docs/approvals.md, Uncertain calls). */
export function runUncertainResolve(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, usage);
		const resolution = readResolution(context.flags);
		return withRunning(context, client =>
			resolution === 'repeat' ? repeat(context, client, id) : resolve(context, client, {id, resolution}),
		);
	});
}

/** Exactly one of the three. Throws `bad_usage`. */
function readResolution(flags: CommandFlags): Resolution {
	const [resolution, ...others] = (['happened', 'didNotHappen', 'repeat'] as const).filter(name => flags[name]);
	if (resolution === undefined || others.length > 0) {
		throw new Problem('bad_usage', {message: `Usage: ${usage}`});
	}

	if (flags.hash !== undefined && resolution !== 'repeat') {
		throw new Problem('bad_usage', {message: '--hash needs --repeat'});
	}

	return resolution;
}

async function resolve(
	context: CommandContext,
	client: CommandClient,
	{id, resolution}: {readonly id: string; readonly resolution: Exclude<Resolution, 'repeat'>},
): Promise<ExitCode> {
	const {answer, end} = await client.call(
		'uncertain.resolve',
		{id, resolution: resolution === 'happened' ? 'done' : 'not_done'},
		{signal: context.signal},
	);
	if (context.flags.json) {
		context.stdout(jsonDocument({id, answer, end}));
	}

	if (answer === 'already-settled') {
		return gone(context, id, end);
	}

	context.stderr(resolution === 'happened' ? 'Noted: it happened.\n' : 'Noted: it did not happen.\n');
	return 0;
}

/** Shows the whole call, has it confirmed, and sends exactly that one again. The person's yes is its approval. */
async function repeat(context: CommandContext, client: CommandClient, typed: string): Promise<ExitCode> {
	const {signal, flags} = context;
	const {call, end} = await client.call('uncertain.show', {id: typed}, {signal});
	if (!call) {
		if (flags.json) {
			context.stdout(jsonDocument({id: typed, answer: 'already-settled', call: null, end}));
		}

		return gone(context, typed, end);
	}

	const {id, review_hash: shown = call.arguments_hash} = call;
	const head = `Uncertain call ${shownId(id)}, ${dateAndTime(call.time)}: it may have taken effect already.`;
	context.printExact(
		`${[head, ...callLines({...call, tool: exactLine(call.tool)}), ...reviewLines(call)].join('\n')}\n`,
	);
	const decision = await confirmShown(context, {question: 'Repeat this call?', shown, request: call});
	if (decision === 'no') {
		context.stderr('Nothing was repeated.\n');
		return 1;
	}

	const repeated =
		decision === 'changed'
			? ({answer: 'changed', call: null, end: null} as const)
			: await client.call('uncertain.repeat', {id, arguments_hash: shown}, {signal});
	if (flags.json) {
		context.stdout(jsonDocument({id, ...repeated}));
	}

	return reportRepeated(context, id, repeated);
}

function reportRepeated(
	context: CommandContext,
	id: string,
	{answer, call, end}: ResultOf<'uncertain.repeat'>,
): ExitCode {
	if (answer === 'already-settled') {
		return gone(context, id, end);
	}

	if (answer === 'changed' || !call) {
		context.stderr('sluice: That is not the hash of this call; nothing was repeated. Review it again.\n');
		return 1;
	}

	if ('error' in call) {
		context.stderr(`sluice: ${safeText(`${call.error.message} (${call.error.code})`)}\n`);
		return 1;
	}

	if (!context.flags.json) {
		context.stdout(`${safeText(call.result, {multiline: true, maximumCharacters: 2_000_000})}\n`);
	}

	context.stderr('Repeated.\n');
	return 0;
}

/** Says what became of a call before this decision, and by whom. */
function gone(context: CommandContext, id: string, end: UncertainEndJson): ExitCode {
	const name = safeText(id, {maximumCharacters: 100});
	context.stderr(
		end
			? `sluice: The call ${name} is no longer waiting: it was ${safeText(resolutionWords(end))}\n`
			: `sluice: No uncertain call has the id ${name}; \`sluice calls show ${shellWord(name)}\` shows its outcome\n`,
	);
	return 1;
}
