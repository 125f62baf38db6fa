import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {loadConfig} from '../source/config/load-config.ts';
import {statePaths} from '../source/config/state-paths.ts';
import {problemCodes} from '../source/util/problem-codes.ts';
import {keymap} from '../source/tui/keymap.ts';
import {temporaryDirectory} from './helpers/temporary-directory.ts';
import {writeFileSync} from 'node:fs';

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
