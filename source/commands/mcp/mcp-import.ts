import {type ClientConfigFile} from '../../config/import/client-configs.ts';
import {type ImportedServer} from '../../config/import/import-servers.ts';
import {parseServerEntry} from '../../config/servers/server-entry.ts';
import {sectionWithoutFile} from '../../config/values/section.ts';
import {serverAddress} from '../../mcp/transport/server-address.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {addToChange, type ConfigSession, loadConfigSession} from './config-session.ts';

/** A server of another program as it is put before the person. */
type ImportProposal = ImportedServer & {
	readonly host: ClientConfigFile['host'];
	readonly path: string;
	/** Its command or address, secrets masked. */
	readonly address: string;
	/** `taken`: the name is in use; `unusable`: its entry is none. */
	readonly state: 'new' | 'taken' | 'unusable';
};

const stateText: Readonly<Record<ImportProposal['state'], string>> = {
	new: '',
	taken: 'the name is already in use',
	unusable: 'cannot be used',
};

/**
`sluice mcp import [PROGRAM|FILE]`: servers of other programs as proposals; nothing is started or written before the person agrees.
`findFiles` reads the files of one program, of all, or the one that is named.
*/
export async function runMcpImport(
	context: CommandContext,
	session: Session,
	findFiles: (wanted: string | undefined) => Promise<readonly ClientConfigFile[]>,
): Promise<ExitCode> {
	const [wanted, ...others] = context.arguments;
	if (others.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice mcp import [PROGRAM|FILE] [--all] [--json]'});
	}

	const files = await findFiles(wanted);
	if (wanted !== undefined && files.length === 0) {
		throw new Problem('file_missing', {
			message: `${safeText(wanted)}: no server configuration was found on this machine`,
		});
	}

	for (const {path} of files.filter(file => file.state === 'unreadable')) {
		context.stderr(`sluice: ${safeText(path)} cannot be read as a server configuration; it is skipped\n`);
	}

	if (wanted !== undefined && files.every(({servers}) => servers.length === 0)) {
		throw new Problem('config_invalid', {
			message: `No tool servers were found in ${files.map(({path}) => safeText(path)).join(', ')}; nothing was imported`,
			remedy: 'Name a JSON or TOML file with `mcpServers`, `servers` or `mcp_servers`',
		});
	}

	const config = await loadConfigSession(session);
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

/** The servers found, each name once: the first file that has it wins. */
function importProposals(files: readonly ClientConfigFile[], taken: readonly string[]): readonly ImportProposal[] {
	const seen = new Set<string>();
	return files.flatMap(({host, path, servers}) =>
		servers.flatMap(server => {
			if (seen.has(server.name)) {
				return [];
			}

			seen.add(server.name);
			return [{...proposalOf(server, taken), host, path}];
		}),
	);
}

function proposalOf(server: ImportedServer, taken: readonly string[]): Omit<ImportProposal, 'host' | 'path'> {
	const section = sectionWithoutFile(server.name);
	const parsed = parseServerEntry(server.name, server.entry, section);
	const warnings = [...server.warnings, ...section.problems.all().map(problem => problemLine(problem))];
	return parsed.kind === 'broken'
		? {...server, warnings, address: '', state: 'unusable'}
		: {
				...server,
				warnings,
				address: serverAddress(parsed.server.transport),
				state: taken.includes(server.name) ? 'taken' : 'new',
			};
}

/** Shows the proposals and asks which of them are wanted, until the answer is one; with `--all` nobody is asked. */
async function chooseProposals(
	context: Pick<CommandContext, 'flags' | 'stderr' | 'openDialog'>,
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
			const answer = await dialog.ask('Which of them? Enter for none, all, or numbers like 1,3-5');
			const chosen = readProposalChoice(answer, proposals);
			if (chosen !== undefined) {
				return chosen;
			}

			context.stderr('That does not match a server in this list that can be imported.\n');
		}
	} finally {
		dialog.close();
	}
}

/** The proposals, numbered, each with its address and what is lost. */
function proposalLines(proposals: readonly ImportProposal[]): string {
	return proposals
		.map(({name, host, path, address, state, warnings}, index) => {
			const notes = [stateText[state], ...warnings].filter(Boolean).map(note => `      ${safeText(note)}\n`);
			const from = safeText(`${host}: ${path}`, {maximumCharacters: 200});
			const title = `${String(index + 1).padStart(4)}  ${safeText(name, {maximumCharacters: 60})}  (${from})\n`;
			return `${title}${address === '' ? '' : `      ${address}\n`}${notes.join('')}`;
		})
		.join('');
}

/** Reads an answer: empty for none, `all`, or numbers and ranges. Undefined when a part of it cannot be taken over. */
function readProposalChoice(
	answer: string,
	proposals: readonly ImportProposal[],
): readonly ImportProposal[] | undefined {
	if (answer === '' || answer === 'none') {
		return [];
	}

	if (answer === 'all') {
		return proposals.filter(proposal => proposal.state === 'new');
	}

	const chosen = answer.split(/[\s,]+/u).flatMap(part => {
		const [, first = '0', last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/u.exec(part) ?? [];
		const count = Number(last) - Number(first) + 1;
		return count < 1 || count > proposals.length
			? [undefined]
			: Array.from({length: count}, (_, offset) => proposals[Number(first) - 1 + offset]);
	});
	const known = chosen.filter(proposal => proposal?.state === 'new');
	return known.length === chosen.length ? proposals.filter(proposal => known.includes(proposal)) : undefined;
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

	const variables = new Set<string>();
	await config.changeNow(change => {
		for (const proposal of chosen) {
			const separated = addToChange(config, change, proposal);
			Object.keys(separated.variables).forEach(variable => variables.add(variable));
		}
	});
	const names = chosen.map(proposal => proposal.name);
	context.stdout(
		context.flags.json
			? jsonDocument({imported: names, variables: [...variables]})
			: `Imported ${safeText(names.join(', '))}. They ask for approval before they change anything.\n`,
	);
	await reloadGateway(context);
	return 0;
}

function toRow({name, state, host, path, address, warnings}: ImportProposal) {
	return {name, state, from: host, file: path, address, warnings};
}
