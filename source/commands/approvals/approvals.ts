import {type ControlClient} from '../../control/client.ts';
import {type ControlParams} from '../../control/methods.ts';
import {type ApprovalJson} from '../../control/wire.ts';
import {hiddenWords} from '../../state/approval-event.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';

type Answer = ControlParams<'approvals.answer'>;

const usage =
	'Usage: sluice approvals list [--json] | allow ID [--scope once|session|always] | deny ID [--message TEXT]';

/** `sluice approvals list|allow|deny`: what a running gateway is waiting for, answered from another terminal. */
export function runApprovals(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [action = 'list', ...words] = context.arguments;
		switch (action) {
			case 'list':
				expectWords(words, 0);
				return withClient(context, client => listApprovals(context, client));
			case 'allow':
			case 'deny': {
				expectWords(words, 1);
				const answer = parseAnswer(action, words[0] ?? '', context.flags);
				return withClient(context, client => answerApproval({context, client, answer}));
			}
			default:
				throw new Problem('bad_usage', {message: usage});
		}
	});
}

function expectWords(words: readonly string[], count: number): void {
	if (words.length !== count) {
		throw new Problem('bad_usage', {message: usage});
	}
}

/** The answer a person typed. A flag that does not belong to it is refused rather than ignored. */
function parseAnswer(action: 'allow' | 'deny', id: string, flags: CommandFlags): Answer {
	if (action === 'deny') {
		refuse(flags.scope, '--scope belongs to `allow`');
		return {id, verdict: {kind: 'deny', message: flags.message}};
	}

	refuse(flags.message, '--message belongs to `deny`');
	const scope = flags.scope ?? 'once';
	if (scope !== 'once' && scope !== 'session' && scope !== 'always') {
		throw new Problem('bad_usage', {message: '--scope must be once, session or always'});
	}

	return {id, verdict: {kind: 'approve', scope}};
}

function refuse(flag: string | undefined, message: string): void {
	if (flag !== undefined) {
		throw new Problem('bad_usage', {message});
	}
}

/** Hands the answer to the running gateway. Fails when somebody else, or time, was faster. */
async function answerApproval(request: {
	readonly context: CommandContext;
	readonly client: ControlClient | undefined;
	readonly answer: Answer;
}): Promise<ExitCode> {
	const {context, client, answer} = request;
	if (!client) {
		throw new Problem('gateway_not_running');
	}

	const result = await client.call('approvals.answer', answer, {signal: context.signal});
	switch (result.answer) {
		case 'resolved':
			context.stderr(answer.verdict.kind === 'approve' ? 'Allowed.\n' : 'Denied.\n');
			return 0;
		case 'already-settled':
			context.stderr(
				`sluice: Nothing with the id ${safeText(answer.id, {maximumCharacters: 100})} is waiting for an answer any more.\n`,
			);
			return 1;
		case 'changed':
			context.stderr('sluice: The arguments of the call have changed; review it again.\n');
			return 1;
	}
}

/** Prints what waits for a person. Without a gateway nothing waits. */
async function listApprovals(context: CommandContext, client: ControlClient | undefined): Promise<ExitCode> {
	const approvals = client ? await client.call('approvals.list', {}, {signal: context.signal}) : [];
	await printRows(context, approvals, {
		titles: ['ID', 'SERVER', 'TOOL', 'ARGUMENTS', 'FROM', 'UNTIL'],
		cells: row,
		none: client ? 'Nothing is waiting for an answer.' : 'No gateway is running, so nothing is waiting for an answer.',
	});
	return 0;
}

function row(approval: ApprovalJson): string[] {
	return [
		shownId(approval.id),
		approval.server,
		approval.tool,
		argumentWords(approval),
		originText(approval.origin),
		timeOfDay(approval.expires_at),
	];
}

/** What is not shown comes first: the end of a long cell is cut. */
function argumentWords({arguments: shown, cut_bytes: cutBytes, masked_values: maskedValues}: ApprovalJson): string {
	const hidden = hiddenWords({cutBytes, maskedValues});
	return `${hidden.length > 0 ? `(${hidden.join(', ')}) ` : ''}${JSON.stringify(shown)}`;
}

/** The caller in a few words; each part of a run says what it is. */
function originText({kind, ...rest}: ApprovalJson['origin']): string {
	const known = Object.entries(rest).flatMap(([name, value]) =>
		typeof value === 'string' && value !== ''
			? [{name: name.replace(/_id$/u, ''), value: name === 'run_id' ? shownId(value) : value}]
			: [],
	);
	return kind === 'run'
		? known.map(({name, value}) => `${name} ${value}`).join(' · ')
		: [kind, ...known.map(({value}) => value)].join(' ');
}
