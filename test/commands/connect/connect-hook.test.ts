import {chmodSync, mkdirSync, statSync, symlinkSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {programs} from '../../../source/config/programs/programs.ts';
import {shellWords} from '../../../source/commands/config/editor.ts';
import {program as ownProgram} from '../../helpers/sluice.ts';
import {openHome} from './connect-fixture.ts';

const day = 86_400;
const command = expect.stringMatching(/ hook [a-z-]+$/u);
const handler = (timeout = day) => ({type: 'command', command, timeout});

/** The file of each hook, and all of it where there was none, as the documents of the program show it. */
const rows: ReadonlyArray<{
	readonly name: 'claude-code' | 'codex' | 'gemini' | 'antigravity' | 'cursor' | 'vscode';
	readonly file: string;
	readonly project?: string;
	readonly text: object;
}> = [
	{
		name: 'claude-code',
		file: '.claude/settings.json',
		project: '.claude/settings.json',
		text: {
			hooks: {
				PermissionRequest: [{matcher: '*', hooks: [handler()]}],
				PreToolUse: [{matcher: '*', hooks: [{...handler(), onFailure: 'block'}]}],
			},
		},
	},
	{
		name: 'codex',
		file: '.codex/hooks.json',
		project: '.codex/hooks.json',
		text: {hooks: {PermissionRequest: [{hooks: [handler()]}], PreToolUse: [{hooks: [handler()]}]}},
	},
	{
		name: 'gemini',
		file: '.gemini/settings.json',
		project: '.gemini/settings.json',
		text: {
			mcpServers: {sluice: expect.anything()},
			hooks: {BeforeTool: [{matcher: '.*', hooks: [{name: 'sluice', ...handler(day * 1000)}]}]},
		},
	},
	{
		name: 'antigravity',
		file: '.gemini/config/hooks.json',
		text: {sluice: {PreToolUse: [{matcher: '*', hooks: [handler(60)]}]}},
	},
	{
		name: 'cursor',
		file: '.cursor/hooks.json',
		project: '.cursor/hooks.json',
		text: {version: 1, hooks: {preToolUse: [{command, timeout: day, failClosed: true}]}},
	},
	{
		name: 'vscode',
		file: '.copilot/hooks/sluice.json',
		project: '.github/hooks/sluice.json',
		text: {hooks: {PreToolUse: [handler()]}},
	},
];

describe.each(rows)('the hook of $name', ({name, file, project, text}) => {
	test('is written as its documents say, once, with a stable command line, and goes with the connection', async () => {
		const {connect, read, has, home, records} = openHome();
		const {code, stderr} = await connect(name, '--hook', '--yes');
		expect([code, stderr]).toEqual([0, expect.stringContaining(`/${file} (a new file)\n+ `)]);
		expect(JSON.parse(read(file))).toEqual(text);
		const [line = ''] = /"[^"\n]* hook [a-z-]+"/u.exec(read(file)) ?? [];
		const words = shellWords(JSON.parse(line) as string);
		expect(words.slice(words.indexOf(ownProgram))).toEqual([ownProgram, '--home', home, 'hook', name]);
		const {hook} = programs[name];
		expect(hook.kind === 'none' || [hook.failure, hook.unreached].every(one => stderr.includes(one))).toBe(true);
		const written = read(file);
		expect((await connect(name, '--hook', '--yes')).stdout).toMatch(/^Nothing to change for /u);
		expect(read(file)).toBe(written);
		expect((await connect(name, '--remove', '--yes')).stdout).toMatch(/^Restored /u);
		expect([has(file), records()]).toEqual([false, []]);
	});

	test('leaves every other byte, in a file with hooks of others and after it was changed', async () => {
		const others = '\uFEFF{\r\n\t// mine\r\n\t"hooks" : {"Stop": [ ]} , /* all */\r\n\t"x": [1]\r\n}';
		const {connect, read, write} = openHome();
		write(file, others, 0o640);
		expect((await connect(name, '--hook', '--yes')).code).toBe(0);
		expect(read(file)).not.toBe(others);
		expect((await connect(name, '--remove', '--yes')).stdout).toMatch(/^Restored /u);
		expect(read(file)).toBe(others);
		await connect(name, '--hook', '--yes');
		write(file, read(file).replace('// mine', '// mine, too'));
		expect((await connect(name, '--remove', '--yes')).stdout).toMatch(/^Took the entry/u);
		expect(read(file)).toContain('// mine, too');
		expect(read(file)).not.toContain('sluice hook');
		expect(read(file)).not.toMatch(/ hook [a-z-]+"/u);
	});

	test.runIf(project !== undefined)('of a project is in its own file', async () => {
		const {connect, home} = openHome();
		const {code, stderr} = await connect(name, '--hook', '--project');
		expect([code, stderr]).toEqual([2, expect.stringContaining(`/${project} (a new file)`)]);
		expect(stderr).not.toContain(`${home}/${project}`);
	});
});

test('the table has every program with a hook in settings', () => {
	const names = Object.values(programs).filter(({hook}) => hook.kind === 'settings');
	expect(rows.map(({name}) => name).sort()).toEqual(names.map(({name}) => name).sort());
});

describe('a hook', () => {
	const file = '.codex/hooks.json';
	const old = 'node /old/dist/bin.js hook codex';

	test('that is there is brought up to date also without --hook, and keeps what a person has changed', async () => {
		const {connect, read, write} = openHome();
		const others = {type: 'command', command: 'echo hook codex'};
		const own = {matcher: 'Bash', hooks: [{type: 'command', command: old, timeout: 999_999, statusMessage: 'asks'}]};
		write(file, JSON.stringify({description: 'mine', hooks: {PreToolUse: [{hooks: [others]}, own]}}));
		const {code, stderr} = await connect('codex', '--yes');
		expect([code, stderr]).toEqual([0, expect.stringContaining('/hooks')]);
		expect(JSON.parse(read(file))).toEqual({
			description: 'mine',
			hooks: {
				PreToolUse: [
					{hooks: [others]},
					{matcher: 'Bash', hooks: [{type: 'command', command, timeout: 999_999, statusMessage: 'asks'}]},
				],
				PermissionRequest: [{hooks: [handler()]}],
			},
		});
		expect(read(file)).not.toContain('/old/');
	});

	test('that is there twice becomes one', async () => {
		const {connect, read, write} = openHome();
		const own = {hooks: [{type: 'command', command: old}]};
		write(file, JSON.stringify({hooks: {PreToolUse: [own, own]}}));
		expect((await connect('codex', '--hook', '--yes')).code).toBe(0);
		expect((JSON.parse(read(file)) as {hooks: {PreToolUse: object[]}}).hooks.PreToolUse).toEqual([
			{hooks: [handler()]},
		]);
	});

	test('that is added later goes with the first texts of before', async () => {
		const {connect, read, write, has} = openHome();
		write('.codex/config.toml', 'a = 1\n');
		await connect('codex', '--yes');
		expect((await connect('codex', '--hook', '--yes')).stdout).toContain('Updated Codex');
		expect((await connect('codex', '--remove', '--yes')).stdout).toMatch(/^Restored /u);
		expect([read('.codex/config.toml'), has(file)]).toEqual(['a = 1\n', false]);
	});

	test('beside an entry that somebody else wrote goes with it', async () => {
		const {connect, write, has, read} = openHome();
		await connect('codex', '--yes');
		const entry = read('.codex/config.toml');
		await connect('codex', '--remove', '--yes');
		write('.codex/config.toml', entry);
		await connect('codex', '--hook', '--yes');
		expect((await connect('codex', '--remove', '--yes')).code).toBe(0);
		expect(has(file)).toBe(false);
	});

	test('of Gemini is in one file with the entry, in one change', async () => {
		const {connect, read, write, records} = openHome();
		const before = '{\n  "theme": "dark" // mine\n}\n';
		write('.gemini/settings.json', before);
		const {stderr} = await connect('gemini', '--hook', '--yes');
		expect(stderr.split('/.gemini/settings.json\n').length).toBe(2);
		expect(read('.gemini/settings.json')).toMatch(/"theme": "dark", \/\/ mine[^]*"mcpServers"[^]*"BeforeTool"/u);
		await connect('gemini', '--remove', '--yes');
		expect([read('.gemini/settings.json'), records()]).toEqual([before, []]);
	});

	test('is named by the list', async () => {
		const {connect} = openHome();
		await connect('codex', '--hook', '--yes');
		const list = JSON.parse((await connect('--json')).stdout) as ReadonlyArray<{name: string; hook: boolean | null}>;
		const hookOf = (name: string) => list.find(one => one.name === name)?.hook;
		expect([hookOf('codex'), hookOf('cursor'), hookOf('zed')]).toEqual([true, false, null]);
	});
});

describe('bad input in the file of a hook', () => {
	const own = {type: 'command', command: '/usr/bin/sluice hook cursor'};
	const rows: ReadonlyArray<readonly [string, string, string, string, string]> = [
		['broken JSON', 'cursor', '.cursor/hooks.json', '{"hooks": ', 'is not valid JSON; nothing was changed'],
		['5 MB', 'cursor', '.cursor/hooks.json', `{"a": "${'x'.repeat(5 * 1_048_576)}"}`, 'is larger than 4 MB'],
		['an event that is no list', 'cursor', '.cursor/hooks.json', '{"hooks": {"preToolUse": {}}}', 'is not a list'],
		['hooks that are a list', 'cursor', '.cursor/hooks.json', '{"hooks": []}', 'hooks is not an object'],
		['two lists', 'cursor', '.cursor/hooks.json', '{"hooks": {}, "hooks": {}}', 'is there twice'],
		[
			'our hook in a group with others',
			'codex',
			'.codex/hooks.json',
			JSON.stringify({hooks: {PreToolUse: [{hooks: [{...own, command: '/x/sluice hook codex'}, {command: 'y'}]}]}}),
			'has the hook of Sluice in one group with others, under PreToolUse; nothing was changed',
		],
		[
			'a plugin of another',
			'opencode',
			'.config/opencode/plugins/sluice.js',
			'export default 1;\n',
			'is a plugin that Sluice has not written; nothing was changed',
		],
	];

	test.each(rows)('%s is refused with one message, and nothing is written', async (...row) => {
		const [, name, file, text, why] = row;
		const {connect, write, path, records, has, read} = openHome();
		write(file, text);
		const before = statSync(path(file));
		const {code, stdout, stderr} = await connect(name, '--hook', '--yes');
		expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(why)]);
		expect(stderr.split('\n').length).toBe(3);
		const after = statSync(path(file));
		expect([after.mtimeMs, after.ino, read(file) === text, records()]).toEqual([before.mtimeMs, before.ino, true, []]);
		expect([has('.cursor/mcp.json'), has('.codex/config.toml')]).toEqual([false, false]);
	});

	test('an empty file is filled, a link is followed, a read-only file and a folder are refused', async () => {
		const {connect, write, path, read} = openHome();
		write('.cursor/hooks.json', '');
		expect((await connect('cursor', '--hook', '--yes')).code).toBe(0);
		expect(JSON.parse(read('.cursor/hooks.json'))).toMatchObject({version: 1});
		write('dotfiles/hooks.json', '{}\n');
		mkdirSync(path('.codex'), {recursive: true});
		symlinkSync(path('dotfiles/hooks.json'), path('.codex/hooks.json'));
		expect((await connect('codex', '--hook', '--yes')).code).toBe(0);
		expect(read('dotfiles/hooks.json')).toContain('hook codex');
		write('.claude/settings.json', '{}');
		chmodSync(path('.claude/settings.json'), 0o444);
		expect((await connect('claude-code', '--hook', '--yes')).stderr).toContain('is read-only');
		write('.copilot/hooks/sluice.json/x', '');
		expect((await connect('vscode', '--hook', '--yes')).stderr).toContain('is a folder');
		expect([read('.claude/settings.json')]).toEqual(['{}']);
	});

	test('a file that is broken does not keep the entry from being written or removed', async () => {
		const {connect, write, read} = openHome();
		write('.codex/hooks.json', '{');
		expect((await connect('codex', '--yes')).code).toBe(0);
		expect((await connect('codex', '--remove', '--yes')).code).toBe(0);
		expect(read('.codex/hooks.json')).toBe('{');
	});
});
