import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openForAll} from '../../helpers/on-test-finished.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {startSluice, stateDirectory, typeSluice} from '../../helpers/sluice.ts';
import {type Answers, openService, writeUnit} from './fake-managers.ts';

test('--print prints the unit and how to install it, without systemd, and writes nothing', async () => {
	const {home, service, path, calls} = openService({systemctl: {code: 1}});
	const {code, stdout, stderr} = await service('install', '--print');
	const others = readdirSync(home);
	expect([code, calls(), existsSync(path)]).toEqual([0, [], false]);
	expect(others).not.toContain('logs');
	expect(stdout).toMatch(
		/^# Written by `sluice service install` for .*\n[\s\S]*\[Unit\][\s\S]*\[Install\]\nWantedBy=/u,
	);
	expect(stderr).toContain(`\n${path}\n`);
	expect(stderr).toMatch(
		/mkdir -p \S+ \S+\n.*install --print > \S+\nsystemctl --user daemon-reload\nsystemctl --user enable --now sluice\.service\n$/u,
	);
	writeUnit(path, stdout);
	expect((await service('install', '--print')).stdout).toBe(stdout);
});

describe('sluice service install, once and again', () => {
	const installed = openForAll(async () => {
		const opened = openService();
		return {...opened, first: await opened.service('install', '--yes')};
	});

	test('shows the unit, writes it for this user alone, starts it and waits for the gateway', () => {
		const {home, path, changes, pid, first} = installed();
		const {code, stdout, stderr} = first;
		expect(stderr).toContain('ProtectHome=read-only');
		expect(stdout).toMatch(new RegExp(`^sluice\\.service runs: gateway \\S+, process ${pid()}, `, 'u'));
		expect(code).toBe(0);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(readFileSync(path, 'utf8')).toMatch(
			new RegExp(`^ExecStart=.*/dist/bin\\.js --home ${home} gateway run --log json$`, 'mu'),
		);
		expect(changes()).toEqual(['systemctl --user daemon-reload', 'systemctl --user enable --now sluice.service']);
	});

	test('says how it goes on without a login, how npx gets a cache, and where keys belong', () => {
		const {
			home,
			first: {stderr},
		} = installed();
		expect(stderr).toContain('`loginctl enable-linger`');
		expect(stderr).toContain('pass_env: [npm_config_cache, UV_CACHE_DIR]');
		expect(stderr).toContain('another user');
		expect(stderr).not.toContain(`\`sluice --home ${home} --home`);
	});

	test('a second time changes nothing and says that it runs', async () => {
		const {service, changes} = installed();
		const before = changes().length;
		const {code, stdout} = await service('install', '--yes');
		expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('is installed and runs')});
		expect(changes()).toHaveLength(before);
	});

	test('of a unit that was changed shows the difference, and starts the gateway again', async () => {
		const {service, path, pid} = installed();
		const [text, first] = [readFileSync(path, 'utf8'), pid()];
		writeFileSync(path, text.replace('MemoryHigh=1G', 'MemoryHigh=2G'));
		const {code, stderr} = await service('install', '--yes');
		expect(code).toBe(0);
		expect(stderr).toMatch(/^\+ MemoryHigh=1G\n- MemoryHigh=2G$/mu);
		expect(readFileSync(path, 'utf8')).toBe(text);
		expect(pid()).not.toBe(first);
	});
});

