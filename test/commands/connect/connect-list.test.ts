import {chmodSync} from 'node:fs';
import {expect, test} from 'vitest';
import {type ProgramJson} from '../../../source/state/json/program.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {openHome} from './connect-fixture.ts';

test('the list says which programs are installed, which are connected, and how', async () => {
	const {connect, write, path} = openHome();
	write('bin/gemini', '#!/bin/sh\n');
	chmodSync(path('bin/gemini'), 0o755);
	write('.cursor/mcp.json', '{"mcpServers": {"web": {"url": "https://h"}}}');
	write('.codex/config.toml', 'a = \n');
	await connect('cursor', '--yes');
	const rows = JSON.parse((await connect('--json')).stdout) as readonly ProgramJson[];
	const row = (name: string) => rows.find(one => one.name === name);
	expect(rows.length).toBe(11);
	expect(row('gemini')).toMatchObject({installed: true, connected: null, file: null});
	expect(row('cursor')).toMatchObject({installed: true, connected: 'stdio', servers_beside: ['web'], problem: null});
	expect(row('codex')).toMatchObject({
		installed: true,
		connected: null,
		problem: expect.stringContaining('not valid TOML'),
	});
	expect(row('zed')).toMatchObject({installed: false, connected: null, file: null});
	const {stdout} = await connect();
	expect(stdout).toMatch(/^cursor +yes +over stdio +no +\/.*mcp\.json\n {2}not behind Sluice: web$/mu);
	expect(stdout).toMatch(/^zed +no +no +- +-$/mu);
});

test('an import leaves our own entry out, and finds servers of every program', async () => {
	const {connect, write, surroundings} = openHome();
	write(
		'.config/opencode/opencode.json',
		'{"mcp": {"notes": {"type": "local", "command": ["npx", "-y", "n"], "environment": {"K": "{env:KEY}"}}}}',
	);
	write('.codeium/windsurf/mcp_config.json', '{"mcpServers": {"web": {"serverUrl": "https://h/mcp"}}}');
	write('.config/zed/settings.json', '{"context_servers": {"z": {"command": "zz", "args": []}}}');
	write(
		'.config/crush/crush.json',
		'{"mcp": {"c": {"type": "http", "url": "https://c", "headers": {"Authorization": "Bearer $PAT"}}}}',
	);
	await connect('windsurf', '--yes');
	const {stdout} = await runSluice(surroundings, 'mcp', 'import', '--json');
	expect(JSON.parse(stdout)).toEqual([
		expect.objectContaining({name: 'web', from: 'windsurf', address: 'https://h/mcp'}),
		expect.objectContaining({name: 'z', from: 'zed', address: 'zz'}),
		expect.objectContaining({name: 'notes', from: 'opencode', address: 'npx -y n'}),
		expect.objectContaining({name: 'c', from: 'crush', address: 'https://c'}),
	]);
});
