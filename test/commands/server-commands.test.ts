import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {type TokenRecord, tokenFileText} from '../../source/oauth/protocol/token-record.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {readState, startSluice, stateDirectory, typeSluice} from '../helpers/sluice.ts';
import {garden} from '../stories/garden.ts';

const [gardenProgram = ''] = garden.args;
const addGarden = ['mcp', 'add', 'garden', '--', process.execPath, gardenProgram];

function servers(home: string): unknown {
	const config: unknown = parse(readState(home, 'config.yaml'));
	return typeof config === 'object' && config !== null && 'mcp_servers' in config ? config.mcp_servers : undefined;
}

describe('sluice mcp add', () => {
	test('tries the server and keeps what is secret out of config.yaml', async () => {
		const home = stateDirectory('# mine\n');
		const {code, stdout, stderr} = await runSluice(
			{home},
			'mcp',
			'add',
			'garden',
			'--env',
			'API_KEY=s3cret-value',
			...addGarden.slice(3),
		);
		expect([code, stdout]).toEqual([0, 'Added garden. Its secrets are in .env: API_KEY.\n']);
		expect(stderr).toMatch(/garden answers: stdio, MCP 2025-11-25, \d+ ms, 3 tools/);
		expect(readState(home, 'config.yaml')).toMatch(/^# mine\n/);
		expect([servers(home), readState(home, '.env')]).toEqual([
			{garden: {command: process.execPath, args: [gardenProgram], env: {API_KEY: '${API_KEY}'}, trust: 'untrusted'}},
			'API_KEY=s3cret-value\n',
		]);
	});

	test('leaves a server that does not answer out', async () => {
		const home = stateDirectory('');
		const {code, stderr} = await runSluice({home}, 'mcp', 'add', 'gone', '/no/such/program');
		expect([code, readState(home, 'config.yaml')]).toEqual([1, '']);
		expect(stderr).toMatch(/gone failed: The command \/no\/such\/program was not found/);
	});

	test('tries a program that dies once, and shows why it died', async () => {
		const home = stateDirectory('');
		const starts = join(home, 'starts');
		const program = ['sh', '-c', `echo once >>${starts}; echo no key >&2; exit 3`];
		const {code, stderr} = await runSluice({home}, 'mcp', 'add', 'dies', '--', ...program);
		expect([code, readState(home, 'config.yaml'), readState(home, 'starts')]).toEqual([1, '', 'once\n']);
		expect(stderr).toMatch(/dies failed: The server ended with code 3[\s\S]*│ no key[\s\S]*It was not added/);
		// It is not configured, so there is nothing to test.
		expect(stderr).not.toContain('mcp test');
	});

	test('asks on a terminal which tools are wanted', async () => {
		const home = stateDirectory('');
		const terminal = typeSluice({home}, ...addGarden);
		await terminal.waitFor(/1 {2}list_tasks {3}read-only[\s\S]*Which of them\?/);
		terminal.press('7\r');
		await terminal.waitFor('That does not match a tool');
		terminal.press('1,delete_task\r');
		await terminal.waitFor('Added garden.');
		expect(await terminal.exit).toBe(0);
		expect(servers(home)).toMatchObject({garden: {tools: {include: ['list_tasks', 'delete_task']}}});
	});

	test('changes nothing when the person breaks off', async () => {
		const home = stateDirectory('');
		const terminal = typeSluice({home}, ...addGarden);
		await terminal.waitFor('Which of them?');
		terminal.press('\u0003');
		await terminal.waitFor('Nothing was changed');
		expect([await terminal.exit, readState(home, 'config.yaml')]).toEqual([1, '']);
	});
});

test.each([
	['of another version', (path: string) => new DatabaseSync(path).exec('CREATE TABLE a (b); PRAGMA user_version = 1')],
	['of garbage', (path: string) => writeFileSync(path, 'garbage'.repeat(1000))],
])('a journal %s stops a command with a remedy that fits', async (_, write) => {
	const home = stateDirectory('');
	const path = join(home, 'journal.db');
	write(path);
	const {code, stderr} = await runSluice({home}, 'events', 'list');
	expect([code, stderr]).toEqual([
		1,
		expect.stringMatching(
			`Restore ${path}, or move it away with its -wal file: \`.* mv ${path} .*\`; then start with \`sluice --new-journal\``,
		),
	]);
});

describe('a configured server', () => {
	test('is tested: protocol, address, tools, and what it is shown, masked', async () => {
		const home = stateDirectory(
			{mcp_servers: {garden: {...garden, env: {API_KEY: '${MINE}', TOKEN: '${UNSET}'}}}},
			'MINE=0123456789\n',
		);
		const {code, stdout} = await runSluice({home}, 'mcp', 'test', 'garden');
		expect(code).toBe(0);
		expect(stdout).toMatch(
			/garden answers: stdio, MCP 2025-11-25[\s\S]*gets {5}API_KEY: ‹10 characters›\n {9}TOKEN: \$\{UNSET\} is not set\n/,
		);
		expect(stdout).not.toContain('0123456789');
		expect(await runSluiceJson({home}, 'mcp', 'test', 'garden')).toMatchObject({
			name: 'garden',
			state: 'connected',
			transport: 'stdio',
			era: 'legacy',
			protocol_version: '2025-11-25',
			tools: ['list_tasks', 'add_task', 'delete_task'],
		});
	});

	test('whose name was mistyped gets a suggestion', async () => {
		const {code, stderr} = await runSluice({home: stateDirectory({mcp_servers: {garden}})}, 'mcp', 'test', 'gardn');
		expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean "garden"?')]);
	});

	test('is switched off and on, and the running gateway follows', async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('garden connected');
		expect(await runSluice({home}, 'mcp', 'disable', 'garden')).toMatchObject({
			code: 0,
			stdout: 'garden is disabled.\n',
			stderr: 'The running gateway has applied the change.\n',
		});
		await gateway.waitForLine('garden disabled');
		expect(await runSluice({home}, 'mcp', 'enable', 'garden')).toMatchObject({code: 0});
		expect(servers(home)).toMatchObject({garden: {enabled: true}});
	});

	test('is removed with the variables that nothing else uses, once a person says so', async () => {
		const env = {A_TOKEN: '${A_TOKEN}', B_TOKEN: '${B_TOKEN}'};
		const home = stateDirectory(
			{mcp_servers: {garden: {...garden, env}, other: {command: 'x', env: {B: '${B_TOKEN}'}, enabled: false}}},
			'A_TOKEN=a\nB_TOKEN=b\n',
		);
		expect(await runSluice({home}, 'mcp', 'remove', 'garden')).toMatchObject({code: 2});

		const terminal = typeSluice({home}, 'mcp', 'remove', 'garden');
		await terminal.waitFor('Remove garden and A_TOKEN from .env, which nothing else uses? [y/N]');
		terminal.press('\r');
		await terminal.waitFor('Nothing was changed.');
		expect([await terminal.exit, readState(home, '.env')]).toEqual([1, 'A_TOKEN=a\nB_TOKEN=b\n']);

		expect(await runSluice({home}, 'mcp', 'remove', 'garden', '--yes')).toMatchObject({
			code: 0,
			stdout: 'Removed garden, and A_TOKEN from .env.\n',
		});
		expect([Object.keys(servers(home) ?? {}), readState(home, '.env')]).toEqual([['other'], 'B_TOKEN=b\n']);
	});
});

