import {describe, expect, test} from 'vitest';
import {openDashboard, sluice, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {addTask, garden, listTasks} from './garden.ts';

/** A dashboard with a call from another terminal waiting on its review screen, keys armed. */
async function reviewACall(...options: readonly string[]) {
	const home = stateDirectory({mcp_servers: {garden}});
	const dashboard = openDashboard({home});
	await dashboard.waitFor(/● garden +connected/);
	const call = startSluice({home}, ...addTask, ...options);
	await dashboard.waitFor('1 approval waiting');
	dashboard.press('A');
	await dashboard.waitFor(/^ ready/m);
	return {home, dashboard, call};
}

describe('a call from another terminal waits on the dashboard', () => {
	test('the review screen says who asks for what, and from where', async () => {
		const {dashboard} = await reviewACall();
		const screen = dashboard.screen().join('\n');
		expect(screen).toMatch(/APPROVAL 1 of 1/);
		expect(screen).toMatch(/server {2}garden +UNTRUSTED +stdio/);
		expect(screen).toMatch(/tool {4}add_task +as mcp__garden__add_task/);
		expect(screen).toMatch(/"title": "Mow the lawn"/);
		expect(screen).toMatch(/from {4}command line/);
	});

	test('and runs when a person allows it: its caller gets the result', async () => {
		const {home, dashboard, call} = await reviewACall();
		dashboard.press('a');
		expect(await call.end).toEqual({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n', stderr: ''});
		await dashboard.waitFor(/✔ approved +garden +add_task +once · by dashboard/);
		await dashboard.waitFor(/● ok +garden +add_task +command line/);
		expect((await sluice({home}, ...listTasks)).stdout).toMatch(/#4 Mow the lawn/);
	});

	test('and does not run when a person denies it: its caller is told', async () => {
		const {home, dashboard, call} = await reviewACall('--json');
		dashboard.press('d');
		const {code, stdout} = await call.end;
		expect([code, JSON.parse(stdout)]).toMatchObject([1, {error: {code: 'denied', server: 'garden'}}]);
		await dashboard.waitFor(/✖ denied +garden +add_task +by dashboard/);
		expect((await sluice({home}, ...listTasks)).stdout).not.toMatch(/Mow/);
	});
});
