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