describe('sluice service install', () => {
	test('says nothing of lingering to who lingers', async () => {
		const {service} = openService({'show-user': {code: 0, stdout: 'yes\n'}});
		expect((await service('install', '--yes')).stderr).not.toContain('linger');
	});

	test('asks at a terminal, and writes nothing after no', async () => {
		const {home, env, path, changes} = openService();
		const terminal = typeSluice({home, env}, 'service', 'install');
		await terminal.waitFor('Write it, and start sluice.service now and by itself from then on? [y/N]');
		terminal.press('n\r');
		await terminal.waitFor('Nothing was changed.');
		expect(existsSync(path)).toBe(false);
		expect(changes()).toEqual([]);
	});

	test('installs after yes at a terminal', async () => {
		const {home, env, path} = openService();
		const terminal = typeSluice({home, env}, 'service', 'install');
		await terminal.waitFor('[y/N]');
		terminal.press('y\r');
		await terminal.waitFor('Written:');
		expect(existsSync(path)).toBe(true);
		await terminal.waitFor('enable-linger');
	});

	test('without a terminal it needs --yes', async () => {
		const {service, path} = openService();
		expect(await service('install')).toMatchObject({code: 2, stderr: expect.stringContaining('needs --yes')});
		expect(existsSync(path)).toBe(false);
	});

	test('of a profile has a unit of its own', async () => {
		const {home, env, unit} = openService();
		mkdirSync(join(home, 'profiles', 'work'), {recursive: true, mode: 0o700});
		const {code} = await runSluice({home, env}, '--profile', 'work', 'service', 'install', '--yes');
		expect(code).toBe(0);
		expect(readFileSync(unit('sluice-work.service'), 'utf8')).toContain(`--home ${home} --profile work gateway run`);
	});

	test('names the state directory of a HOME that the service will not have', async () => {
		const {home, env, path} = openService();
		const root = join(home, '.sluice');
		mkdirSync(root, {mode: 0o700});
		const {code} = await runSluice({home, env: {...env, SLUICE_HOME: root}}, 'service', 'install', '--yes');
		const unit = readFileSync(path, 'utf8');
		expect(unit).toContain(`--home ${root} gateway run`);
		expect(unit).toContain(`ReadWritePaths=${root}`);
		expect(code).toBe(0);
	});

	test('beside a gateway that runs by hand writes nothing and says who holds the lock', async () => {
		const {home, env, service, path} = openService();
		const running = startSluice({home, env}, 'gateway', 'run');
		await running.waitForLine(/started|ready|listen/iu);
		const {code, stderr} = await service('install', '--yes');
		expect(code).toBe(1);
		expect(stderr).toContain(`(process ${running.pid}) runs on ${home}; the service would not get its lock`);
		expect(stderr).toContain('`sluice stop`');
		expect(existsSync(path)).toBe(false);
	});

	test('whose gateway ends at once says why, with the end of its log, and stays installed', async () => {
		const {home, service, path} = openService();
		mkdirSync(join(home, 'control.sock', 'in-the-way'), {recursive: true});
		const {code, stderr} = await service('install', '--yes');
		expect(code).toBe(1);
		expect(stderr).toContain('The end of its log:\n');
		expect(stderr).toMatch(/its gateway ended\. It exited with 1$/mu);
		expect(stderr).toContain('`journalctl --user --unit sluice`');
		expect(existsSync(path)).toBe(true);
	});

	test('writes nothing when a folder of the state directory cannot be made', async () => {
		const {home, service, path} = openService();
		writeFileSync(join(home, 'logs'), '');
		expect(await service('install', '--yes')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('a file is in the way'),
		});
		expect(existsSync(path)).toBe(false);
	});

	test('that systemd refuses to start says what systemd said', async () => {
		const {service} = openService({enable: {code: 1, stderr: 'Failed to enable unit: Access denied\n'}});
		const {code, stderr} = await service('install', '--yes');
		expect(code).toBe(1);
		expect(stderr).toContain('`systemctl enable` failed: Failed to enable unit: Access denied');
	});

	test.each<readonly [string, Answers]>([
		['systemctl has no bus', {show: {code: 1, stderr: 'Failed to connect to bus: No medium found\n'}}],
		['the unit is masked', {show: {code: 0, stdout: 'LoadState=masked\nActiveState=inactive\nSubState=dead\n'}}],
	])('writes nothing where %s', async (_, answers) => {
		const {service, path, changes} = openService(answers);
		const {code, stderr} = await service('install', '--yes');
		expect(code).toBe(1);
		expect(stderr).toMatch(/^sluice: .*\n {8}\S.*\n$/u);
		expect(existsSync(path)).toBe(false);
		expect(changes()).toEqual([]);
	});

	test('writes nothing where there is no systemctl', async () => {
		const {home, env, path} = openService();
		const {code, stderr} = await runSluice({home, env: {...env, PATH: '/nonexistent'}}, 'service', 'install', '--yes');
		expect({code, stderr}).toEqual({code: 1, stderr: expect.stringContaining('`systemctl` was not found')});
		expect(existsSync(path)).toBe(false);
	});

	test('leaves a unit alone that somebody else wrote, unless asked at a terminal', async () => {
		const {home, env, service, path} = openService();
		writeUnit(path, '[Service]\nExecStart=/bin/true\n');
		expect(await service('install', '--yes')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('was not written by'),
		});
		expect(readFileSync(path, 'utf8')).toBe('[Service]\nExecStart=/bin/true\n');
		const terminal = typeSluice({home, env}, 'service', 'install');
		await terminal.waitFor('- ExecStart=/bin/true');
		await terminal.waitFor('[y/N]');
		terminal.press('y\r');
		await terminal.waitFor('enable-linger');
		expect(readFileSync(path, 'utf8')).toContain('Written by');
	});

	test('leaves the unit of another state directory alone', async () => {
		const first = openService();
		await first.service('install', '--yes');
		const text = readFileSync(first.path, 'utf8');
		const home = stateDirectory({});
		const {code, stderr} = await runSluice({home, env: first.env}, 'service', 'install', '--yes');
		expect({code, stderr}).toEqual({code: 1, stderr: expect.stringContaining(`runs the gateway of ${first.home}`)});
		expect(readFileSync(first.path, 'utf8')).toBe(text);
	});
});
