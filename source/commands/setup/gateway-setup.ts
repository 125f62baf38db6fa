import {type ProfileChange} from '../../config/edit/profile-change.ts';
import {type SetUpJson} from '../../state/json/gateway.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {type Dialog} from '../cli/dialog.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {printResult} from '../cli/listing.ts';
import {differenceText, textDifference} from './text-difference.ts';
import {type ConfigSession, loadConfigSession} from '../mcp/config-session.ts';

/** A part of the setup: asks, checks, and adds to the change. May resolve with what is to be shown once the change is written. */
export type SetUp = (
	context: CommandContext,
	part: {readonly config: ConfigSession; readonly change: ProfileChange; readonly dialog: Dialog | undefined},
) => Promise<(() => void) | undefined | void>;

/**
`sluice gateway setup`: webhooks, model, a first tool server. Asks on a terminal, checks as it goes, shows the change and writes it once the
person agrees; with `--yes` or without a terminal the flags are all it goes by. Until the last yes nothing is written.
*/
export async function runGatewaySetup(
	context: CommandContext,
	session: Session,
	parts: readonly SetUp[],
): Promise<ExitCode> {
	if (context.flags.server === undefined && context.arguments.length > 0) {
		throw new Problem('bad_usage', {message: 'A URL or a command needs --server NAME'});
	}

	const config = await loadConfigSession(session);
	const dialog = context.flags.yes ? undefined : context.openDialog();
	if (!dialog && !context.flags.yes) {
		throw new Problem('bad_usage', {
			message: 'Without a terminal the setup needs --yes, and flags for its questions',
		});
	}

	// With `--json` stdout has the document alone.
	const shown = context.flags.json ? {...context, stdout: context.stderr} : context;
	const announcements: Array<() => void> = [];
	let variables: readonly string[] = [];
	try {
		const change = await config.openChange();
		for (const part of parts) {
			const announce = await part(shown, {config, change, dialog});
			announcements.push(...(announce ? [announce] : []));
		}

		if (!(await isWanted(context, change, dialog))) {
			return reportDeclined(context, 'Nothing was changed.');
		}

		variables = change.changedVariables();
		await change.commit();
	} finally {
		dialog?.close();
	}

	printResult(context, {variables} satisfies SetUpJson, 'Written.\n');
	announcements.forEach(announce => announce());
	context.stderr('Run `sluice` to open the dashboard, or `sluice doctor` to check the setup.\n');
	await reloadGateway(context);
	return 0;
}

async function isWanted(context: CommandContext, change: ProfileChange, dialog: Dialog | undefined): Promise<boolean> {
	const {before, after} = change.texts();
	const variables = change.changedVariables();
	const shown = differenceText(textDifference(before, after));
	const added = variables.map(name => `+ ${name}=…\n`).join('');
	context.stderr(`\nconfig.yaml\n${safeText(shown, {multiline: true, maximumCharacters: 20_000})}`);
	context.stderr(variables.length === 0 ? '\n' : `\n.env\n${added}\n`);
	return dialog ? dialog.confirm('Write it?', 'yes') : true;
}
