import {entryCautions} from '../config/entry-cautions.ts';
import {commandLines, entryLines} from '../config/entry-lines.ts';
import {installNamePattern, type InstallLink, parseInstallLink} from '../config/install-link.ts';
import {openProfileChange} from '../config/profile-change.ts';
import {connectControl} from '../control/client.ts';
import {Problem} from '../util/problem.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type Dialog} from './dialog.ts';
import {runCommand} from './run-command.ts';
import {takeOver} from './take-over.ts';
import {type OpenWorkbench} from './workbench.ts';

/** `sluice mcp install LINK`: shows what a link proposes; only a person's yes writes it (spec/mcp-servers.md, Install link rules). */
export function runMcpInstall(context: CommandContext, openWorkbench: OpenWorkbench): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [typed, ...others] = context.arguments;
		if (typed === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice mcp install LINK'});
		}

		const link = parseInstallLink(typed);
		const end = await askDashboard(context, typed);
		if (end.outcome === 'unattended') {
			return installHere(context, link, openWorkbench);
		}

		context.stderr(end.outcome === 'installed' ? `Installed ${end.name ?? link.name}.\n` : 'Nothing was installed.\n');
		return end.outcome === 'installed' ? 0 : 1;
	});
}

/** Puts the link before the person at the dashboard of the running gateway. */
async function askDashboard(context: CommandContext, link: string) {
	const client = await connectControl({path: context.paths.controlSocket, clock: context.clock});
	if (!client) {
		return {outcome: 'unattended' as const};
	}

	try {
		return await client.call('mcp.install', {link}, {signal: context.signal});
	} finally {
		client.close();
	}
}

async function installHere(
	context: CommandContext,
	link: InstallLink,
	openWorkbench: OpenWorkbench,
): Promise<ExitCode> {
	const dialog = context.openDialog();
	if (!dialog) {
		throw new Problem('no_channel', {
			message: 'An install link needs a person: run this on a terminal, or open the dashboard',
		});
	}

	try {
		const {paths} = await openWorkbench();
		const change = await openProfileChange(paths);
		context.stderr(linkText(link));
		const name = await askForName(context, {dialog, link, isTaken: one => change.config.has(['mcp_servers', one])});
		if (name === undefined) {
			context.stderr('Nothing was installed.\n');
			return 1;
		}

		change.config.set(['mcp_servers', name], link.entry);
		await change.commit();
		context.stderr(`Installed ${name}.\n`);
	} finally {
		dialog.close();
	}

	await takeOver(context);
	return 0;
}

type NameQuestion = {
	readonly dialog: Dialog;
	readonly link: InstallLink;
	readonly isTaken: (name: string) => boolean;
};

/** The name under which the person wants it; undefined: not at all. A taken name is never overwritten (rule 6). */
async function askForName(context: CommandContext, {dialog, link, isTaken}: NameQuestion): Promise<string | undefined> {
	let name = link.name;
	for (;;) {
		const taken = isTaken(name);
		const question = taken
			? `The name ${name} is taken. r: rename, anything else: cancel`
			: `Install ${name}? y: yes, r: rename, anything else: cancel`;
		const answer = (await dialog.ask(question)).toLowerCase();
		if (answer === 'r' || answer === 'rename') {
			const typed = await dialog.ask('New name');
			if (installNamePattern.test(typed)) {
				name = typed;
			} else {
				context.stderr('A name has 1 to 64 letters, digits, dots, underscores or hyphens.\n');
			}
		} else {
			return !taken && /^y(es)?$/u.test(answer) ? name : undefined;
		}
	}
}

/** The name, the full formatted entry, one argument per line, and what deserves a second look (rule 5). */
function linkText(link: InstallLink): string {
	const command = commandLines(link.entry);
	const cautions = [...entryCautions(link.entry), ...link.remarks];
	return [
		`A link wants to install the tool server ${link.name}`,
		'',
		...entryLines(link.entry).map(line => `  ${line}`),
		...(command.length === 0 ? [] : ['', 'It would run, one argument per line:', ...command.map(line => `  ${line}`)]),
		...(cautions.length === 0 ? [] : ['', 'Careful:', ...cautions.map(line => `  ! ${line}`)]),
		'',
		'',
	].join('\n');
}
