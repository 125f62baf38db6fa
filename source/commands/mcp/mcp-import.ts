import {type ClientConfigFile} from '../../config/import/client-configs.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {chooseProposals, type ImportProposal, importProposals} from './import-proposals.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {takeOver} from '../gateway/take-over.ts';
import {type LoadConfigSession, type ConfigSession} from './config-session.ts';

/**
`sluice mcp import [PROGRAM|FILE]`: servers of other programs as proposals; nothing is started or written before the person agrees.
`findFiles` reads the files of one program, of all, or the one that is named.
*/
export async function runMcpImport(
	context: CommandContext,
	loadConfigSession: LoadConfigSession,
	findFiles: (wanted: string | undefined) => Promise<readonly ClientConfigFile[]>,
): Promise<ExitCode> {
	const [wanted, ...others] = context.arguments;
	if (others.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice mcp import [PROGRAM|FILE] [--all] [--json]'});
	}

	const files = await findFiles(wanted);
	if (wanted !== undefined && files.length === 0) {
		throw new Problem('file_missing', {message: `${safeText(wanted)} keeps no servers on this machine`});
	}

	for (const {path} of files.filter(file => file.state === 'unreadable')) {
		context.stderr(`sluice: ${safeText(path)} cannot be understood; it is left out\n`);
	}

	const config = await loadConfigSession();
	const names = [...config.config.servers, ...config.config.brokenServers].map(server => server.name);
	const proposals = importProposals(files, names);
	if (context.flags.json && !context.flags.all) {
		context.stdout(jsonDocument(proposals.map(toRow)));
		return 0;
	}

	if (proposals.length === 0) {
		context.stderr('No servers of other programs were found.\n');
		return 0;
	}

	return write(context, config, await chooseProposals(context, proposals));
}

function toRow({name, state, host, path, address, warnings}: ImportProposal) {
	return {name, state, from: host, file: path, address, warnings};
}

async function write(
	context: CommandContext,
	config: ConfigSession,
	chosen: readonly ImportProposal[],
): Promise<ExitCode> {
	if (chosen.length === 0) {
		context.stderr('Nothing was changed.\n');
		return 0;
	}

	const change = await config.openChange();
	const variables = new Set<string>();
	for (const proposal of chosen) {
		const separated = config.separateSecrets(proposal, change);
		change.setVariables(separated.variables);
		change.config.set(['mcp_servers', proposal.name], separated.entry);
		Object.keys(separated.variables).forEach(variable => variables.add(variable));
	}

	await change.commit();
	const names = chosen.map(proposal => proposal.name);
	context.stdout(
		context.flags.json
			? jsonDocument({imported: names, variables: [...variables]})
			: `Imported ${safeText(names.join(', '))}. They ask before they change anything.\n`,
	);
	await takeOver(context);
	return 0;
}
