import {type ProfileChange} from '../../config/edit/profile-change.ts';
import {type SetUpJson} from '../../state/json/gateway.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {type Dialog} from '../cli/dialog.ts';
import {commandLine} from '../cli/words.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {printResult} from '../cli/listing.ts';
import {differenceText, textDifference} from './text-difference.ts';
import {type ConfigSession, loadConfigSession} from '../mcp/config-session.ts';

/** The parts that a part of the setup works with; without a dialog flags are all it goes by. */
export type SetUpPart = {
	readonly config: ConfigSession;
	readonly change: ProfileChange;
	readonly dialog: Dialog | undefined;
};

/** Shown once the change is written: a line, and a command that tries what was set up. */
export type SetUpEnd = {readonly line?: string; readonly command?: string};

/** A part of the setup: asks, checks, and adds to the change. */
export type SetUp = (context: CommandContext, part: SetUpPart) => Promise<SetUpEnd | undefined>;

/**
`sluice gateway setup`: webhooks, model, unattended requests, a first tool server, a first route. Asks on a terminal, checks as it goes, shows the change and writes it once the
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
	const ends: SetUpEnd[] = [];
	let variables: readonly string[] = [];
	try {
		const change = await config.openChange();
		for (const part of parts) {
			ends.push((await part(shown, {config, change, dialog})) ?? {});
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
	context.stderr(ends.map(({line}) => (line === undefined ? '' : `${line}\n`)).join(''));
	await reloadGateway(context);
	context.stderr(nextText(context, ends));
	return 0;
}

/** Three commands to type next: the last one tries what was set up last. */
function nextText(context: CommandContext, ends: readonly SetUpEnd[]): string {
	const last = ends.findLast(({command}) => command !== undefined)?.command;
	const commands = ['sluice doctor', last ?? 'sluice service install --print', 'sluice'];
	return `\nType next:\n${commands.map(command => `  ${commandLine(context, command)}\n`).join('')}`;
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
