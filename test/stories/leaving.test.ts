import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {aroundEach, describe, expect, test, vi} from 'vitest';
import {inOwnContext, openForAll} from '../helpers/on-test-finished.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, sluice, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {addTask, garden} from './garden.ts';

aroundEach(inOwnContext);

/** True when the program switched off what it had switched on, in the end. */
function isTerminalRestored(terminal: Terminal): boolean {
	const lastOf = (sequence: string) => terminal.bytes().lastIndexOf(sequence);
	const isShown = lastOf('\u001B[?25h') > lastOf('\u001B[?25l');
	const isBack = (mode: number) => lastOf(`\u001B[?${mode}l`) > lastOf(`\u001B[?${mode}h`);
	// The other screen, reports of the focus, marks around a paste, the mouse, changes of the colours.
	const modes = [1049, 1004, 2004, 1000, 1006, 2031].every(isBack);
	const isCleared = lastOf('\u001B]9;4;0') >= lastOf('\u001B]9;4;2');
	return !terminal.isAlternate() && isShown && modes && isCleared && lastOf('\u001B[23;2t') > lastOf('\u001B[22;2t');
}

async function openConnected(home = stateDirectory({mcp_servers: {garden}})) {
	writeFileSync(join(home, 'preferences.json'), JSON.stringify({theme: 'auto', notify: 'osc', mouse: 'pick'}));
	const dashboard = openDashboard({home}, {background: 'rgb:ffff/ffff/ffff'});
	await dashboard.waitFor(/● garden +connected/);
	expect(dashboard.isAlternate()).toBe(true);
	const isOn = (mode: number) => dashboard.bytes().includes(`\u001B[?${mode}h`);
	await vi.waitFor(() => expect([1004, 1000, 1006, 2031].filter(mode => !isOn(mode))).toEqual([]), 10_000);
	return {home, dashboard};
}

describe.concurrent('leaving the dashboard', () => {
	test('with q gives the terminal back and ends with 0', async () => {
		const {dashboard} = await openConnected();
		// A key that may be pressed twice comes first: the help key, pressed again because the dashboard was slow, would close the help.
		await pressUntil(dashboard, '4', '4 Runs and inbox');
		dashboard.press('?');
		await dashboard.waitFor('Keys');
		dashboard.press('\u001B');
		// Only the list offers this. Escape and q read at once would be Alt-Q.
		await dashboard.waitFor(/help {2}q quit/);
		dashboard.press('q');
		expect([await dashboard.exit, isTerminalRestored(dashboard)]).toEqual([0, true]);
	});

	test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s gives the terminal back and ends with 0', async signal => {
		const {dashboard} = await openConnected();
		dashboard.kill(signal);
		expect([await dashboard.exit, isTerminalRestored(dashboard)]).toEqual([0, true]);
	});

	test('asks first while a call waits: no stays, yes cancels the call', async () => {
		const {home, dashboard} = await openConnected();
		const call = startSluice({home}, ...addTask, '--json');
		await dashboard.waitFor('1 approval waiting');
		dashboard.press('q');
		await dashboard.waitFor('Quit? 1 waiting approval will be cancelled.');
		dashboard.press('n');
		await dashboard.waitFor(/help {2}q quit/);
		expect(dashboard.screen()[2]).toMatch(/1 approval waiting/);

		dashboard.press('\u0003');
		await dashboard.waitFor('Quit? 1 waiting approval');
		dashboard.press('y');
		expect([await dashboard.exit, isTerminalRestored(dashboard)]).toEqual([0, true]);
		const {code, stdout} = await call.end;
		expect([code, JSON.parse(stdout)]).toMatchObject([1, {error: {code: 'cancelled'}}]);
	});

	test('a second ctrl+c at that question stops at once', async () => {
		const {home, dashboard} = await openConnected();
		const call = startSluice({home}, ...addTask);
		await dashboard.waitFor('1 approval waiting');
		dashboard.press('\u0003');
		await dashboard.waitFor('Quit?');
		dashboard.press('\u0003');
		expect([await dashboard.exit, isTerminalRestored(dashboard)]).toEqual([130, true]);
		expect((await call.end).code).toBe(1);
	});
});

describe('leaving a dashboard that is attached', () => {
	const stage = openForAll(async () => {
		const home = stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold'}});
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('garden connected');
		startSluice({home}, ...addTask);
		await gateway.waitForLine('asks for garden/add_task');
		return home;
	});

	test.each([
		{what: 'q', leave: ({press}: Terminal) => press('q')},
		{what: 'ctrl+c', leave: ({press}: Terminal) => press('\u0003')},
		{what: 'SIGTERM', leave: ({kill}: Terminal) => kill('SIGTERM')},
		{what: 'SIGHUP', leave: ({kill}: Terminal) => kill('SIGHUP')},
		{what: 'SIGKILL', leave: ({kill}: Terminal) => kill('SIGKILL'), isKilled: true},
	])('by $what leaves what waits at its gateway', async ({leave, isKilled = false}) => {
		const {dashboard} = await openConnected(stage());
		await dashboard.waitFor('1 approval waiting');
		await pressUntil(dashboard, '4', '4 Runs and inbox');
		// The next one opens with the view of this one.
		await pressUntil(dashboard, '1', '─ servers ·');
		leave(dashboard);
		expect([await dashboard.exit, isTerminalRestored(dashboard)]).toEqual(isKilled ? [137, false] : [0, true]);
		expect(await runSluiceJson({home: stage()}, 'approvals', 'list')).toHaveLength(1);
	});
});

describe('a state directory', () => {
	test('has one gateway: a second one fails and names the process that holds it, and a dashboard is attached to the first', async () => {
		const {home, dashboard} = await openConnected();
		const refusal = `A gateway (process ${dashboard.pid}) is already using this state directory`;
		expect(await sluice({home}, 'gateway', 'run')).toMatchObject({code: 1, stderr: expect.stringContaining(refusal)});

		const second = openDashboard({home});
		await second.waitFor(`attached · pid ${dashboard.pid}`);
		await pressUntil(second, '2', /─ 2 You/u);
		second.press('q');
		expect([await second.exit, isTerminalRestored(second)]).toEqual([0, true]);
		expect(await runSluiceJson({home}, 'mcp', 'list')).toMatchObject([{state: 'connected'}]);
	});

	test('is taken over after its gateway was killed', async () => {
		const {home, dashboard} = await openConnected();
		dashboard.kill('SIGKILL');
		expect(await dashboard.exit).toBe(137);
		await openConnected(home);
	});
});
