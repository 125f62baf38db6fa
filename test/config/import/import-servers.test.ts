import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findClientConfigs} from '../../../source/config/import/client-configs.ts';
import {importServers, type ClientConfigShape} from '../../../source/config/import/import-servers.ts';
import {parseServerEntry} from '../../../source/config/servers/server-entry.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

type Row = readonly [string, ClientConfigShape, unknown, object];
const trust = 'untrusted';
const rows: readonly Row[] = [
	[
		'Claude Desktop',
		'mcp-servers',
		{mcpServers: {a: {command: 'npx', args: ['-y', 'x'], env: {A: '1'}}}},
		{command: 'npx', args: ['-y', 'x'], env: {A: '1'}, trust},
	],
	[
		'Claude Code',
		'mcp-servers',
		{mcpServers: {a: {type: 'sse', url: 'https://h/sse', headers: {A: 'Bearer ${TOKEN:-none}'}}}},
		{url: 'https://h/sse', transport: 'sse', headers: {A: 'Bearer ${TOKEN}'}, trust},
	],
	[
		'a project of Claude Code',
		'mcp-servers',
		{projects: {'/p': {mcpServers: {a: {command: 'x'}}}, '/q': {mcpServers: {b: {command: 'y'}}}}},
		{command: 'x', trust},
	],
	['VS Code', 'vs-code', {servers: {a: {type: 'http', url: 'https://h'}}}, {url: 'https://h', trust}],
	['settings of VS Code', 'vs-code', {mcp: {servers: {a: {command: 'x'}}}}, {command: 'x', trust}],
	[
		'Gemini CLI',
		'gemini',
		{mcpServers: {a: {httpUrl: 'https://h', headers: {K: '$KEY'}, timeout: 5000, trust: true, excludeTools: ['x']}}},
		{url: 'https://h', headers: {K: '${KEY}'}, timeout: 5, tools: {exclude: ['x']}, trust},
	],
	[
		'an SSE server of Gemini CLI',
		'gemini',
		{mcpServers: {a: {url: 'https://h'}}},
		{url: 'https://h', transport: 'sse', trust},
	],
	[
		'Codex',
		'codex',
		{mcp_servers: {a: {url: 'https://h', bearer_token_env_var: 'T', env_http_headers: {X: 'Y'}, tool_timeout_sec: 9}}},
		{url: 'https://h', headers: {X: '${Y}', Authorization: 'Bearer ${T}'}, timeout: 9, trust},
	],
	[
		'a command of Codex',
		'codex',
		{
			mcp_servers: {
				a: {command: 'x', env_vars: ['HOME'], enabled: false, enabled_tools: ['t'], startup_timeout_sec: 3},
			},
		},
		{command: 'x', env: {HOME: '${HOME}'}, tools: {include: ['t']}, enabled: false, connect_timeout: 3, trust},
	],
];

describe('servers of other programs', () => {
	test.each(rows)('are read as %s writes them', (...[, shape, file, entry]) => {
		const servers = importServers(file, shape, '/p');
		expect(servers.map(server => [server.name, server.entry])).toEqual([['a', entry]]);
	});

	test.each(rows)('are entries of ours, without a complaint: %s', (_host, shape, file) => {
		const section = sectionWithoutFile('test');
		const [server] = importServers(file, shape, '/p');
		expect(parseServerEntry('a', server?.entry, section).kind).toBe('server');
		expect(section.problems.all()).toEqual([]);
	});

	test('that are none are left out, and what is lost is reported', () => {
		const file = {mcpServers: {a: null, b: {}, c: {command: 'x', cwd: '/tmp', env: {K: '${input:key}'}}}};
		expect(importServers(file, 'mcp-servers', '/')).toMatchObject([
			{
				name: 'c',
				warnings: [
					'`cwd` is not imported; after the import, `sluice config set mcp_servers.c.cwd /tmp` adds it',
					'${input:key} is not set; add it to .env',
				],
			},
		]);
	});

	test.each([
		['a', {envFile: '/x/.env'}, '`sluice config set mcp_servers.a.env_file /x/.env`'],
		['a.b', {cwd: '/my notes'}, `\`sluice config set 'mcp_servers."a.b".cwd' '/my notes'\``],
		['a', {envFile: '${workspaceFolder}/.env'}, "`sluice config set mcp_servers.a.env_file '${workspaceFolder}/.env'`"],
	])('name the command that adds what is left out of %s', (name, keys, command) => {
		const [server] = importServers({servers: {[name]: {command: 'x', ...keys}}}, 'vs-code', '/');
		expect(server?.entry).toEqual({command: 'x', trust: 'untrusted'});
		expect(server?.warnings).toEqual([expect.stringContaining(command)]);
	});

	test.each([{cwd: 5}, {cwd: 'a`b'}, {envFile: 'a\u202Eb'}])('name none that could not be pasted: %j', keys => {
		const [server] = importServers({servers: {a: {command: 'x', ...keys}}}, 'vs-code', '/');
		expect(server?.warnings).toEqual([expect.stringMatching(/^`\w+` is not imported$/u)]);
	});
});

describe('files of other programs', () => {
	function prepare(files: Readonly<Record<string, string>>) {
		const home = temporaryDirectory();
		for (const [path, text] of Object.entries(files)) {
			mkdirSync(dirname(join(home, path)), {recursive: true});
			writeFileSync(join(home, path), text);
		}

		return {home, workingDirectory: join(home, 'project'), variables: {}};
	}

	test('are found where these programs have them', async () => {
		const entry = '{"command":"x"}';
		const at = prepare({
			'.config/Claude/claude_desktop_config.json': `{"mcpServers":{"a":${entry}}}`,
			'.claude.json': `{"mcpServers":{"b":${entry}}}`,
			'.config/Code/User/mcp.json': `{"servers":{"c":${entry}}, /* jsonc */}`,
			'.cursor/mcp.json': `{"mcpServers":{"d":${entry}}}`,
			'.gemini/settings.json': `{"mcpServers":{"e":${entry}}}`,
			'.codex/config.toml': '[mcp_servers.f]\ncommand = "x"\n',
			'project/.mcp.json': `{"mcpServers":{"g":${entry}}}`,
		});
		const files = await findClientConfigs(at);
		expect(files.map(({host, servers}) => [host, servers.map(server => server.name).join()])).toEqual([
			['claude-desktop', 'a'],
			['claude-code', 'b'],
			['claude-code', 'g'],
			['vscode', 'c'],
			['cursor', 'd'],
			['gemini', 'e'],
			['codex', 'f'],
		]);
	});

	test('can be one named file of any shape', async () => {
		const at = prepare({'x.toml': '[mcp_servers.f]\ncommand = "x"\n'});
		const [file] = await findClientConfigs(at, {path: join(at.home, 'x.toml')});
		expect(file).toMatchObject({host: 'file', state: 'read', servers: [{name: 'f'}]});
	});

	test('that cannot be understood are reported', async () => {
		const at = prepare({'.cursor/mcp.json': '{"mcpServers": {'});
		expect(await findClientConfigs(at, {host: 'cursor'})).toMatchObject([
			{host: 'cursor', state: 'unreadable', servers: []},
		]);
	});
});
