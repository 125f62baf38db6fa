import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {problemCodes} from '../../source/util/problem-codes.ts';
import {refusedCommands} from '../helpers/remedy-commands.ts';

test.each(Object.entries(problemCodes))('the remedy of %s can be followed as it is written', (_, {remedy}) => {
	expect(remedy).not.toMatch(/\bthe message (?:says|names|lists|is|has)\b|^see\b|\bthe log has\b/iu);
	// It stands in logs too, which are read where no key does anything.
	expect(remedy).not.toMatch(/\bpress(?:es)?\b|\bkey [`"]?\w\b/iu);
	expect(refusedCommands(remedy)).toEqual([]);
});

const schemaText = readFileSync('config.schema.json', 'utf8');
const programs = new Set(['chown', 'kill']);

/** The keys of config.yaml that a text names, in backticks, and that no part of the configuration has. */
function unknownKeys(text: string): readonly string[] {
	const paths = Array.from(text.matchAll(/`([a-z_.]+)(?:: [^`]+)?`/gu), match => match[1] ?? '');
	return paths
		.filter(path => path !== 'sluice' && !path.startsWith('.') && !programs.has(path))
		.filter(path => path.split('.').some(key => !schemaText.includes(`"${key}"`)));
}

test.each(Object.entries(problemCodes))('the remedy of %s names keys that exist', (_, {remedy}) => {
	expect(unknownKeys(remedy)).toEqual([]);
});

test('a key that no part of the configuration has is found', () => {
	const text = 'Set `platforms.webhook.port: 1`, `platforms.webhook.prot` or `portt`, with `kill` and `sluice`';
	expect(unknownKeys(text)).toEqual(['platforms.webhook.prot', 'portt']);
});

test.each([
	['mcp logout', ['mcp logout']],
	['mcp logout NAME', []],
	["mcp logout 'my server'", []],
	['mcp reauth', ['mcp reauth']],
	['mcp reauth --all', []],
	['mcp add NAME', ['mcp add NAME']],
	['mcp add NAME URL', []],
	['cron create NAME', ['cron create NAME']],
	['cron create --help', []],
	['mcp tools', []],
] as const)('a command that lacks a word it needs is refused: %s', (line, refused) => {
	expect(refusedCommands(`Run \`sluice ${line}\``)).toEqual(refused);
});

test('a command that the program does not have is refused', () => {
	expect(refusedCommands('Run `sluice mcp list`, then `sluice mcp lst`')).toEqual(['mcp lst']);
});
