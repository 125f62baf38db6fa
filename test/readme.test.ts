import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {commands} from '../source/commands/command-table.ts';
import {withReference} from '../source/config/reference-text.ts';
import {loadConfig} from '../source/config/load-config.ts';
import {statePaths} from '../source/config/state-paths.ts';
import {problemCodes} from '../source/util/problem-codes.ts';
import {keymap} from '../source/tui/keymap.ts';
import {temporaryDirectory} from './helpers/temporary-directory.ts';

const readme = readFileSync(new URL('../readme.md', import.meta.url), 'utf8');

/** The lines between two headings. */
function section(title: string): string {
	const start = readme.indexOf(`\n## ${title}\n`);
	const end = readme.indexOf('\n## ', start + 1);
	return readme.slice(start, end === -1 ? undefined : end);
}

test('the error table of the readme is the error table of the program', () => {
	const rows = [...section('Errors').matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(row => row.slice(1, 4));
	expect(rows).toEqual(Object.entries(problemCodes).map(([code, {meaning, remedy}]) => [code, meaning, remedy]));
});

test('every key of the readme does what the readme says', () => {
	const rows = [...section('Keys').matchAll(/^\| [^|]+ \| (`.+`) \| (.+) \|$/gm)];
	expect(rows.length).toBeGreaterThan(20);
	for (const [, keys = '', words] of rows) {
		const names = [...keys.matchAll(/`([^`]+)`/g)].map(match => match[1]);
		expect(keymap).toContainEqual(expect.objectContaining({keys: names, words}));
	}
});

test('the configuration of the readme is one that the program reads without a complaint', async () => {
	const yaml = /```yaml\n([\s\S]+?)```/.exec(section('Configuration'))?.[1] ?? '';
	const root = temporaryDirectory();
	const paths = statePaths({root, profile: 'default'});
	writeFileSync(paths.config, yaml);
	const variables = {TRACKER_TOKEN: 'token', WEBHOOK_SECRET: 'secret', GITHUB_SECRET: 'other'};
	const {config} = await loadConfig({paths, environment: {variables, home: root, workingDirectory: root}});
	expect(config.problems.map(problem => problem.message)).toEqual([]);
	expect(config.servers.map(server => server.name)).toEqual(['files', 'tracker']);
});

test('the reference of the readme has every key as the schema has it now', () => {
	expect(withReference(readme)).toBe(readme);
});

test('every command of the program is in the readme', () => {
	const told = section('Commands');
	for (const {words} of commands) {
		expect(told).toContain(words.at(-1) ?? '');
		expect(told).toContain(`sluice ${words[0] ?? ''}`.trim());
	}
});

test('every file of assets that the readme names is there', () => {
	const named = [...readme.matchAll(/`(assets\/[\w.-]+)`/g)].map(match => match[1] ?? '');
	expect(named.length).toBeGreaterThan(2);
	expect(named.filter(path => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
});
