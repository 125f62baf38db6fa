import {expect, test} from 'vitest';
import {openDashboard, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {addTask, garden} from './garden.ts';

test('a call is allowed by typing a number where a screen reader reads the lines', async () => {
	const home = stateDirectory({mcp_servers: {garden}});
	const terminal = openDashboard({home}, {args: ['--screen-reader'], columns: 120, rows: 40});
	await terminal.waitFor(/garden connected/);
	const call = startSluice({home}, ...addTask);
	await terminal.waitFor('Type a number and press Enter.');
	const screen = terminal.screen().join('\n');
	expect(screen).toMatch(/Permission required, request \w+: server garden, untrusted, tool add_task\./);
	expect(terminal.isAlternate()).toBe(false);
	await new Promise(resolve => setTimeout(resolve, 1100));
	terminal.press('3\r');
	expect(await call.end).toMatchObject({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n'});
	await terminal.waitFor(/approved garden\/add_task \(once\)/);
});
