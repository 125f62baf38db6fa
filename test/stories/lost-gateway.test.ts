import {expect, test} from 'vitest';
import {runSluice} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {addTask, garden, listTasks} from './garden.ts';

const openRequest = /APPROVAL 1 of 1[\s\S]*Mow the lawn/;

test('a gateway that is killed while a request is on the screen takes it along, and no key decides what comes later', async () => {
	const at = {home: stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold'}})};
	const first = startSluice(at, 'gateway', 'run');
	await first.waitForLine('garden connected');
	const wide = openDashboard(at);
	const small = openDashboard(at, {columns: 40, rows: 10});
	await Promise.all([wide.waitFor('attached · pid'), small.waitFor(/^sluice att /m)]);
	const call = startSluice(at, ...addTask, '--json');
	await first.waitForLine('asks for garden/add_task');
	// The overview has the arguments, too: only the heading says that the request is open.
	await pressUntil(wide, 'A', openRequest);
	await pressUntil(small, 'A', openRequest);

	first.signal('SIGKILL');
	await Promise.all([wide.waitFor(/no connection since/), small.waitFor('no connection · looking for it')]);
	await Promise.all([wide.waitFor('The connection was lost'), small.waitFor('The connection was lost')]);
	for (const key of ['a', 's', 'w', 'd', '\r', 'y']) {
		wide.press(key);
		small.press(key);
	}

	expect((await call.end).code).not.toBe(0);
	const second = startSluice(at, 'gateway', 'run');
	await second.waitForLine('garden connected');
	await Promise.all([wide.waitFor('attached again'), small.waitFor('attached again')]);
	// A request of the new gateway is decided by a new key alone.
	const later = startSluice(at, ...addTask, '--json');
	await second.waitForLine('asks for garden/add_task');
	expect((await runSluice(at, ...listTasks)).stdout).not.toContain('Mow');
	await pressUntil(wide, 'n', openRequest);
	await pressUntil(wide, 'a', 'approved (once)');
	expect((await later.end).code).toBe(0);

	second.signal('SIGKILL');
	await small.waitFor(/no connection/);
	small.press('\u001B');
	await small.waitFor('as it was at');
	small.press('q');
	expect(await small.exit).toBe(0);
}, 60_000);
