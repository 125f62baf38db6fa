import {isTakenName} from '../../config/edit/profile-change.ts';
import {type InstallLink, installNamePattern, parseInstallLink} from '../../config/import/install-link.ts';
import {commandLines, entryLines, entryWarnings} from '../../config/import/proposed-entry.ts';
import {type InstallJson} from '../../state/json/server.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {reloadGateway, withClient} from '../cli/connect-gateway.ts';
import {type Dialog} from '../cli/dialog.ts';
import {printResult} from '../cli/listing.ts';
import {onlyWord} from '../cli/words.ts';
import {addToChange, loadConfigSession} from './config-session.ts';

/** `sluice mcp install LINK`: shows what a link proposes; only a person's yes writes it (docs/tool-servers.md, Install links). */
export async function runMcpInstall(context: CommandContext, session: Session): Promise<ExitCode> {
	const typed = onlyWord(context, 'sluice mcp install LINK');
	const link = parseInstallLink(typed);
	const end = await askDashboard(context, typed);
	if (end.outcome === 'unattended') {
		return installHere(context, link, session);
	}

	printResult(context, end satisfies InstallJson, '');
	context.stderr(end.outcome === 'installed' ? `Installed ${end.name ?? link.name}.\n` : 'Nothing was installed.\n');
	return end.outcome === 'installed' ? 0 : 1;
}

/** Puts the link before the person at the dashboard of the running gateway. */
function askDashboard(context: CommandContext, link: string) {
	return withClient(context, async client => {
		if (!client) {
			return {outcome: 'unattended' as const};
		}

		context.stderr('Asking at the running gateway …\n');
		return client.call('mcp.install', {link}, {signal: context.signal});
	});
}

async function installHere(context: CommandContext, link: InstallLink, session: Session): Promise<ExitCode> {
	const dialog = context.openDialog();
	if (!dialog) {
		const message = 'An install link needs your consent; run this on a terminal, or open the dashboard';
		throw new Problem('no_channel', {message});
	}

	try {
		const {openChange, changeNow} = await loadConfigSession(session);
		const {config} = await openChange();
		context.stderr(linkText(link));
		const isTaken = (name: string) => isTakenName(config, name);
		const name = await askForName(context, dialog, {name: link.name, isTaken});
		if (name === undefined) {
			printResult(context, {outcome: 'cancelled'} satisfies InstallJson, '');
			context.stderr('Nothing was installed.\n');
			return 1;
		}

		// An entry of a link is written as it was shown.
		const separateSecrets = () => ({entry: link.entry, variables: {}});
		await changeNow(change => void addToChange({separateSecrets}, change, {name, entry: link.entry}));
		printResult(context, {outcome: 'installed', name} satisfies InstallJson, '');
		context.stderr(`Installed ${name}.\n`);
	} finally {
		dialog.close();
	}

	await reloadGateway(context);
	return 0;
}

/** The name, the full formatted entry, one argument per line, and what deserves a second look (docs/tool-servers.md, Install links). */
function linkText(link: InstallLink): string {
	const command = commandLines(link.entry);
	const warnings = [...entryWarnings(link.entry), ...link.warnings];
	return [
		`A link wants to install the tool server ${link.name}`,
		'',
		...entryLines(link.entry).map(line => `  ${line}`),
		...(command.length === 0 ? [] : ['', 'It would run, one argument per line:', ...command.map(line => `  ${line}`)]),
		...(warnings.length === 0 ? [] : ['', 'Careful:', ...warnings.map(line => `  ! ${line}`)]),
		'',
		'',
	].join('\n');
}

/** The name under which the person wants it; undefined: not at all. A name that is taken is never overwritten (rule 6). */
async function askForName(
	context: Pick<CommandContext, 'stderr'>,
	dialog: Dialog,
	{name: proposed, isTaken}: {readonly name: string; readonly isTaken: (name: string) => boolean},
): Promise<string | undefined> {
	let name = proposed;
	for (;;) {
		const taken = isTaken(name);
		const question = taken ? `The name ${name} is already in use.` : `Install ${name}? y: yes,`;
		const answer = (await dialog.ask(`${question} r: rename, anything else: cancel`)).toLowerCase();
		if (answer !== 'r' && answer !== 'rename') {
			return !taken && /^y(es)?$/u.test(answer) ? name : undefined;
		}

		const typed = await dialog.ask('New name');
		if (installNamePattern.test(typed)) {
			name = typed;
		} else {
			context.stderr('A name has 1 to 64 letters, digits, dots, underscores or hyphens.\n');
		}
	}
}
