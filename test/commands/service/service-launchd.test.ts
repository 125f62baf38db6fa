import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {findProcess} from '../../../source/control/lock.ts';
import {openSession} from '../../../source/commands/cli/session.ts';
import {runServiceInstall} from '../../../source/commands/service/service-install.ts';
import {runServiceRemove} from '../../../source/commands/service/service-remove.ts';
import {runServiceStatus} from '../../../source/commands/service/service-status.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {environment, program, stateDirectory} from '../../helpers/sluice.ts';
import {openContext} from '../command-fixture.ts';
import {type Answers, fakeManagers} from './fake-managers.ts';

const commands = {install: runServiceInstall, remove: runServiceRemove, status: runServiceStatus};
const mac = {platform: 'darwin', uid: 501, execPath: process.execPath, program} as const;

/** A Mac, as far as the commands look at it. */
function openMac(answers: Answers = {}) {
	const home = stateDirectory({});
	const managers = fakeManagers(answers);
	Object.entries({...environment(home), ...managers.env}).forEach(([name, value]) => vi.stubEnv(name, value));
	onTestFinished(() => vi.unstubAllEnvs());
	const flags = {demo: false, dashboard: 'never', readOnly: false, ascii: false} as const;
	return {
		...managers,
		home,
		path: join(home, 'Library', 'LaunchAgents', 'dev.sluice.gateway.plist'),
		run: async (command: keyof typeof commands) => {
			const session = openSession({...flags, home}, '0.0.0');
			const {context, stdout, stderr} = openContext({
				flags: {yes: true, json: command === 'status'},
				controlSocket: session.paths.controlSocket,
			});
			try {
				return {code: await commands[command](context, session, {...mac, home}), stdout: stdout(), stderr: stderr()};
			} catch (error) {
				return {code: error, stdout: stdout(), stderr: stderr()};
			}
		},
		changes: () => managers.calls().filter(call => /^launchctl (?:enable|bootstrap|bootout)/u.test(call)),
	};
}

describe('on macOS', () => {
	test('an agent is written, started, seen and removed', async () => {
		const {run, path, changes, pid, home} = openMac();
		const installed = await run('install');
		expect(installed).toMatchObject({code: 0, stdout: expect.stringContaining(`process ${pid()}`)});
		expect(installed.stderr).toContain('at the screen of this Mac');
		expect(readFileSync(path, 'utf8')).toContain(`<string>${home}</string>`);
		expect(changes()).toEqual(['launchctl enable gui/501/dev.sluice.gateway', `launchctl bootstrap gui/501 ${path}`]);
		const status = await run('status');
		expect(status.code).toBe(0);
		expect(JSON.parse(status.stdout)).toMatchObject({
			manager: 'launchd',
			installed: true,
			enabled: true,
			active: true,
			pid: pid(),
			linger: null,
			differs: false,
		});
		const running = pid();
		expect(await run('remove')).toMatchObject({code: 0, stdout: 'Stopped and removed dev.sluice.gateway.\n'});
		expect(existsSync(path)).toBe(false);
		expect(await findProcess(running)).toBeUndefined();
		expect(changes().at(-1)).toBe('launchctl bootout gui/501/dev.sluice.gateway');
	});

	test('an agent that changed is loaded again', async () => {
		const {run, path, changes, pid} = openMac();
		await run('install');
		const first = pid();
		writeFileSync(path, readFileSync(path, 'utf8').replace('<integer>10</integer>', '<integer>11</integer>'));
		expect(await run('install')).toMatchObject({code: 0, stderr: expect.stringMatching(/^\+ +<integer>10</mu)});
		expect(changes().slice(-3)[0]).toBe('launchctl bootout gui/501/dev.sluice.gateway');
		expect(pid()).not.toBe(first);
	});

	test('a gateway that ends at once is shown with its log', async () => {
		const {run, home} = openMac();
		mkdirSync(join(home, 'control.sock', 'in-the-way'), {recursive: true});
		mkdirSync(join(home, 'logs'), {mode: 0o700});
		writeFileSync(join(home, 'logs', 'service.log'), 'why it ended\n');
		const {code, stderr} = await run('install');
		expect(code).toMatchObject({code: 'service_failed', message: expect.stringContaining('It exited with 1')});
		expect(stderr).toContain('  why it ended\n');
	});

	test('nothing is written without a session at the screen', async () => {
		const {run, path, changes} = openMac({print: {code: 125, stderr: 'Domain does not support specified action\n'}});
		expect(await run('install')).toMatchObject({code: {code: 'service_unavailable'}});
		expect(existsSync(path)).toBe(false);
		expect(changes()).toEqual([]);
	});

	test('launchd that refuses is quoted', async () => {
		const {run} = openMac({bootstrap: {code: 5, stderr: 'Bootstrap failed: 5: Input/output error\n'}});
		expect(await run('install')).toMatchObject({
			code: {
				code: 'service_failed',
				message: expect.stringContaining('`launchctl bootstrap` failed: Bootstrap failed: 5'),
			},
		});
	});
});
