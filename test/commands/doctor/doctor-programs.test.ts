import {expect, test} from 'vitest';
import {type Finding} from '../../../source/commands/doctor/finding.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {type Home, openHome} from '../connect/connect-fixture.ts';

async function findings({surroundings}: Home): Promise<readonly Finding[]> {
	const {stdout} = await runSluice(surroundings, 'doctor', '--offline', '--json');
	return (JSON.parse(stdout) as readonly Finding[]).filter(({check}) => check.startsWith('program'));
}

const codex = '.codex/config.toml';

test('doctor says nothing of programs that are not connected, also where a file is broken', async () => {
	const home = openHome();
	home.write('.cursor/mcp.json', '{"mcpServers": {"a": {"command": "x"}}}');
	home.write(codex, 'a = ');
	expect(await findings(home)).toEqual([]);
});

test('doctor checks the program, the time and the other servers of a connection', async () => {
	const home = openHome();
	await home.connect('codex', '--yes');
	expect(await findings(home)).toEqual([
		{check: 'program codex', level: 'ok', message: `Connected over stdio in ${home.path(codex)}`, remedy: null},
	]);
	const text = home.read(codex);
	home.write(
		codex,
		text.replace(/tool_timeout_sec = \d+/u, 'tool_timeout_sec = 60').concat('\n[mcp_servers.web]\nurl = "https://h"\n'),
	);
	expect(await findings(home)).toEqual([
		expect.objectContaining({
			level: 'warning',
			message: expect.stringContaining('gives a call 60 seconds, and with a question it may take 1260'),
		}),
		expect.objectContaining({
			level: 'warning',
			message: 'Codex calls a server without Sluice: web',
			remedy: expect.stringContaining('`sluice mcp import codex`'),
		}),
	]);
	home.write(
		codex,
		text.replace(/tool_timeout_sec = \d+\n/u, '').replaceAll(/"[^"]*\/dist\/bin\.js"/gu, '"/gone/dist/bin.js"'),
	);
	expect(await findings(home)).toEqual([
		expect.objectContaining({
			level: 'error',
			message: expect.stringContaining('starts /gone/dist/bin.js, which does not exist'),
		}),
		expect.objectContaining({level: 'warning', remedy: expect.stringContaining('sets `tool_timeout_sec`')}),
	]);
	home.write(codex, '[mcp_servers.sluice]\ncommand = "sluice"\nargs = ["mcp", "serve"]\ntool_timeout_sec = 5000\n');
	expect(await findings(home)).toEqual([
		expect.objectContaining({level: 'warning', message: expect.stringContaining('starts sluice without its folder')}),
	]);
	home.write(codex, '');
	expect(await findings(home)).toEqual([
		expect.objectContaining({
			level: 'warning',
			message: `${home.path(codex)} had an entry of Sluice, which is gone; Codex calls no tool through Sluice`,
			remedy: expect.stringContaining('`sluice connect codex`'),
		}),
	]);
	home.write(codex, 'a = ');
	expect(await findings(home)).toEqual([
		expect.objectContaining({level: 'warning', message: expect.stringContaining('not valid TOML')}),
	]);
});

test('doctor checks the hook of a program: its command, its events, its time, its trust, and what switches it off', async () => {
	const home = openHome();
	await home.connect('codex', '--hook', '--yes');
	const file = home.path('.codex/hooks.json');
	const hooks = home.read('.codex/hooks.json');
	const ofHook = async () => (await findings(home)).filter(({message}) => !message.startsWith('Connected over'));
	expect(await ofHook()).toEqual([
		{
			check: 'program codex',
			level: 'warning',
			message: `Codex has no trust for the hook in ${file}, or it is switched off, so it is skipped`,
			remedy: expect.stringContaining('Type /hooks in Codex'),
		},
	]);
	const events = ['permission_request', 'pre_tool_use'];
	const trust = events.map(event => `[hooks.state."${file}:${event}:0:0"]\ntrusted_hash = "sha256:x"\n`).join('');
	const config = home.read(codex);
	home.write(codex, `${config}\n${trust}`);
	expect(await ofHook()).toEqual([
		expect.objectContaining({
			level: 'ok',
			message: expect.stringMatching(/Its hook is in .*Codex skips a hook.*Web search/u),
		}),
	]);
	home.write(codex, `${config}\n${trust}[features]\nhooks = false\n`);
	expect(await ofHook()).toEqual([
		expect.objectContaining({
			level: 'warning',
			message: `${home.path(codex)} has \`features.hooks\` set to false, so Codex runs no hook of Sluice`,
		}),
	]);
	home.write(codex, `${config}\n${trust}`);
	home.write(
		'.codex/hooks.json',
		hooks
			.replace(/"[^"]* hook codex"/u, '"/gone/sluice hook codex"')
			.replace('PreToolUse', 'Stop')
			.replace('86400', '60'),
	);
	expect(await ofHook()).toEqual([
		expect.objectContaining({level: 'error', message: `The hook in ${file} starts /gone/sluice, which does not exist`}),
		expect.objectContaining({message: `The hook in ${file} has less time than a question may take`}),
		expect.objectContaining({
			message: `The hook in ${file} is missing under PreToolUse`,
			remedy: expect.stringContaining('connect codex --hook`'),
		}),
	]);
	home.write('.codex/hooks.json', '{}');
	expect(await ofHook()).toEqual([
		expect.objectContaining({
			message: `${file} had the hook of Sluice, which is gone; Codex asks about its own tools by itself alone`,
		}),
	]);
	home.write('.codex/hooks.json', '{');
	expect(await ofHook()).toEqual([
		expect.objectContaining({level: 'warning', message: expect.stringContaining('not valid JSON')}),
	]);
});

test('doctor knows the switch by which Claude Code runs no hook, and a connection without one', async () => {
	const home = openHome();
	await home.connect('claude-code', '--yes');
	expect((await findings(home)).map(({message}) => message)).toEqual([expect.stringMatching(/^Connected over stdio/u)]);
	await home.connect('claude-code', '--hook', '--yes');
	home.write('.claude/settings.json', home.read('.claude/settings.json').replace('{', '{"disableAllHooks": true,'));
	expect(await findings(home)).toContainEqual(
		expect.objectContaining({message: expect.stringContaining('`disableAllHooks` set to true')}),
	);
});
