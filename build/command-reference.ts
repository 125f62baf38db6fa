import {type Command, namesOf} from '../source/commands/cli/command.ts';
import {commands} from '../source/commands/cli/command-table.ts';
import {type FlagName, flagText, type FlagTexts, globalFlags, typedFlag} from '../source/commands/cli/flag-table.ts';
import {nounOf, usedNouns} from '../source/commands/cli/help-text.ts';
import {cell, codeCell, table} from './generated-part.ts';

/** Every command in tables of its noun, then each with its flags and examples. */
export function commandReference(): string {
	const groups = usedNouns().map(noun => ({
		noun,
		members: commands.filter(command => nounOf(command) === noun),
	}));
	const overview = groups
		.flatMap(({members}) => members)
		.map(command => [codeCell(command.usage), cell(command.summary)]);
	const details = groups.map(
		({noun, members}) => `## Commands of \`${noun}\`\n\n${members.map(member => commandText(member)).join('\n')}`,
	);
	return [
		'## All commands\n',
		table(['Command', 'What it does'], overview),
		'## Flags of every command\n',
		table(['Flag', 'Meaning'], [...globalFlags.map(name => flagRow(name)), flagRow('json', everyDocument)]),
		...details,
	].join('\n');
}

const everyDocument: FlagTexts = {
	json: {summary: 'Print one JSON document to stdout (docs/json.md); messages go to stderr. Streams have none'},
};

function commandText(command: Command): string {
	const {words, usage, summary, details, flagTexts, examples} = command;
	const [, ...others] = namesOf(command).map(typedName);
	const flags = command.flags.filter(name => name !== 'json' || flagTexts?.json !== undefined);
	return [
		`### \`${typedName(words)}\`\n`,
		`${summary}.${details === undefined ? '' : ` ${details.replaceAll('\n', ' ')}`}\n`,
		...(others.length === 0 ? [] : [`The same: ${others.map(codeCell).join(', ')}.\n`]),
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

function typedName(words: readonly string[]): string {
	return ['sluice', ...words].join(' ');
}

function flagRow(name: FlagName, texts: FlagTexts = {}): readonly string[] {
	const {value, summary, shortFlag} = flagText(name, texts);
	const typed = `${typedFlag(name)}${value === undefined ? '' : ` ${value}`}`;
	return [[typed, ...(shortFlag === undefined ? [] : [`-${shortFlag}`])].map(codeCell).join(', '), cell(summary)];
}
