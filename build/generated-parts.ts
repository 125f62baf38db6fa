import {keymap} from '../source/tui/state/keymap.ts';
import {scopeSequence, scopeTitles} from '../source/tui/pages/help-lines.ts';
import {problemCodes} from '../source/util/problem-codes.ts';
import {commandReference} from './command-reference.ts';
import {configReference} from './config-reference.ts';
import {cell, type GeneratedPart, table} from './generated-part.ts';
import {jsonReference} from './json-reference.ts';
import {providerReference} from './provider-reference.ts';

/** The parts of docs/ that are made from the program. */
export const generatedParts: readonly GeneratedPart[] = [
	{page: 'docs/keys.md', name: 'keys of config.yaml', text: configReference},
	{page: 'docs/cli.md', name: 'commands', text: commandReference},
	{page: 'docs/json.md', name: 'documents', text: jsonReference},
	{page: 'docs/providers.md', name: 'providers', text: providerReference},
	{page: 'docs/errors.md', name: 'error codes', text: errorReference},
	{page: 'docs/dashboard.md', name: 'keys', text: keyReference},
];

function errorReference(): string {
	const rows = Object.entries(problemCodes).map(([code, {meaning, remedy}]) => [
		`\`${code}\``,
		cell(meaning),
		cell(remedy),
	]);
	return table(['Code', 'Meaning', 'What to do'], rows);
}

function keyReference(): string {
	const rows = scopeSequence.flatMap(scope =>
		keymap
			.filter(binding => binding.scope === scope)
			.map(({keys, words}) => [
				scope === 'help' ? 'on the help page' : cell(scopeTitles[scope]),
				keys.map(key => `\`${key}\``).join(' '),
				cell(words),
			]),
	);
	return table(['Where', 'Key', 'What it does'], rows);
}
