import {expect, test} from 'vitest';
import {untilNumberCounts} from '../helpers/dashboard-ways.ts';
import {beginSluice, runSluice} from '../helpers/run-sluice.ts';
import {openDashboard, readState, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {addTask, garden} from './garden.ts';

test('a call is allowed, and a rule stored, by typing numbers where a screen reader reads the lines', async () => {
	const home = stateDirectory({mcp_servers: {garden}});
	const terminal = openDashboard({home}, {args: ['--screen-reader'], columns: 120, rows: 40});
	await terminal.waitFor(/garden connected/);
	const call = startSluice({home}, ...addTask);
	await terminal.waitFor('Type a number and press Enter.');
	const screen = terminal.screen().join('\n');
	expect(screen).toMatch(/Permission required, request \w+: server garden, untrusted, tool add_task\./);
	expect(terminal.isAlternate()).toBe(false);
	await untilNumberCounts();
	terminal.press('3\r');
	expect(await call.end).toMatchObject({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n'});
	await terminal.waitFor(/approved garden\/add_task \(once\)/);

	const typeOnceHeard = async (typed: string, next: string | RegExp) => {
		await untilNumberCounts();
		terminal.press(`${typed}\r`);
		await terminal.waitFor(next);
	};
	const again = beginSluice({home}, ...addTask);
	await terminal.waitFor(/Permission required[^]*Permission required[^]*press Enter/);
	await typeOnceHeard('8', '2 store this rule and allow this call');
	await typeOnceHeard('2', 'Type 2 again within 60 s to store it; anything else goes back.');
	terminal.press('2\r');
	expect(await again.end).toMatchObject({code: 0, stdout: 'Added #5 Mow the lawn (garden)\n'});
	expect(await runSluice({home}, ...addTask)).toMatchObject({code: 0});
	expect(readState(home, 'approval-rules.json')).toContain('"stored"');
});
