import {type Command} from '../source/commands/cli/command.ts';
import {commands} from '../source/commands/cli/command-table.ts';
import {type FlagName, flagText, type FlagTexts, globalFlags, typedFlag} from '../source/commands/cli/flag-table.ts';
import {groupTitle} from '../source/commands/cli/help-text.ts';
import {cell, codeCell, table} from './generated-part.ts';

/** Every command in tables of its group, then each with its flags and examples. */
export function commandReference(): string {
	const groups = Map.groupBy(commands, groupTitle);
	const overview = commands.map(({usage, summary}) => [codeCell(usage), cell(summary)]);
	const details = [...groups].map(([title, members]) => `## ${title}\n\n${members.map(commandText).join('\n')}`);
	return [
		'## All commands\n',
		table(['Command', 'What it does'], overview),
		'## Flags of every command\n',
		table(
			['Flag', 'Meaning'],
			globalFlags.map(name => flagRow(name)),
		),
		...details,
	].join('\n');
}

function commandText({words, usage, summary, details, flags, flagTexts, examples}: Command): string {
	return [
		`### \`${['sluice', ...words].join(' ')}\`\n`,
		`${summary}.${details === undefined ? '' : ` ${details.replaceAll('\n', ' ')}`}\n`,
		`\`\`\`text\n${usage}\n\`\`\`\n`,
		...(flags.length === 0
			? []
			: [
					table(
						['Flag', 'Meaning'],
						flags.map(name => flagRow(name, flagTexts)),
					),
				]),
		`\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`,
	].join('\n');
}

function flagRow(name: FlagName, texts: FlagTexts = {}): readonly string[] {
	const {value, summary, shortFlag} = flagText(name, texts);
	const typed = `${typedFlag(name)}${value === undefined ? '' : ` ${value}`}`;
	return [[typed, ...(shortFlag === undefined ? [] : [`-${shortFlag}`])].map(codeCell).join(', '), cell(summary)];
}
