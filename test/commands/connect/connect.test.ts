import {chmodSync, lstatSync, readlinkSync, statSync, symlinkSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {programNames} from '../../../source/config/programs/program-names.ts';
import {program as ownProgram} from '../../helpers/sluice.ts';
import {openHome} from './connect-fixture.ts';

const files: Readonly<Record<string, string>> = {
	'claude-desktop': '.config/Claude/claude_desktop_config.json',
	'claude-code': '.claude.json',
	vscode: '.config/Code/User/mcp.json',
	cursor: '.cursor/mcp.json',
	gemini: '.gemini/settings.json',
	codex: '.codex/config.toml',
	antigravity: '.gemini/config/mcp_config.json',
	windsurf: '.codeium/windsurf/mcp_config.json',
	zed: '.config/zed/settings.json',
	opencode: '.config/opencode/opencode.jsonc',
	crush: '.config/crush/crush.json',
};

test('the table of files has every program', () => {
	expect(Object.keys(files).sort()).toEqual([...programNames].sort());
});

describe.each(Object.entries(files))('%s', (name, file) => {
	test('is connected in its own file, once, and the file goes with the connection', async () => {
		const {connect, read, has, home, records} = openHome();
		const {code, stdout, stderr} = await connect(name, '--yes');
		expect([code, stderr]).toEqual([0, expect.stringContaining(`/${file} (a new file)\n+ `)]);
		expect(stdout).toMatch(new RegExp(`^Connected .* over stdio: ${home}/${file}\\n$`, 'u'));
		const text = read(file);
		expect(text).toContain(JSON.stringify(ownProgram));
		expect(text.replaceAll(/\s+/gu, ' ')).toContain(`"mcp", "serve", "--client", "${name}"`);
		expect(text).toContain(`"${home}"`);
		expect((await connect(name, '--yes')).stdout).toMatch(/^Nothing to change for /u);
		expect(read(file)).toBe(text);
		const removed = await connect(name, '--remove', '--yes');
		expect([removed.code, removed.stdout]).toEqual([0, `Restored ${home}/${file}.\n`]);
		expect([has(file), records()]).toEqual([false, []]);
		expect((await connect(name, '--remove', '--yes')).stdout).toContain('is not connected');
	});

	test('gets back its former text', async () => {
		const before = file.endsWith('.toml') ? '# mine\nmodel = "x"' : '\uFEFF// mine\r\n{\r\n\t"a" : 1,\r\n}';
		const {connect, read, write, records, path} = openHome();
		write(file, before, 0o640);
		expect((await connect(name, '--yes')).code).toBe(0);
		expect(read(file)).not.toBe(before);
		expect([records(), statSync(path(file)).mode & 0o777]).toEqual([[`${name}.json`], 0o640]);
		expect(statSync(path(`connections/${name}.json`)).mode & 0o777).toBe(0o600);
		expect((await connect(name, '--remove', '--yes')).stdout).toMatch(/^Restored /u);
		expect(read(file)).toBe(before);
		expect(records()).toEqual([]);
	});
});

describe('a connection', () => {
	const codex = '.codex/config.toml';

	test('gives a call the time of the longest question and of the longest call', async () => {
		const {connect, read} = openHome({
			approvals: {timeout: 1000},
			mcp_servers: {slow: {command: 'x', timeout: 500}},
		});
		expect(JSON.parse((await connect('codex', '--yes', '--json')).stdout)).toMatchObject({timeout_seconds: 1560});
		expect(read(codex)).toContain('tool_timeout_sec = 1560');
		await connect('gemini', '--yes');
		expect(read('.gemini/settings.json')).toContain('"timeout": 1560000');
		expect((await connect('zed', '--yes')).stderr).toContain('Zed gives a call at most 600 seconds');
		expect((await connect('cursor', '--yes')).stderr).toContain('No setting of Cursor for the time of a call is known');
	});

	test('that is made again keeps what a person added, a longer time, and the first text', async () => {
		const {connect, read, write} = openHome();
		await connect('codex', '--yes');
		write(
			codex,
			read(codex)
				.replace(/tool_timeout_sec = \d+/u, 'tool_timeout_sec = 9999')
				.replace('command', 'startup_timeout_sec = 30\ncommand = "/old/sluice"\n#'),
		);
		const {code, stdout} = await connect('codex', '--yes');
		expect([code, stdout]).toEqual([0, expect.stringContaining('Updated Codex')]);
		expect(read(codex)).toContain('startup_timeout_sec = 30');
		expect(read(codex)).toContain('tool_timeout_sec = 9999');
		expect(read(codex)).not.toContain('/old/sluice');
	});

	test('has Codex wait for Sluice to start, which else takes part without its tools', async () => {
		const {connect, read} = openHome();
		await connect('codex', '--yes');
		expect(read(codex)).toContain('required = true');
	});

	test('is taken out alone where something else has changed', async () => {
		const {connect, read, write, records} = openHome();
		write(codex, '# mine\nmodel = "x"\n');
		await connect('codex', '--yes');
		write(codex, `${read(codex)}\n[tools]\nweb = true # added\n`);
		const {code, stdout, stderr} = await connect('codex', '--remove', '--yes');
		expect([code, stdout]).toEqual([
			0,
			expect.stringMatching(/^Took the entry of Sluice out of .*; the rest had changed/u),
		]);
		expect(stderr).toContain('- [mcp_servers.sluice]');
		expect([read(codex), records()]).toEqual(['# mine\nmodel = "x"\n\n[tools]\nweb = true # added\n', []]);
	});

	test('that a person has taken out by hand leaves no text of before', async () => {
		const {connect, write, read, records} = openHome();
		await connect('codex', '--yes');
		write(codex, 'model = "y"\n');
		const {code, stdout} = await connect('codex', '--remove', '--yes');
		expect([code, stdout, read(codex), records()]).toEqual([
			0,
			expect.stringContaining('has no entry of Sluice any more'),
			'model = "y"\n',
			[],
		]);
	});

	test('goes through a symbolic link, which stays one', async () => {
		const {connect, read, write, path} = openHome();
		write('dotfiles/mcp.json', '{}\n');
		write('.cursor/other', '');
		symlinkSync(path('dotfiles/mcp.json'), path('.cursor/mcp.json'));
		expect((await connect('cursor', '--yes')).code).toBe(0);
		expect(lstatSync(path('.cursor/mcp.json')).isSymbolicLink()).toBe(true);
		expect(readlinkSync(path('.cursor/mcp.json'))).toBe(path('dotfiles/mcp.json'));
		expect(read('dotfiles/mcp.json')).toContain('"sluice"');
		await connect('cursor', '--remove', '--yes');
		expect([read('dotfiles/mcp.json'), lstatSync(path('.cursor/mcp.json')).isSymbolicLink()]).toEqual(['{}\n', true]);
	});

	test('shows no secret of others, nor one of a former entry', async () => {
		const {connect, write} = openHome();
		const servers = {
			web: {url: 'https://h', headers: {Authorization: 'Bearer abcdefgh12345678'}},
			sluice: {command: '/old/sluice', args: ['mcp', 'serve'], env: {TOKEN: 'hidden-one'}, apiKey: 'hidden-two'},
		};
		write('.cursor/mcp.json', JSON.stringify({mcpServers: servers}));
		const {stdout, stderr} = await connect('cursor', '--yes');
		expect(stderr).toContain('- ');
		expect(stderr).toContain('/old/sluice');
		expect(stdout + stderr).not.toMatch(/abcdefgh|hidden/u);
	});

	test('names the servers that stay beside it, and how they come behind it', async () => {
		const {connect, write} = openHome();
		const switchedOff = {command: 'x', disabled: true};
		write(
			'.codeium/windsurf/mcp_config.json',
			JSON.stringify({mcpServers: {'a\u001B[2J': {command: 'x'}, off: switchedOff}}),
		);
		const {stderr} = await connect('windsurf', '--yes');
		expect(stderr).toContain('Windsurf calls another server without Sluice: "a␛[2J"\n');
		expect(stderr).toContain('`sluice mcp import windsurf` takes them over; then set `"disabled": true` in its entry.');
		expect(stderr).toMatch(
			/Open `sluice`, where you are asked about calls; then restart Windsurf, and type:\n {2}List the tools of the server sluice, and call one that only reads\.\n$/u,
		);
	});

	test('needs --yes without a terminal, and writes nothing without it', async () => {
		const {connect, has, records} = openHome();
		const {code, stderr} = await connect('codex');
		expect([code, stderr]).toEqual([2, expect.stringContaining('Without a terminal `sluice connect` needs --yes')]);
		expect([has(codex), records()]).toEqual([false, []]);
	});
});

describe('bad input', () => {
	const long = `{"a": "${'x'.repeat(5 * 1_048_576)}"}`;
	const rows: ReadonlyArray<readonly [string, string, string | Buffer, string]> = [
		['broken JSON', 'cursor', '{"mcpServers": ', 'is not valid JSON; nothing was changed'],
		['JSON in a TOML file', 'codex', '{"mcp_servers": {}}', 'is not valid TOML; nothing was changed'],
		['a list', 'cursor', '[]', 'is not valid JSON'],
		['deep nesting', 'cursor', '['.repeat(200_000), 'is not valid JSON'],
		['5 MB', 'cursor', long, 'is larger than 4 MB'],
		['bytes that are no UTF-8', 'cursor', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'is not UTF-8 text'],
		['servers that are a list', 'cursor', '{"mcpServers": []}', 'mcpServers is not an object'],
		['servers twice', 'cursor', '{"mcpServers": {}, "mcpServers": {}}', 'is there twice'],
		[
			'two entries',
			'cursor',
			'{"mcpServers": {"sluice": {"command": "sluice", "args": ["mcp", "serve"]}, "sluice": {"command": "/x/sluice", "args": ["mcp", "serve"]}}}',
			'mcpServers.sluice is there twice',
		],
		[
			'an entry of another',
			'cursor',
			'{"mcpServers": {"sluice": {"command": "/usr/bin/dam"}}}',
			'leads to another server',
		],
		[
			'tables in braces',
			'codex',
			'mcp_servers = {a = {command = "x"}}\n',
			'written in a way that Sluice cannot change',
		],
		[
			'our entry in braces',
			'codex',
			'[mcp_servers]\nsluice = {command = "/x/sluice", args = ["mcp", "serve"]}\n',
			'written in a way that Sluice cannot change',
		],
	];

	test.each(rows)('%s is refused with one message, and nothing is written', async (_what, name, text, why) => {
		const {connect, write, path, records} = openHome();
		const file = files[name] ?? '';
		write(file, text);
		const before = statSync(path(file));
		const {code, stdout, stderr} = await connect(name, '--yes');
		expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(why)]);
		expect(stderr.split('\n').length).toBe(3);
		expect([statSync(path(file)).mtimeMs, statSync(path(file)).ino, records()]).toEqual([
			before.mtimeMs,
			before.ino,
			[],
		]);
	});

	test('a link to nothing, a folder and a read-only file are refused', async () => {
		const {connect, write, path, read} = openHome();
		write('.cursor/other', '');
		symlinkSync(path('gone'), path('.cursor/mcp.json'));
		expect((await connect('cursor', '--yes')).stderr).toContain('is a symbolic link to a file that is not there');
		write('.gemini/settings.json/x', '');
		expect((await connect('gemini', '--yes')).stderr).toContain('is a folder');
		write('.codex/config.toml', 'a = 1\n');
		chmodSync(path('.codex/config.toml'), 0o444);
		expect((await connect('codex', '--yes')).stderr).toContain('is read-only');
		expect(read('.codex/config.toml')).toBe('a = 1\n');
	});

	test.each([
		[['codx'], '"codx" is not a known program; did you mean "codex"?'],
		[['codex', 'gemini'], '"gemini" is one word too many'],
		[['codex', '--stdio', '--http'], '--stdio and --http exclude each other'],
		[['codex', '--remove', '--trust'], 'it goes with --project, --yes and --json alone'],
		[['--yes'], 'The name of a program is missing'],
		[['claude-desktop', '--project', '--yes'], 'Claude Desktop has no settings file for a project'],
		[['windsurf', '--trust', '--yes'], 'Windsurf has no setting in a file that trusts the tools of one server'],
		[['--trust', 'codex', '--yes'], '--trust asks a question of its own'],
		[['claude-desktop', '--http', '--yes'], 'Claude Desktop takes the token of an endpoint only from its file'],
		[['codex', '--remove', '--hook'], '--remove takes out the entry and the hook'],
		[['--hook'], 'The name of a program is missing'],
		[['claude-desktop', '--hook', '--yes'], 'Claude Desktop has no hooks'],
		[['zed', '--hook', '--yes'], 'Zed has no hooks'],
		[['windsurf', '--hook', '--yes'], 'Sluice does not answer the hooks of Windsurf'],
		[['crush', '--hook', '--yes'], 'Sluice does not answer the hooks of Crush'],
		[['antigravity', '--hook', '--project', '--yes'], 'Antigravity has no settings file for a project'],
	])('%j is not understood', async (words, why) => {
		const {connect, records} = openHome();
		const {code, stderr} = await connect(...words);
		expect([code, stderr, records()]).toEqual([2, expect.stringContaining(why), []]);
	});
});
