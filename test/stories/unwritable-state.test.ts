import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {runSluice} from '../helpers/run-sluice.ts';
import {
	type Ending,
	openDashboard,
	program,
	readState,
	sluice,
	startSluice,
	stateDirectory,
	writeConfig,
} from '../helpers/sluice.ts';

const lockHolder = fileURLToPath(new URL('../control/lock-holder.ts', import.meta.url));
const before = '# mine\nmcp_servers: {a: {command: x, enabled: false}}\nplatforms: {webhook: {enabled: true}}\n';

/** A command on a disk that takes no more bytes: every write of a file fails as on a full one. */
function sluiceOnFullDisk(home: string, ...args: readonly string[]): Promise<Ending> {
	const child = spawn(
		'sh',
		['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '--disable-warning=ExperimentalWarning', program, ...args],
		{
			env: {
				PATH: process.env['PATH'],
				HOME: home,
				SLUICE_HOME: home,
				// The limit would end the process; a full disk only answers.
				NODE_OPTIONS: "--import=data:text/javascript,process.on('SIGXFSZ',()=>{})",
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let [stdout, stderr] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
	return new Promise(resolve => void child.once('close', code => resolve({code: code ?? -1, stdout, stderr})));
}

describe('on a full disk', () => {
	test.each<readonly string[]>([
		['mcp', 'add', 'b', '--no-probe', '--env', 'API_KEY=abc', '--', 'x'],
		['mcp', 'remove', 'a', '--yes'],
		['webhook', 'subscribe', 'alerts'],
		['gateway', 'run'],
	])('`%s %s …` says so and leaves nothing half-written', async (...args) => {
		const home = stateDirectory(before, 'KEPT=1\n');
		const {code, stderr} = await sluiceOnFullDisk(home, ...args);
		expect([code, stderr]).toEqual([
			1,
			expect.stringMatching(
				/sluice: .*: the file would be too large\n +Make the file yours \(`chown`\), .* check the disk space \(`df -h`\)/,
			),
		]);
		expect([readState(home, 'config.yaml'), readState(home, '.env')]).toEqual([before, 'KEPT=1\n']);
		const left = readdirSync(home, {recursive: true, encoding: 'utf8'});
		expect(left.filter(name => /\.lock|alerts|\.\d{6,}|tmp/.test(name))).toEqual([]);
	});
});

describe('a state directory that cannot be', () => {
	test.each<readonly string[]>([
		['mcp', 'list'],
		['gateway', 'run'],
	])('below /proc is refused at once by `%s %s`', async (...args) => {
		const {code, stderr} = await sluice({home: '/proc/nothing'}, ...args);
		expect([code, stderr]).toEqual([
			1,
			expect.stringMatching(
				/\/proc\/nothing.* cannot be (?:created|locked|taken): a folder of the path cannot be created/,
			),
		]);
	});

	test('made, because a file is in its place, is refused with its path', async () => {
		const home = join(stateDirectory(), 'state');
		writeFileSync(home, '');
		const {code, stderr} = await runSluice({home}, 'mcp', 'list');
		expect([code, stderr]).toEqual([1, expect.stringContaining(`${home} cannot be created: a file is in the way`)]);
	});

	test('with a folder at config.yaml is reported by every command that needs the file', async () => {
		const home = stateDirectory();
		mkdirSync(join(home, 'config.yaml'));
		const {code, stderr} = await runSluice({home}, 'mcp', 'add', 'b', '--no-probe', '--', 'x');
		expect([code, stderr]).toEqual([1, expect.stringContaining('config.yaml cannot be read: it is a folder')]);
	});
});

test.each([[[]], [['attach']]])('a control socket that others may use is not talked to by a window: %j', async args => {
	const home = stateDirectory();
	const path = join(home, 'control.sock');
	const server = createServer().listen(path);
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	chmodSync(path, 0o666);
	const window = openDashboard({home}, {columns: 160, args});
	expect(await window.exit).toBe(1);
	expect(window.bytes()).toContain(`sluice: The control socket ${path} belongs to another user, or is open to others`);
	expect(window.bytes()).not.toContain('    at ');
});

test('a lock that another process holds is respected, and its holder named', async () => {
	const home = stateDirectory(before);
	const holder = spawn(process.execPath, [lockHolder, join(home, 'gateway.lock')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	onTestFinished(() => void holder.kill('SIGKILL'));
	await once(holder.stdout, 'data');
	const {code, stderr} = await sluice({home}, 'gateway', 'run');
	expect([code, stderr]).toEqual([
		1,
		expect.stringContaining(`A gateway (process ${holder.pid}) is already using this state directory`),
	]);
	expect((await runSluice({home}, 'doctor', '--offline')).stdout).toContain(
		`Process ${holder.pid} holds the lock, but does not answer`,
	);
});

test.each([
	['mcp', 'add', 'b', '--no-probe', '--', 'x'],
	['mcp', 'disable', 'a'],
	['gateway', 'setup', '--yes', '--port', '0'],
])('a configuration that is not YAML is never overwritten by `%s %s`', async (...args) => {
	const home = stateDirectory('mcp_servers: [\n');
	const {code, stderr} = await runSluice({home}, ...args);
	expect([code, stderr, readState(home, 'config.yaml')]).toEqual([
		1,
		expect.stringContaining('config.yaml:2:1:'),
		'mcp_servers: [\n',
	]);
});

test('with a broken file the first start says that nothing is configured, and a reload that the former configuration stays', async () => {
	const home = stateDirectory('mcp_servers: [\n');
	const gateway = startSluice({home}, 'gateway', 'run');
	await gateway.waitForLine(/unusable: .* · nothing is configured until it is fixed/);
	writeConfig(home, before);
	await gateway.waitForLine('config.yaml read');
	writeConfig(home, 'mcp_servers: [\n# again\n');
	await gateway.waitForLine(/unusable: .* · the configuration stays as it was/);
	gateway.signal('SIGTERM');
	await gateway.end;

	const dashboard = openDashboard({home}, {columns: 160});
	await dashboard.waitFor(/config\.yaml:\d+:1: .*nothing is/);
});
