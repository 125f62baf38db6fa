import {resolve} from 'node:path';
import {separateSecrets} from '../config/entry-secrets.ts';
import {type Environment} from '../config/environment.ts';
import {findForeignFiles, type ForeignFile, foreignHosts} from '../config/foreign-files.ts';
import {openProfileChange} from '../config/profile-change.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type ImportProposal, importProposals, proposalLines, readProposalChoice} from './import-proposals.ts';
import {jsonDocument} from './json-document.ts';
import {runCommand} from './run-command.ts';
import {takeOver} from './take-over.ts';
import {type OpenWorkbench, type Workbench} from './workbench.ts';

/** `sluice mcp import [PROGRAM|FILE]`: servers of other programs as proposals; nothing is started or written before the person agrees. */
export function runMcpImport(
	context: CommandContext,
	openWorkbench: OpenWorkbench,
	environment: Pick<Environment, 'home' | 'workingDirectory' | 'variables'>,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [wanted, ...others] = context.arguments;
		if (others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice mcp import [PROGRAM|FILE] [--all] [--json]'});
		}

		const files = await findForeignFiles(environment, sourceOf(wanted, environment.workingDirectory));
		tellUnreadable(context, files);
		const bench = await openWorkbench();
		const names = [...bench.config.servers, ...bench.config.brokenServers].map(server => server.name);
		const proposals = importProposals(files, names);
		if (wanted !== undefined && files.length === 0) {
			throw new Problem('file_missing', {message: `${safeText(wanted)} keeps no servers on this machine`});
		}

		if (proposals.length === 0) {
			context.stderr('No servers of other programs were found.\n');
			return 0;
		}

		return context.flags.json && !context.flags.all
			? list(context, proposals)
			: importChosen(context, bench, await choose(context, proposals));
	});
}

function sourceOf(wanted: string | undefined, folder: string): Parameters<typeof findForeignFiles>[1] {
	const host = foreignHosts.find(name => name === wanted);
	return host ? {host} : wanted === undefined ? undefined : {path: resolve(folder, wanted)};
}

function tellUnreadable(context: CommandContext, files: readonly ForeignFile[]): void {
	for (const {path} of files.filter(file => file.state === 'unreadable')) {
		context.stderr(`sluice: ${safeText(path)} cannot be understood; it is left out\n`);
	}
}

function list(context: CommandContext, proposals: readonly ImportProposal[]): ExitCode {
	const rows = proposals.map(({name, state, host, path, address, remarks}) => ({
		name,
		state,
		from: host,
		file: path,
		address,
		remarks,
	}));
	context.stdout(jsonDocument(rows));
	return 0;
}

async function choose(
	context: CommandContext,
	proposals: readonly ImportProposal[],
): Promise<readonly ImportProposal[]> {
	const usable = proposals.filter(proposal => proposal.state === 'new');
	context.stderr(proposalLines(proposals));
	if (context.flags.all || usable.length === 0) {
		return usable;
	}

	const dialog = context.openDialog();
	if (!dialog) {
		throw new Problem('bad_usage', {message: 'Without a terminal an import needs --all'});
	}

	try {
		for (;;) {
			const answer = await dialog.ask('Which of them? Enter for none; all; numbers like 1,3-5');
			const chosen = readProposalChoice(answer, proposals);
			if (chosen !== undefined) {
				return chosen;
			}

			context.stderr('That names no server of this list that can be taken over.\n');
		}
	} finally {
		dialog.close();
	}
}

async function importChosen(
	context: CommandContext,
	bench: Workbench,
	chosen: readonly ImportProposal[],
): Promise<ExitCode> {
	if (chosen.length === 0) {
		context.stderr('Nothing was changed.\n');
		return 0;
	}

	const change = await openProfileChange(bench.paths);
	const kept: Record<string, string> = {};
	for (const {name, entry} of chosen) {
		const separated = separateSecrets(name, entry, variable => kept[variable] ?? bench.variable(variable));
		Object.assign(kept, separated.variables);
		change.config.set(['mcp_servers', name], separated.entry);
	}

	change.setVariables(kept);
	await change.commit();
	const names = chosen.map(proposal => proposal.name);
	if (context.flags.json) {
		context.stdout(jsonDocument({imported: names, variables: Object.keys(kept)}));
	} else {
		context.stdout(`Imported ${safeText(names.join(', '))}. They ask before they change anything.\n`);
	}

	await takeOver(context);
	return 0;
}
