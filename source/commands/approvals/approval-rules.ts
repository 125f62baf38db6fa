import {type ControlResult} from '../../control/methods.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Closable, withGateway} from '../cli/connect-gateway.ts';

/** The remembered approvals, whichever process holds them. */
type RuleAccess = {
	readonly list: () => Promise<ControlResult<'rules.list'>>;
	readonly revoke: (id: string) => Promise<ControlResult<'rules.revoke'>>;
};

/** Opens the rules in this process. */
export type OpenRules = () => Promise<RuleAccess & Closable>;

const usage = 'Usage: sluice approvals rules list [--json] | revoke ID [--json]';

/** `sluice approvals rules list|revoke`: remembered approvals; a running gateway also knows those of its session. */
export function runApprovalRules(context: CommandContext, openRules: OpenRules): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [action = 'list', ...words] = context.arguments;
		const [id] = words;
		if (action === 'list' && words.length === 0) {
			return withRules(context, openRules, rules => list(context, rules));
		}

		if (action === 'revoke' && id !== undefined && words.length === 1) {
			return withRules(context, openRules, rules => revoke(context, rules, id));
		}

		throw new Problem('bad_usage', {message: usage});
	});
}

function withRules(
	context: CommandContext,
	openRules: OpenRules,
	use: (rules: RuleAccess) => Promise<ExitCode>,
): Promise<ExitCode> {
	const {signal} = context;
	return withGateway<RuleAccess, ExitCode>(
		context,
		{
			remote: client => ({
				list: () => client.call('rules.list', {}, {signal}),
				revoke: id => client.call('rules.revoke', {id}, {signal}),
			}),
			local: openRules,
		},
		use,
	);
}

async function list(context: CommandContext, rules: RuleAccess): Promise<ExitCode> {
	await printRows(context, await rules.list(), {
		titles: ['ID', 'SERVER', 'TOOL', 'HOLDS', 'STATE', 'SINCE'],
		cells: ({id, server, tool, scope, state, remembered_at: time}) => [
			shownId(id),
			server,
			tool,
			scope,
			state,
			dateAndTime(time),
		],
		none: 'There are no remembered approvals.',
	});
	return 0;
}

async function revoke(context: CommandContext, rules: RuleAccess, id: string): Promise<ExitCode> {
	const {answer} = await rules.revoke(id);
	if (context.flags.json) {
		context.stdout(jsonDocument({id, answer}));
	}

	switch (answer) {
		case 'revoked':
			context.stderr('Revoked. The tool asks for approval again.\n');
			return 0;
		case 'unknown':
			context.stderr(
				`sluice: There is no remembered approval with the id ${safeText(id, {maximumCharacters: 100})}.\n`,
			);
			return 1;
		case 'failed':
			context.stderr(
				'sluice: Revoked for now, but the rule file could not be written; it will apply again after a restart.\n',
			);
			return 1;
	}
}
