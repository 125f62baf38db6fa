import {type CommandClient} from '../../control/client.ts';
import {type ApprovalScope, approvalScopes} from '../../state/approval-event.ts';
import {approvalTable} from '../../state/entities/approval.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {withClient, withRunning} from '../cli/connect-gateway.ts';
import {printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {allowApproval, reportAnswer} from './allow-approval.ts';

const usage =
	'Usage: sluice approvals list [--json] | allow ID [--scope once|run|session|always] [--hash HASH] | deny ID [--message TEXT]';

/** `sluice approvals list|allow|deny`: what a running gateway is waiting for, answered from another terminal. */
export function runApprovals(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [action = 'list', ...words] = context.arguments;
		switch (action) {
			case 'list':
				expectWords(words, 0);
				return withClient(context, client => listApprovals(context, client));
			case 'allow': {
				expectWords(words, 1);
				const wanted = {id: words[0] ?? '', scope: parseScope(context.flags)};
				return withRunning(context, client => allowApproval(context, client, wanted));
			}

			case 'deny':
				expectWords(words, 1);
				refuse(context.flags.scope, '--scope is only for `sluice approvals allow`');
				refuse(context.flags.hash, '--hash is only for `sluice approvals allow`');
				return withRunning(context, client => deny(context, client, words[0] ?? ''));
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

/** The scope of an approval. Throws `bad_usage` for any other word, and for `--message`, a flag of `deny`. */
function parseScope({scope = 'once', message}: CommandFlags): ApprovalScope {
	refuse(message, '--message is only for `sluice approvals deny`');
	const known = approvalScopes.find(one => one === scope);
	if (!known) {
		throw new Problem('bad_usage', {message: '--scope must be once, run, session or always'});
	}

	return known;
}

function refuse(flag: string | undefined, message: string): void {
	if (flag !== undefined) {
		throw new Problem('bad_usage', {message});
	}
}

/** Denies what waits. Needs no hash: it lets nothing happen. */
async function deny(context: CommandContext, client: CommandClient, id: string): Promise<ExitCode> {
	const {signal, flags} = context;
	const {message} = flags;
	const params = {id, ...(message !== undefined && {message})};
	const answered = await client.call('approvals.deny', params, {signal});
	return reportAnswer(context, {id, done: 'Denied.', answered});
}

/** Prints what waits for a person. Without a gateway nothing waits. */
async function listApprovals(context: CommandContext, client: CommandClient | undefined): Promise<ExitCode> {
	const approvals = client ? await client.call('approvals.list', {}, {signal: context.signal}) : [];
	await printRows(context, approvals, {
		...approvalTable,
		none: client ? 'Nothing is waiting for an answer.' : 'No gateway is running, so nothing is waiting for an answer.',
	});
	return 0;
}
