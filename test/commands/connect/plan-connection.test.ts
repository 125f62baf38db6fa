import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isTrusted, planConnection, planRemoval} from '../../../source/commands/connect/plan-connection.ts';
import {type ProgramSettings, readProgram} from '../../../source/commands/connect/program-settings.ts';
import {writeProgramFile} from '../../../source/config/programs/program-file.ts';
import {programs} from '../../../source/config/programs/programs.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

type TrustRow = {
	readonly name: 'claude-code' | 'codex' | 'gemini' | 'opencode';
	/** The file of the trust, and its text without and with it. */
	readonly file: string;
	readonly before: string;
	readonly trusts: string;
};

const rows: readonly TrustRow[] = [
	{
		name: 'claude-code',
		file: '.claude/settings.json',
		before: '{\n  "permissions": {\n    "allow": ["Bash(ls)"], // mine\n    "deny": []\n  }\n}\n',
		trusts: '"allow": ["Bash(ls)", "mcp__sluice"], // mine',
	},
	{name: 'codex', file: '.codex/config.toml', before: 'a = 1\n', trusts: 'default_tools_approval_mode = "approve"'},
	{name: 'gemini', file: '.gemini/settings.json', before: '{"a": 1}', trusts: '"trust": true'},
	{
		name: 'opencode',
		file: '.config/opencode/opencode.json',
		before: '{\n  "permission": {"bash": "ask"}\n}\n',
		trusts: '"permission": {"bash": "ask", "sluice_*": "allow"}',
	},
];

/** The home of a user with this file, and a program in it as it is now. */
function openProgram({name, file, before}: TrustRow) {
	const home = temporaryDirectory();
	const places = {home, workingDirectory: home, variables: {}, platform: 'linux'} as const;
	mkdirSync(dirname(join(home, file)), {recursive: true});
	writeFileSync(join(home, file), before);
	const settings = async (): Promise<ProgramSettings> =>
		(await readProgram(programs[name], places, 'user')) ?? expect.fail('it has a file');
	return {places, settings, read: () => readFileSync(join(home, file), 'utf8')};
}

const entry = {command: '/usr/bin/sluice', args: ['mcp', 'serve']};

describe.each(rows)('trust of $name', row => {
	test('is written for our server alone, once, and taken out with the entry', async () => {
		const {places, settings, read} = openProgram(row);
		const without = await planConnection(await settings(), {entry, trusted: false, places});
		expect(without.files.map(({after}) => after).join('')).not.toContain(row.trusts);
		const {files} = await planConnection(await settings(), {entry, trusted: true, places});
		for (const {file, after} of files) {
			await writeProgramFile(file, after);
		}

		expect([read(), await isTrusted(await settings(), places)]).toEqual([expect.stringContaining(row.trusts), true]);
		expect((await planConnection(await settings(), {entry, trusted: true, places})).files).toEqual([]);
		const again = await planConnection(await settings(), {entry, trusted: false, places});
		expect(again.files).toEqual([]);
		for (const {file, after} of await planRemoval(await settings(), {places, recorded: ['/f']})) {
			await writeProgramFile(file, after);
		}

		expect([read().includes('sluice'), await isTrusted(await settings(), places)]).toEqual([false, false]);
	});
});

test.each([
	['claude-code', '.claude/settings.json', '{"permissions": {"allow": "all"}}', 'permissions.allow is not a list'],
	['opencode', '.config/opencode/opencode.json', '{"permission": "ask"}', 'permission is not an object'],
] as const)('trust of %s is refused where %s has something else in its place', async (name, file, before, why) => {
	const {places, settings, read} = openProgram({name, file, before, trusts: ''});
	await expect(planConnection(await settings(), {entry, trusted: true, places})).rejects.toMatchObject({
		code: 'program_settings',
		message: expect.stringContaining(why),
	});
	expect(read()).toBe(before);
});
