import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {buildFlushLibrary} from '../helpers/flush-library.ts';
import {
	openDashboard,
	pressUntil,
	readState,
	sluice,
	startSluice,
	stateDirectory,
	webhookAddress,
	writeConfig,
} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {confirmDevice} from '../simulators/robot.ts';
import {addTask, garden, listTasks} from './garden.ts';
import {post, webhookPlatform} from './sender.ts';

/** A flush or a rename as the library noted it. */
type Flush = {readonly pid: number; readonly thread: string; readonly path: string};

function readFlushes(log: string): readonly Flush[] {
	const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
	return lines.map(line => {
		const [pid, thread = '', , ...path] = line.split(' ');
		return {pid: Number(pid), thread, path: path.join(' ')};
	});
}

/** The files of the state directory among them, without the temporary ones that are renamed to them. */
function filesOf(home: string, flushes: readonly Flush[]): readonly string[] {
	const files = flushes.map(({path}) => path.slice(home.length + 1));
	return [...new Set(files)].filter(file => file !== '' && !/\.\d+$|\.tmp-/u.test(file.replace(/\.1$/u, '')));
}

/** Logs that are full, so that each is renamed when something is written. */
function fillLogs(home: string): void {
	mkdirSync(join(home, 'logs', 'mcp-stderr'), {recursive: true});
	writeFileSync(join(home, 'logs', 'sluice.log'), `${' '.repeat(10 * 1024 * 1024 - 1500)}\n`);
	writeFileSync(join(home, 'logs', 'mcp-stderr', 'garden.log'), `${' '.repeat(1_048_577)}\n`);
}

async function startTracker(): Promise<{readonly url: string; readonly issuer: string}> {
	const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
	const {url} = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	return {url, issuer: authorization.issuer};
}

async function logIn(home: string, issuer: string): Promise<void> {
	const login = startSluice({home}, 'mcp', 'login', 'tracker', '--flow', 'device');
	await login.waitForLine('and enter this code');
	const code = await login.waitForLine(/^[A-Z]{4}-[A-Z]{4}$/u);
	await confirmDevice(`${issuer}/device?user_code=${code}`);
	expect((await login.end).code).toBe(0);
}

test('the main thread of a gateway neither flushes nor renames a file, whatever is written', async context => {
	const library = temporaryDirectory();
	const preload = buildFlushLibrary(library);
	if (typeof preload === 'string') {
		console.warn(
			`NOT TESTED: which thread flushes files, because the library that notes it cannot be built: ${preload}`,
		);
		context.skip();
		return;
	}

	const tracker = await startTracker();
	const config = {
		mcp_servers: {
			garden,
			lazy: {...garden, lazy: true},
			tracker: {url: tracker.url, auth: 'oauth'},
		},
		...webhookPlatform({issues: {}}),
	};
	const home = stateDirectory(config);
	fillLogs(home);
	const log = join(library, 'flushes.log');
	const dashboard = openDashboard({home, env: {...preload, SLUICE_FLUSH_LOG: log}}, {columns: 120, rows: 40});
	onTestFinished(() => dashboard.kill('SIGKILL'));
	await dashboard.waitFor(/● garden +connected/);
	const base = await webhookAddress(dashboard);
	const gone = {id: 'one', payload: {event_type: 'ping'}};
	expect((await post(base, gone)).status).toBe(202);
	expect((await sluice({home}, ...listTasks)).code).toBe(0);
	await logIn(home, tracker.issuer);
	await dashboard.waitFor(/● tracker +connected/);

	const call = startSluice({home}, ...addTask);
	await dashboard.waitFor('1 approval');
	dashboard.press('A');
	await dashboard.waitFor(/^ ready/m);
	dashboard.press('w');
	await pressUntil(dashboard, 'w', /approved +approval +garden +add_task +always/);
	expect((await call.end).code).toBe(0);

	dashboard.press('1');
	await pressUntil(dashboard, 'T', /theme \w+/);
	await pressUntil(dashboard, '5', '─ 5 Jobs');
	await expect.poll(() => readState(home, 'preferences.json')).toContain('"view": "jobs"');
	dashboard.press('1');
	await pressUntil(dashboard, 'x', 'Disable garden?');
	dashboard.press('y');
	await expect.poll(() => readState(home, 'config.yaml')).toContain('enabled: false');
	writeConfig(home, {...config, ...webhookPlatform({issues: {}, others: {}})});
	await expect.poll(async () => (await post(base, {...gone, route: 'others'})).status).toBe(202);
	dashboard.press('q');
	expect(await dashboard.exit).toBe(0);

	// Node.js renames the files of its compile cache, which are elsewhere, when everything is closed.
	const flushes = readFlushes(log).filter(({path}) => path.startsWith(home));
	expect(new Set(flushes.map(({pid}) => pid))).toEqual(new Set([dashboard.pid]));
	const of = (thread: string) =>
		filesOf(
			home,
			flushes.filter(flush => flush.thread === thread),
		);
	expect(of('main')).toEqual([]);
	// All of it was written, by other threads.
	expect(of('other')).toEqual(
		expect.arrayContaining([
			'journal.db-wal',
			'.env',
			'approval-rules.json',
			'cache/mcp-schemas.json',
			'config.yaml',
			'logs/mcp-stderr/garden.log.1',
			'logs/sluice.log.1',
			'mcp-tokens/tracker.json',
			'preferences.json',
		]),
	);
}, 60_000);
