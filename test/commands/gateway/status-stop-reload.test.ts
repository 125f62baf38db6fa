import {existsSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {runStatus} from '../../../source/commands/gateway/status.ts';
import {runStop} from '../../../source/commands/gateway/stop.ts';
import {openSession} from '../../../source/commands/cli/session.ts';
import {unitOfCgroup} from '../../../source/commands/service/supervising-unit.ts';
import {startControl} from '../../control/control-fixture.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {openDashboard, startSluice, stateDirectory, writeConfig} from '../../helpers/sluice.ts';
import {addTask, garden} from '../../stories/garden.ts';
import {openContext} from '../command-fixture.ts';

const config = {
	mcp_servers: {garden, broken: {command: '/nonexistent'}},
	approvals: {unattended: 'hold'},
	platforms: {webhook: {enabled: true, port: 0, routes: {alerts: {secret: 'INSECURE_NO_AUTH', deliver: 'log'}}}},
};

/** A gateway of the built program, once it runs. */
async function openGateway(home = stateDirectory(config)) {
	const gateway = startSluice({home}, 'gateway', 'run');
	await gateway.waitForLine('gateway    started');
	return {home, gateway};
}

const none = {code: 1, stdout: '', stderr: expect.stringContaining('No gateway is running')};

describe('sluice status', () => {
	test('exits with 3 when no gateway runs; the JSON is null', async () => {
		const home = stateDirectory({});
		expect(await runSluice({home}, 'status')).toEqual({...none, code: 3});
		expect(await runSluice({home}, 'status', '--json')).toEqual({...none, code: 3, stdout: 'null\n'});
	});

	test('says who runs, what waits and how much of it is up', async () => {
		const {home, gateway} = await openGateway();
		await gateway.waitForLine('garden connected');
		await gateway.waitForLine('broken failed');
		startSluice({home}, ...addTask);
		await gateway.waitForLine('asks for garden/add_task');
		const status = await runSluiceJson({home}, 'status');
		expect(status).toEqual({
			pid: gateway.pid,
			version: expect.any(String),
			uptime_s: expect.any(Number),
			waiting: {
				approvals: 1,
				questions: 0,
				proposals: 0,
				uncertain: 0,
				inbox: 0,
				logins: 0,
				failed_deliveries: 0,
			},
			servers: {connected: 1, total: 2, need: 1},
			routes: {served: 1, failed: 0},
			held: null,
			node: hostname(),
			journal: {state: 'open', since: expect.any(Number), waiting: 0, unreadable: 0},
			limits: [],
		});
		const {code, stdout, stderr} = await runSluice({home}, 'status');
		expect([code, stderr]).toEqual([0, '']);
		expect(stdout).toMatch(/^Waiting {2}1 approval {2}sluice approvals$/mu);
		expect(stdout).toMatch(/^Servers {2}1 of 2 connected, 1 needs you$/mu);
		expect(stdout.split('\n').filter(line => line.length > 40)).toEqual([]);
	});

	test('lists the gateways of a shared journal in lines that fit 40 columns', async () => {
		const nodes = [
			{name: 'web-1', state: 'alive', seen_s: 1, version: '0'},
			{name: 'web-2', state: 'left', seen_s: 61},
			{name: 'web-3', state: 'dead', seen_s: 7200},
			{name: 'web-4', state: 'alive', seen_s: 0, version: '0.1.1'},
		] as const;
		const {path} = await startControl({
			status: () => ({version: '0', pid: 7, profile: 'default', webhook_url: null, nodes: [...nodes]}),
		});
		const text = openContext({controlSocket: path});
		await runStatus(text.context);
		expect(text.stdout()).toContain(
			'Nodes    web-1  alive\n         web-2  stopped 1 min 1 s ago\n         web-3  dead, no sign for 2 h 0 min\n         web-4  alive, version 0.1.1\n',
		);
		const json = openContext({controlSocket: path, flags: {json: true}});
		await runStatus(json.context);
		expect(JSON.parse(json.stdout())).toMatchObject({nodes});
	});

	test('and the commands that show what is stored say so while the journal cannot be used', async () => {
		const lists = [
			['runs', 'list'],
			['calls', 'list'],
			['events', 'list'],
			['events', 'show', 'abcdef'],
			['uncertain', 'list'],
		];
		const {home: sound} = await openGateway();
		expect((await runSluice({home: sound}, 'status')).stdout).not.toContain('Journal');
		expect((await runSluice({home: sound}, 'runs', 'list')).code).toBe(0);
		const home = stateDirectory(config);
		writeFileSync(join(home, 'journal.db'), 'no database at all, '.repeat(500));
		await openGateway(home);
		expect((await runSluice({home}, 'status')).stdout).toMatch(
			/^Journal {2}cannot be used\n {9}since \S+ \S+\n(?: {9}\d+ writes? waits? for it\n)? {9}sluice doctor$/mu,
		);
		expect(await runSluiceJson({home}, 'status')).toMatchObject({
			journal_fault: expect.stringMatching(/^The journal cannot be used/u),
		});
		for (const words of lists) {
			expect(await runSluice({home}, ...words)).toEqual({
				code: 1,
				stdout: '',
				stderr: expect.stringMatching(/^sluice: The journal cannot be used .*\n *Restore /u),
			});
		}
	});

	test('shows what a gateway of an older version answers, and what it would obey', async () => {
		const {path} = await startControl({
			status: () => ({version: '0\u001B[2J', pid: 7, profile: 'default', webhook_url: null}),
		});
		const text = openContext({controlSocket: path});
		expect(await runStatus(text.context)).toBe(0);
		expect(text.stdout()).toBe('Gateway  running, process 7\nVersion  0␛[2J\n');
		const json = openContext({controlSocket: path, flags: {json: true}});
		expect(await runStatus(json.context)).toBe(0);
		expect(JSON.parse(json.stdout())).toEqual({
			pid: 7,
			version: '0\u001B[2J',
			uptime_s: null,
			waiting: null,
			servers: null,
			routes: null,
			held: null,
			node: null,
			journal: null,
		});
	});
});

describe('sluice stop', () => {
	test('waits until the gateway is down; then there is none to stop', async () => {
		const {home, gateway} = await openGateway();
		expect(await runSluice({home}, 'stop', '--json')).toEqual({
			code: 0,
			stdout: `${JSON.stringify({pid: gateway.pid, stopped: true}, null, 2)}\n`,
			stderr: expect.stringMatching(/^Stopping the gateway \(process \d+\) …\n(?:Waiting for .*\n)?Stopped\.\n/u),
		});
		expect(existsSync(join(home, 'control.sock'))).toBe(false);
		expect(existsSync(join(home, 'gateway.lock'))).toBe(false);
		expect(await gateway.end).toMatchObject({code: 0});
		expect(await runSluice({home}, 'stop')).toEqual(none);
	});

	test('stops the gateway of a dashboard, whose window closes', async () => {
		const home = stateDirectory(config);
		const dashboard = openDashboard({home});
		await dashboard.waitFor('srv 1/2');
		expect(await runSluice({home}, 'stop')).toMatchObject({code: 0});
		expect(await dashboard.exit).toBe(0);
		expect(dashboard.isAlternate()).toBe(false);
	});

	test('says how long nothing is refused, which `status` says too, and waits that much longer; a signal skips the rest', async () => {
		const {home, gateway} = await openGateway(stateDirectory({...config, gateway: {drain_delay: 600}}));
		const stopping = startSluice({home}, 'stop');
		await gateway.waitForLine('draining until');
		const status = await runSluiceJson({home}, 'status');
		expect(status).toMatchObject({pid: gateway.pid, draining: {until: expect.any(Number)}});
		expect((await runSluice({home}, 'status')).stdout).toMatch(/^Draining until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/mu);
		const attached = openDashboard({home}, {args: ['attach']});
		await attached.waitFor('draining until');
		process.kill(gateway.pid, 'SIGTERM');
		expect(await gateway.end).toMatchObject({code: 0});
		const {code, stderr} = await stopping.end;
		expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing is refused for 600 s (gateway.drain_delay).')]);
	});

	test('stops the gateway of a dashboard, which stays while nothing is refused; ctrl+c skips the rest', async () => {
		const home = stateDirectory({...config, gateway: {drain_delay: 600}});
		const dashboard = openDashboard({home});
		await dashboard.waitFor('srv 1/2');
		const stopping = startSluice({home}, 'stop');
		await dashboard.waitFor('draining until');
		dashboard.press('\u0003');
		expect([await dashboard.exit, (await stopping.end).code]).toEqual([0, 0]);
	});

	test.each([
		[undefined, 90],
		[0.5, 91],
	])(
		'with a drain_delay of %s says what it waits for, and gives up when a service manager would, too',
		async (delay, most) => {
			const status = {version: '1', pid: 2 ** 22 + 1, profile: 'default', webhook_url: null};
			const {path} = await startControl({
				status: () => ({...status, under_way: {runs: 1, calls: 2}, drain_delay_s: delay}),
				stop: () => ({}),
			});
			const clock = createFakeClock();
			const {context, stderr} = openContext();
			const session = openSession(
				{home: dirname(path), demo: false, dashboard: 'never', readOnly: false, ascii: true},
				'1',
			);
			const codes: number[] = [];
			const stopping = runStop({...context, clock, paths: session.paths}, {...session, clock}).then(
				ended => void codes.push(ended),
			);
			// Its question goes over a real socket: the clock stands still until it is answered.
			await vi.waitFor(
				async () => {
					await clock.advance(100);
					expect(stderr()).toContain('Waiting for 1 run and 2 tool calls to end');
				},
				{timeout: 20_000, interval: 20},
			);
			while (codes.length === 0) {
				await clock.advance(1000);
			}

			await stopping;
			expect(codes).toEqual([1]);
			expect(stderr()).toContain(`has not stopped within ${most} s`);
		},
	);
});

test('sluice reload names what changed, and why config.yaml cannot be used', async () => {
	const {home, gateway} = await openGateway();
	await gateway.waitForLine('garden connected');
	writeConfig(home, {...config, mcp_servers: {garden, other: {command: '/nonexistent'}}});
	const {code, stdout, stderr} = await runSluice({home}, 'reload');
	expect([code, stderr]).toEqual([0, '']);
	// The gateway may have seen the saved file first.
	expect(stdout).toMatch(/^servers: (?:added other · removed broken · 1|2) unchanged$/mu);
	expect(await runSluiceJson({home}, 'reload')).toMatchObject({unchanged: ['garden', 'other'], unusable: []});

	writeConfig(home, 'mcp_servers: [');
	const broken = await runSluice({home}, 'reload', '--json');
	expect(broken).toMatchObject({code: 1, stderr: expect.stringMatching(/^sluice: config\.yaml:1:\d+: /u)});
	expect(JSON.parse(broken.stdout)).toMatchObject({
		unchanged: ['garden', 'other'],
		unusable: [{profile: 'default', code: 'config_syntax'}],
	});
	expect(await runSluice({home}, 'reload')).toMatchObject({
		code: 1,
		stdout: '',
		stderr: expect.stringMatching(/\n +The previous configuration stays in force\.\n$/u),
	});

	writeConfig(home, {...config, approvals: {rules: [{action: 'never'}]}});
	expect(await runSluice({home}, 'reload')).toMatchObject({
		code: 1,
		stdout: expect.stringContaining('servers: '),
		stderr: expect.stringMatching(/\n +The previous rules stay in force; everything else was applied\.\n$/u),
	});
});

test('sluice reload needs a gateway', async () => {
	expect(await runSluice({home: stateDirectory({})}, 'reload')).toEqual(none);
});

test.each([
	[
		'0::/user.slice/user-1000.slice/user@1000.service/app.slice/sluice.service\n',
		{name: 'sluice.service', systemctl: 'systemctl --user'},
	],
	['0::/system.slice/gateway.service\n', {name: 'gateway.service', systemctl: 'systemctl'}],
	['0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n', undefined],
	['0::/user.slice/user-1000.slice/session-2.scope\n', undefined],
	['0::/\n', undefined],
	['', undefined],
])('the cgroup %j is that of %j', (text, unit) => {
	expect(unitOfCgroup(text)).toEqual(unit);
});