test('a removal says that it forgets the login, and forgets it once the running gateway has dropped the server', async () => {
	const home = stateDirectory({mcp_servers: {garden}});
	const record: TokenRecord = {
		serverUrl: 'https://mcp.example/mcp',
		resource: 'https://mcp.example/mcp',
		authorizationServer: {issuer: 'https://as.example', token_endpoint: 'https://as.example/token'},
		client: {kind: 'registered', client_id: 'one'},
		tokens: {access_token: 'access-1', token_type: 'Bearer'},
	};
	mkdirSync(join(home, 'mcp-tokens'), {mode: 0o700});
	writeFileSync(join(home, 'mcp-tokens', 'garden.json'), tokenFileText(record), {mode: 0o600});
	const gateway = startSluice({home}, 'gateway', 'run');
	await gateway.waitForLine('garden connected');

	const terminal = typeSluice({home}, 'mcp', 'remove', 'garden');
	await terminal.waitFor('Remove garden, and forget its login? [y/N]');
	terminal.press('y\r');
	await terminal.waitFor(/The running gateway has applied the change\.[\s\S]*Removed garden, and its tokens\./);
	expect([await terminal.exit, readState(home, 'mcp-tokens/garden.json')]).toEqual([0, '']);
});

describe('sluice mcp import', () => {
	function prepare() {
		const home = stateDirectory({mcp_servers: {files: {command: 'mine', enabled: false}}});
		mkdirSync(join(home, '.cursor'));
		const marker = join(home, 'started');
		const entries = {
			files: {command: 'theirs'},
			garden: {command: 'touch', args: [marker], env: {API_KEY: 'k3y-of-cursor'}},
			tracker: {url: 'https://example.com/mcp', headers: {Authorization: 'Bearer t0ken'}},
			empty: {},
			'sly\u001B[2J': {command: 'sly'},
			sluice: {command: 'sly'},
		};
		writeFileSync(join(home, '.cursor', 'mcp.json'), `{"mcpServers": ${JSON.stringify(entries)}} // mine`);
		return {home, marker};
	}

	test('shows what it found and starts nothing', async () => {
		const {home, marker} = prepare();
		expect(await runSluiceJson({home}, 'mcp', 'import')).toMatchObject([
			{name: 'files', state: 'taken', from: 'cursor'},
			{name: 'garden', state: 'new', address: `touch ${marker}`},
			{name: 'tracker', state: 'new', address: 'https://example.com/mcp'},
			{name: 'sly\u001B[2J', state: 'unusable', warnings: [expect.stringContaining('invisible characters')]},
			{name: 'sluice', state: 'unusable', warnings: [expect.stringContaining('the built-in tools')]},
		]);
		expect([readState(home, 'started'), Object.keys(servers(home) ?? {})]).toEqual(['', ['files']]);
	});

	test('writes what the person chose, untrusted, with its secrets in .env', async () => {
		const {home, marker} = prepare();
		const terminal = typeSluice({home}, 'mcp', 'import', 'cursor');
		await terminal.waitFor(/1 {2}files[\s\S]*the name is already in use[\s\S]*Which of them\?/);
		terminal.press('1\r');
		await terminal.waitFor('not match a server in this list');
		terminal.press('2-3\r');
		await terminal.waitFor('Imported garden, tracker.');
		expect(await terminal.exit).toBe(0);
		expect(servers(home)).toMatchObject({
			files: {command: 'mine'},
			garden: {command: 'touch', args: [marker], env: {API_KEY: '${API_KEY}'}, trust: 'untrusted'},
			tracker: {headers: {Authorization: 'Bearer ${TRACKER_TOKEN}'}, trust: 'untrusted'},
		});
		expect([readState(home, '.env'), readState(home, 'started')]).toEqual([
			'API_KEY=k3y-of-cursor\nTRACKER_TOKEN=t0ken\n',
			'',
		]);
	});

	test('takes all of one file without asking', async () => {
		const {home} = prepare();
		const {code} = await runSluice({home}, 'mcp', 'import', join(home, '.cursor/mcp.json'), '--all');
		expect([code, Object.keys(servers(home) ?? {})]).toEqual([0, ['files', 'garden', 'tracker']]);
	});

	test('says when a program keeps no servers here', async () => {
		expect(await runSluice({home: stateDirectory()}, 'mcp', 'import', 'codex')).toMatchObject({code: 1});
		for (const [word, hint] of [
			['cursr', 'did you mean "cursor"?'],
			[
				'emacs',
				'Allowed: claude-desktop, claude-code, vscode, cursor, gemini, codex, antigravity, windsurf, zed, opencode, crush',
			],
		] as const) {
			const {code, stderr} = await runSluice({home: stateDirectory()}, 'mcp', 'import', word);
			expect([code, stderr]).toEqual([2, expect.stringContaining(`"${word}" is not a known program`)]);
			expect(stderr).toContain(hint);
		}
	});
});

describe('sluice mcp reconnect', () => {
	test('has the running gateway connect a server again', async () => {
		const home = stateDirectory({
			gateway: {endpoint: {enabled: false}},
			mcp_servers: {gone: {command: '/no/such/program'}, off: {command: 'x', enabled: false}},
		});
		const none = await runSluice({home}, 'mcp', 'reconnect', 'gone');
		expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No gateway is running')]);

		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('gone failed');
		expect(await runSluice({home}, 'mcp', 'reconnect', 'gone')).toMatchObject({
			code: 0,
			stdout: 'gone is connecting.\n',
		});
		await gateway.waitForLine('gone connecting');
		const off = await runSluice({home}, 'mcp', 'reconnect', 'off');
		expect([off.code, off.stderr]).toEqual([1, expect.stringContaining('`sluice mcp enable off` enables it')]);
		const unknown = await runSluice({home}, 'mcp', 'reconnect', 'gon');
		expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('did you mean "gone"?')]);
	});
});
