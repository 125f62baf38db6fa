import {type ClientConfigFile} from '../../config/import/client-configs.ts';
import {type ImportedServer} from '../../config/import/import-servers.ts';
import {parseServerEntry} from '../../config/servers/server-entry.ts';
import {sectionWithoutFile} from '../../config/values/section.ts';
import {serverAddress} from '../../mcp/transport/server-address.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command-context.ts';

/** A server of another program as it is put before the person. */
export type ImportProposal = ImportedServer & {
	readonly host: ClientConfigFile['host'];
	readonly path: string;
	/** Its command or address, secrets masked. */
	readonly address: string;
	/** `taken`: the name is in use; `unusable`: its entry is none. */
	readonly state: 'new' | 'taken' | 'unusable';
};

/** What was found, each name once: the first file that has it wins. */
export function importProposals(
	files: readonly ClientConfigFile[],
	taken: readonly string[],
): readonly ImportProposal[] {
	const seen = new Set<string>();
	return files.flatMap(({host, path, servers}) =>
		servers.flatMap(server => {
			if (seen.has(server.name)) {
				return [];
			}

			seen.add(server.name);
			return [{...judge(server, taken), host, path}];
		}),
	);
}

function judge(server: ImportedServer, taken: readonly string[]): Omit<ImportProposal, 'host' | 'path'> {
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

const words: Readonly<Record<ImportProposal['state'], string>> = {
	new: '',
	taken: 'the name is taken here',
	unusable: 'cannot be used',
};

/** The proposals, numbered, each with its address and what is lost. */
export function proposalLines(proposals: readonly ImportProposal[]): string {
	return proposals
		.map(({name, host, path, address, state, warnings}, index) => {
			const notes = [words[state], ...warnings].filter(Boolean).map(note => `      ${safeText(note)}\n`);
			const from = safeText(`${host}: ${path}`, {maximumCharacters: 200});
			const title = `${String(index + 1).padStart(4)}  ${safeText(name, {maximumCharacters: 60})}  (${from})\n`;
			return `${title}${address === '' ? '' : `      ${address}\n`}${notes.join('')}`;
		})
		.join('');
}

/** Reads an answer: empty for none, `all`, or numbers and ranges. Undefined when a part of it cannot be taken over. */
export function readProposalChoice(
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

/** Shows the proposals and asks which of them are wanted, until the answer is one; with `--all` nobody is asked. */
export async function chooseProposals(
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
