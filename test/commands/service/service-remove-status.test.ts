import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findProcess} from '../../../source/control/lock.ts';
import {openForAll} from '../../helpers/on-test-finished.ts';
import {environment, nodeFlags, program, typeSluice} from '../../helpers/sluice.ts';
import {openService, writeUnit} from './fake-managers.ts';

describe('sluice service remove', () => {
	test('stops the gateway and removes the unit', async () => {
		const {service, path, calls, pid, home} = openService();
		await service('install', '--yes');
		const running = pid();
		expect(await service('remove', '--yes')).toMatchObject({code: 0, stdout: 'Stopped and removed sluice.service.\n'});
		expect(existsSync(path)).toBe(false);
		expect(await findProcess(running)).toBeUndefined();
		expect(existsSync(join(home, 'journal.db'))).toBe(true);
		expect(calls().slice(-3)).toEqual([
			'systemctl --user disable --now sluice.service',
			'systemctl --user daemon-reload',
			'systemctl --user reset-failed sluice.service',
		]);
	});

	test('asks, and keeps everything after no', async () => {
		const {home, env, service, path, pid} = openService();
		await service('install', '--yes');
		expect(await service('remove')).toMatchObject({code: 2, stderr: expect.stringContaining('needs --yes')});
		const terminal = typeSluice({home, env}, 'service', 'remove');
		await terminal.waitFor('Stop sluice.service, and remove');
		terminal.press('\r');
		await terminal.waitFor('Nothing was changed.');
		expect(existsSync(path)).toBe(true);
		expect(process.kill(pid(), 0)).toBe(true);
	});

	test('keeps a unit that somebody else wrote, and says how to remove it', async () => {
		const {service, path, changes} = openService();
		writeUnit(path, '[Service]\n');
		const {code, stderr} = await service('remove', '--yes');
		expect({code, stderr}).toEqual({code: 1, stderr: expect.stringContaining(`\`rm ${path}\``)});
		expect(existsSync(path)).toBe(true);
		expect(changes()).toEqual([]);
	});

	test('keeps the unit when it cannot be stopped', async () => {
		const {service, path, answer} = openService();
		await service('install', '--yes');
		answer({disable: {code: 1, stderr: 'Failed to disable unit: Connection timed out\n'}});
		expect(await service('remove', '--yes')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('Connection timed out'),
		});
		expect(existsSync(path)).toBe(true);
	});

	test('has nothing to do where none is installed', async () => {
		const {service, changes} = openService();
		expect(await service('remove', '--yes')).toMatchObject({
			code: 0,
			stderr: expect.stringContaining('is not installed'),
		});
		expect(changes()).toEqual([]);
	});
});

describe('sluice service status', () => {
	const installed = openForAll(async () => {
		const opened = openService();
		await opened.service('install', '--yes');
		return opened;
	});

	test('of none ends with 3', async () => {
		const {service, path} = openService();
		expect(await service('status')).toMatchObject({code: 3, stdout: expect.stringContaining('is not installed')});
		const {code, stdout} = await service('status', '--json');
		expect({code, row: JSON.parse(stdout) as unknown}).toEqual({
			code: 3,
			row: {
				manager: 'systemd',
				name: 'sluice.service',
				path,
				installed: false,
				enabled: false,
				active: false,
				state: 'inactive (dead)',
				reason: null,
				pid: null,
				since: null,
				linger: false,
				differs: null,
			},
		});
	});

	test('of one that runs says since when, as which process, and that it does not linger', async () => {
		const {service, pid, path} = installed();
		const {code, stdout} = await service('status', '--json');
		const row = JSON.parse(stdout) as {readonly since: number};
		expect({code, row}).toEqual({
			code: 0,
			row: expect.objectContaining({
				installed: true,
				enabled: true,
				active: true,
				pid: pid(),
				linger: false,
				differs: false,
			}),
		});
		expect(Math.abs(Date.now() - 60_000 - row.since)).toBeLessThan(10_000);
		const text = (await service('status')).stdout;
		expect(text).toContain(`File      ${path}`);
		expect(text).toContain('`loginctl enable-linger`');
	});

	test('takes the program under a link to it for the same', async () => {
		const {home, env} = installed();
		const link = join(home, 'sluice');
		symlinkSync(program, link);
		const words = [...nodeFlags, link, 'service', 'status', '--json'];
		const stdout = execFileSync(process.execPath, words, {env: {...environment(home), ...env}, encoding: 'utf8'});
		expect(JSON.parse(stdout)).toMatchObject({differs: false});
	});

	test('of a unit that differs says so', async () => {
		const {service, path} = installed();
		writeFileSync(path, readFileSync(path, 'utf8').replace('RestartSec=5', 'RestartSec=50'));
		expect((await service('status')).stdout).toContain('differ from what this version writes');
		expect(JSON.parse((await service('status', '--json')).stdout)).toMatchObject({differs: true});
	});

	test('of one that failed says why, and ends with 3', async () => {
		const {service, path, answer} = openService();
		writeUnit(path, '');
		answer({show: {code: 0, stdout: 'ActiveState=failed\nSubState=failed\nResult=exit-code\nExecMainStatus=226\n'}});
		const {code, stdout} = await service('status');
		expect(code).toBe(3);
		expect(stdout).toContain('226/NAMESPACE');
		expect(stdout).toContain('When limits cannot be set');
	});

	test('without a bus says one thing', async () => {
		const {service} = openService({show: {code: 1, stderr: 'Failed to connect to bus: No medium found\n'}});
		const {code, stdout, stderr} = await service('status', '--json');
		expect([code, JSON.parse(stdout)]).toEqual([
			1,
			{error: {code: 'service_unavailable', message: expect.any(String)}},
		]);
		expect(stderr).toMatch(/^sluice: .*\n {8}\S.*\n$/u);
	});
});
