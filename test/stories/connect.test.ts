import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {expect, onTestFinished, test} from 'vitest';
import {sluice, stateDirectory, typeSluice} from '../helpers/sluice.ts';
import {garden} from './garden.ts';

function openCodex(text: string) {
	const home = stateDirectory({mcp_servers: {garden: {...garden, trust: 'untrusted'}}});
	const file = join(home, '.codex', 'config.toml');
	mkdirSync(join(home, '.codex'));
	writeFileSync(file, text);
	return {home, file, read: () => readFileSync(file, 'utf8')};
}

test('a person sees the change, says no, then yes, and takes it back', async () => {
	const before = '# mine\nmodel = "x"\n';
	const {home, read} = openCodex(before);
	const declined = typeSluice({home}, 'connect', 'codex');
	await declined.waitFor('+ [mcp_servers.sluice]');
	await declined.waitFor('Connect Codex to Sluice? [y/N]');
	declined.press('n\r');
	expect([await declined.exit, read(), existsSync(join(home, 'connections'))]).toEqual([1, before, false]);

	const connected = typeSluice({home}, 'connect', 'codex');
	await connected.waitFor('[y/N]');
	connected.press('y\r');
	await connected.waitFor('Connected Codex over stdio');
	await connected.waitFor('List the tools of the server sluice');
	expect([await connected.exit, read().startsWith(before)]).toEqual([0, true]);

	const removed = typeSluice({home}, 'connect', 'codex', '--remove');
	await removed.waitFor('- [mcp_servers.sluice]');
	await removed.waitFor('Disconnect Codex, and restore the settings of before? [y/N]');
	removed.press('y\r');
	expect([await removed.exit, read()]).toEqual([0, before]);
});

test('a file that changes while a person reads is not written', async () => {
	const {home, file, read} = openCodex('model = "x"\n');
	const terminal = typeSluice({home}, 'connect', 'codex');
	await terminal.waitFor('[y/N]');
	writeFileSync(file, 'model = "y"\n');
	terminal.press('y\r');
	await terminal.waitFor('has changed since it was read');
	expect([await terminal.exit, read()]).toEqual([1, 'model = "y"\n']);
	expect(existsSync(join(home, 'connections', 'codex.json'))).toBe(false);
});

test('trust lists the tools that would run without a question, and --yes does not answer for it', async () => {
	const {home, read} = openCodex('');
	const declined = typeSluice({home}, 'connect', 'codex', '--trust', '--yes');
	await declined.waitFor(/would run without any question, of Codex or of Sluice:\s+garden\/\S+ {2}\(reads only\)/u);
	await declined.waitFor('Let Codex run the tools of Sluice without asking? [y/N]');
	declined.press('n\r');
	await declined.waitFor('Codex goes on asking.');
	expect([await declined.exit, read().includes('default_tools_approval_mode')]).toEqual([0, false]);

	const trusted = typeSluice({home}, 'connect', 'codex', '--trust', '--yes');
	await trusted.waitFor('without asking? [y/N]');
	trusted.press('y\r');
	expect([await trusted.exit, read()]).toEqual([0, expect.stringContaining('default_tools_approval_mode = "approve"')]);
});

test('the program that was written serves the tools of Sluice', async () => {
	const {home} = openCodex('');
	const {code} = await sluice({home}, 'connect', 'gemini', '--yes');
	const settings = JSON.parse(readFileSync(join(home, '.gemini', 'settings.json'), 'utf8')) as {
		readonly mcpServers: {readonly sluice: {readonly command: string; readonly args: readonly string[]}};
	};
	const {command, args} = settings.mcpServers.sluice;
	const transport = new StdioClientTransport({command, args: [...args], stderr: 'pipe'});
	const client = new Client({name: 'gemini', version: '1'});
	onTestFinished(() => client.close());
	await client.connect(transport);
	const {tools} = await client.listTools();
	expect([code, tools.map(({name}) => name)]).toEqual([0, expect.arrayContaining(['mcp__garden__list_tasks'])]);
});

test('a person takes over the servers that the program had, and is told to switch them off there', async () => {
	const {home} = openCodex('[mcp_servers.notes]\ncommand = "npx"\nargs = ["-y", "notes"]\n');
	const terminal = typeSluice({home}, 'connect', 'codex');
	await terminal.waitFor('Connect Codex to Sluice? [y/N]');
	terminal.press('y\r');
	await terminal.waitFor('Codex calls another server without Sluice: "notes"');
	await terminal.waitFor('Take over what is new there into Sluice? [y/N]');
	terminal.press('y\r');
	await terminal.waitFor('for what you took over, set `enabled = false` in its entry');
	await terminal.waitFor('List the tools of the server sluice');
	expect([await terminal.exit, readFileSync(join(home, 'config.yaml'), 'utf8')]).toEqual([
		0,
		expect.stringMatching(/notes:[^]*npx/u),
	]);
});
