import {aroundEach, describe, expect, test, vi} from 'vitest';
import {quietMilliseconds} from '../../source/tui/state/arming.ts';
import {type DashboardWay, dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {inOwnContext, openForAll} from '../helpers/on-test-finished.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {pressUntil, readState, silentTerminalText, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {addTask, garden, listTasks} from './garden.ts';

aroundEach(inOwnContext);

type Stage = {readonly home: string; readonly dashboard: Terminal};

/** A dashboard where nothing waits. */
async function openStage(way: DashboardWay): Promise<Stage> {
	const home = stateDirectory({mcp_servers: {garden}});
	const dashboard = await openDashboardIn(way, {home});
	await dashboard.waitFor(/● garden +connected/);
	return {home, dashboard};
}

/** Has a call from another terminal wait on the review screen of a dashboard, keys armed. */
async function reviewACall({home, dashboard}: Stage, ...options: readonly string[]) {
	await vi.waitFor(() => expect(dashboard.screen().join('\n')).not.toContain('approval waiting'), {timeout: 25_000});
	const call = startSluice({home}, ...addTask, ...options);
	await dashboard.waitFor('1 approval waiting');
	await pressUntil(dashboard, 'A', 'APPROVAL 1 of 1');
	await dashboard.waitFor(/^ ready/m);
	return {home, dashboard, call};
}

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

// Most of this is waiting: both dashboards at the same time, and on each of them one call after the other.
describe.concurrent.each(dashboardWays)('on the dashboard (gateway: %s)', {timeout: 120_000}, way => {
	const stage = openForAll(() => openStage(way));
	const inTurn = {concurrent: false};

	test(
		'a call from another terminal does not run when a person denies it, and its caller gets the error',
		inTurn,
		async () => {
			const {home, dashboard, call} = await reviewACall(stage(), '--json');
			dashboard.press('d');
			const {code, stdout} = await call.end;
			expect([code, JSON.parse(stdout)]).toMatchObject([1, {error: {code: 'denied', server: 'garden'}}]);
			await dashboard.waitFor(/✖ denied +garden +add_task +by console:1/);
			expect((await runSluice({home}, ...listTasks)).stdout).not.toMatch(/Mow/);
		},
	);

	test('a request that another terminal answered waits no longer, and the page says by whom', inTurn, async () => {
		const {home, dashboard, call} = await reviewACall(stage());
		const [{id}] = (await runSluiceJson({home}, 'approvals', 'list')) as [{id: string}];
		await runSluice({home}, 'approvals', 'deny', id, '--message', 'not today');
		await dashboard.waitFor('The request was answered elsewhere');
		await dashboard.waitFor('answered by cli: not today');
		dashboard.press('a');
		expect((await call.end).code).toBe(1);
		expect((await runSluice({home}, ...listTasks)).stdout).not.toMatch(/Mow/);
		await pressUntil(dashboard, '\u001B', /● garden +connected/);
	});

	test(
		'the review screen says who asks for what and from where, and the caller gets the result when a person allows it',
		inTurn,
		async () => {
			const {home, dashboard, call} = await reviewACall(stage());
			const screen = dashboard.screen().join('\n');
			expect(screen).toMatch(/APPROVAL 1 of 1/);
			expect(screen).toMatch(/server {2}garden +UNTRUSTED +stdio/);
			expect(screen).toMatch(/tool {4}add_task +as mcp__garden__add_task/);
			expect(screen).toMatch(/"title": "Mow the lawn"/);
			expect(screen).toMatch(/from {4}command line/);

			dashboard.press('a');
			const stderr = expect.stringMatching(
				/^sluice: The call waits for an approval\. Answer in the dashboard or with: sluice approvals allow [0-9a-f-]+\n$/,
			);
			expect(await call.end).toEqual({
				code: 0,
				stdout: expect.stringMatching(/^Added #\d Mow the lawn \(garden\)\n$/u),
				stderr,
			});
			await dashboard.waitFor(/✔ approved +garden +add_task +once · by console:1/);
			await dashboard.waitFor(/● ok +garden +add_task +command line/);
			expect((await runSluice({home}, ...listTasks)).stdout).toMatch(/#\d Mow the lawn/);
		},
	);

	test('a key answers no request that the terminal has not shown yet', inTurn, async () => {
		const {home, dashboard} = stage();
		const call = startSluice({home}, ...addTask);
		await dashboard.waitFor('1 approval waiting');
		// Real time is the subject of these waits: no key may act while the terminal shows nothing of the card.
		await wait(300);
		dashboard.stall();
		dashboard.press('A');
		await wait(2500);
		dashboard.press('a');
		await wait(500);
		const waiting = await runSluiceJson({home}, 'approvals', 'list');
		dashboard.read();
		await dashboard.waitFor(/^ ready/m);
		dashboard.press('a');
		expect([waiting, (await call.end).code]).toEqual([[expect.objectContaining({tool: 'add_task'})], 0]);
	});

	test('a key answers no other request when the one that was read is withdrawn', inTurn, async () => {
		const {home, dashboard, call} = await reviewACall(stage());
		const next = startSluice({home}, ...addTask);
		await dashboard.waitFor('APPROVAL 1 of 2');
		call.signal('SIGKILL');
		await dashboard.waitFor('The request was withdrawn');
		// The page could be read for longer than 700 ms, and each key comes more than 400 ms after the one before.
		await wait(quietMilliseconds);
		for (const key of ['a', 'a', '\r', 'd']) {
			await wait(1.5 * quietMilliseconds);
			dashboard.press(key);
		}

		const waiting = await runSluiceJson({home}, 'approvals', 'list');
		// The page takes no key within 400 ms of the last one, and listing takes less than that.
		await pressUntil(dashboard, 'n', 'APPROVAL 1 of 1');
		await dashboard.waitFor(/^ ready/m);
		dashboard.press('a');
		expect([waiting, (await next.end).code]).toEqual([[expect.objectContaining({tool: 'add_task'})], 0]);
		expect(readState(home, 'logs/sluice.log')).not.toContain(silentTerminalText);
	});

	test('a call runs with every further one like it once a rule from it is stored', inTurn, async () => {
		const {home, dashboard, call} = await reviewACall(stage());
		dashboard.press('p');
		await dashboard.waitFor('allows garden/add_task when title is "Mow the lawn"');
		await dashboard.waitFor(/^ ready · p stores it/m);
		dashboard.press('p');
		expect((await call.end).code).toBe(0);
		expect(await runSluice({home}, ...addTask)).toMatchObject({code: 0, stdout: expect.stringMatching(/^Added #\d /u)});
		const [rule] = (await runSluiceJson({home}, 'rules', 'list')) as [object];
		expect(rule).toMatchObject({source: 'stored', action: 'allow', server: 'garden', uses: 1});
	});
});
