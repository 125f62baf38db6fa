import {commandLines, entryLines, entryWarnings} from '../../config/import/proposed-entry.ts';
import {installNamePattern, type InstallLink} from '../../config/import/install-link.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {type Dialog} from '../cli/dialog.ts';

/** The name, the full formatted entry, one argument per line, and what deserves a second look (docs/tool-servers.md, Install links). */
export function linkText(link: InstallLink): string {
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
export async function askForName(
	context: Pick<CommandContext, 'stderr'>,
	dialog: Dialog,
	{name: proposed, isTaken}: {readonly name: string; readonly isTaken: (name: string) => boolean},
): Promise<string | undefined> {
	let name = proposed;
	for (;;) {
		const taken = isTaken(name);
		const question = taken ? `The name ${name} is taken.` : `Install ${name}? y: yes,`;
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
