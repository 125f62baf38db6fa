import {expect, test, vi} from 'vitest';
import {join} from 'node:path';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {installClaude, openHome} from './connect-fixture.ts';

const calls = (text: string) =>
	text
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as string[]);

test('Claude Code adds the entry itself where `claude` is installed, and the former text comes back', async () => {
	const home = openHome();
	const {connect, read, write} = home;
	installClaude(home);
	const before = JSON.stringify({numStartups: 1, mcpServers: {a: {command: 'x'}}});
	write('.claude.json', before);
	const {code, stderr} = await connect('claude-code', '--yes');
	expect([code, stderr]).toEqual([0, expect.stringContaining('  claude mcp add-json sluice ')]);
	const [added] = calls(read('claude-calls'));
	expect(added).toEqual(['mcp', 'add-json', 'sluice', expect.any(String), '--scope', 'user']);
	expect(JSON.parse(read('.claude.json'))).toEqual({
		numStartups: 1,
		mcpServers: {a: {command: 'x'}, sluice: JSON.parse(added?.[3] ?? '')},
	});
	expect((await connect('claude-code', '--remove', '--yes')).stdout).toMatch(/^Restored /u);
	expect(read('.claude.json')).toBe(before);
});

test('an entry that is there is removed first, and where the file has changed Claude Code takes it out itself', async () => {
	const home = openHome();
	const {connect, read, write} = home;
	installClaude(home);
	write('.claude.json', JSON.stringify({mcpServers: {sluice: {command: '/old/sluice', args: ['mcp', 'serve']}}}));
	expect((await connect('claude-code', '--yes')).stdout).toContain('Updated Claude Code');
	write('.claude.json', JSON.stringify({...(JSON.parse(read('.claude.json')) as object), numStartups: 2}));
	expect((await connect('claude-code', '--remove', '--yes')).stdout).toMatch(/^Took the entry/u);
	expect(calls(read('claude-calls')).map(words => words[1])).toEqual(['remove', 'add-json', 'remove']);
	expect(JSON.parse(read('.claude.json'))).toEqual({mcpServers: {}, numStartups: 2});
});

test('a `claude` that fails leaves no connection', async () => {
	const home = openHome();
	installClaude(home);
	const script = home.read('bin/claude');
	home.write('bin/claude', script.replace("act === 'add-json' && name in", "true || 'x' in"), 0o755);
	const {code, stderr} = await home.connect('claude-code', '--yes');
	expect([code, stderr]).toEqual([
		1,
		expect.stringContaining('`claude mcp add-json` failed: MCP server sluice already exists'),
	]);
	expect([home.has('.claude.json'), home.records()]).toEqual([false, []]);
});

test('an entry with variables of a person goes into the file, where no other user sees it as an argument', async () => {
	const home = openHome();
	installClaude(home);
	const sluice = {command: '/old/sluice', args: ['mcp', 'serve'], env: {TOKEN: 'hidden-one'}};
	home.write('.claude.json', JSON.stringify({mcpServers: {sluice}}));
	const {code, stderr} = await home.connect('claude-code', '--yes');
	expect([code, stderr, home.has('claude-calls')]).toEqual([0, expect.not.stringContaining('hidden-one'), false]);
	expect(home.read('.claude.json')).toContain('hidden-one');
});

test('a former entry comes back when `claude` cannot add the new one', async () => {
	const home = openHome();
	installClaude(home);
	home.write('bin/claude', home.read('bin/claude').replace('name in state.mcpServers', 'true'), 0o755);
	const before = {mcpServers: {sluice: {command: '/old/sluice', args: ['mcp', 'serve']}}};
	home.write('.claude.json', JSON.stringify(before));
	expect((await home.connect('claude-code', '--yes')).code).toBe(1);
	expect([JSON.parse(home.read('.claude.json')), home.records()]).toEqual([before, []]);
});

test('a project has its own file and record', async () => {
	const home = openHome();
	const project = join(home.home, 'project');
	home.write('project/.mcp.json', '{}');
	const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project);
	onTestFinished(() => cwd.mockRestore());
	const {code, stdout, stderr} = await home.connect('claude-code', '--project', '--yes');
	expect([code, stdout]).toEqual([0, `Connected Claude Code over stdio: ${project}/.mcp.json\n`]);
	expect(stderr).toContain('The entry has paths of this machine');
	expect(home.records()).toEqual([expect.stringMatching(/^claude-code-[\da-f]{16}\.json$/u)]);
	expect((await home.connect('claude-code')).code).toBe(2);
	await home.connect('claude-code', '--project', '--remove', '--yes');
	expect([home.read('project/.mcp.json'), home.records()]).toEqual(['{}', []]);
});

test('over HTTP it asks Sluice for the token, which is in no file of Claude Code', async () => {
	const {connect, read} = openHome({gateway: {endpoint: {port: 8700}}});
	const {code, stderr} = await connect('claude-code', '--http', '--yes');
	expect([code, stderr]).toEqual([0, expect.not.stringContaining('from its environment')]);
	const entry = (JSON.parse(read('.claude.json')) as {mcpServers: {sluice: object}}).mcpServers.sluice;
	expect(entry).toMatchObject({
		type: 'http',
		url: 'http://127.0.0.1:8700/mcp',
		headersHelper: expect.stringMatching(/ --home \S+ clients headers claude-code$/u),
	});
	const token = /^SLUICE_CLIENT_CLAUDE_CODE=(\S{43})$/mu.exec(read('.env'))?.[1];
	expect(token).toBeDefined();
	expect(read('.claude.json')).not.toContain(token);
	expect(read('config.yaml')).toContain('${SLUICE_CLIENT_CLAUDE_CODE}');
});

test('other programs refer to a variable', async () => {
	const {connect, read} = openHome({gateway: {endpoint: {port: 8700}}});
	expect((await connect('codex', '--http', '--yes')).stderr).toContain(
		'set SLUICE_CLIENT_CODEX there; `sluice clients headers codex` prints it',
	);
	expect(read('.codex/config.toml')).toContain('bearer_token_env_var = "SLUICE_CLIENT_CODEX"');
	expect((await connect('codex', '--yes')).stdout).toContain('Updated Codex over stdio');
	expect(read('.codex/config.toml')).not.toContain('bearer_token_env_var');
});
