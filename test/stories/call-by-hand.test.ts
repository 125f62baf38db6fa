import {aroundEach, expect, test} from 'vitest';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {pressUntil, stateDirectory} from '../helpers/sluice.ts';
import {garden} from './garden.ts';

aroundEach(inOwnContext);

test.concurrent.each(dashboardWays)(
	'a person finds a tool, calls it, approves the call like any other, and reads its result (gateway: %s)',
	async way => {
		const dashboard = await openDashboardIn(way, {home: stateDirectory({mcp_servers: {garden}})});
		await dashboard.waitFor(/● garden +connected/);
		await pressUntil(dashboard, 't', /● list_tasks +registered +passes +read-only/);
		await dashboard.waitFor(/● add_task +registered +asks/);
		dashboard.press('/');
		await dashboard.waitFor('word key:value');
		dashboard.press('add_task\r');
		await dashboard.waitFor('(1 of');
		dashboard.press('e');
		await dashboard.waitFor('Call mcp__garden__add_task');
		dashboard.press('Rake');
		await dashboard.waitFor('> Rake');
		dashboard.press('\t');
		await dashboard.waitFor('bed optional');
		dashboard.press('\t');
		await dashboard.waitFor(/^ ready · enter calls/m);
		dashboard.press('\r');
		await dashboard.waitFor('waits for your approval');
		dashboard.press('A');
		await dashboard.waitFor(/from {4}dashboard[\s\S]*^ ready/m);
		dashboard.press('a');
		await dashboard.waitFor(/● ok[\s\S]*Added #4 Rake/);
		dashboard.press('3');
		await dashboard.waitFor(/● ok +garden +add_task +dashboard/);
		expect(dashboard.screen().at(-1)).toMatch(/q (?:quit|leave)/u);
	},
	40_000,
);

test.concurrent.each(dashboardWays)(
	'a person sees that nobody knows how a call ended, and says that it had no effect (gateway: %s)',
	async way => {
		const peer = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'};
		const dashboard = await openDashboardIn(way, {home: stateDirectory({mcp_servers: {peer}})});
		await dashboard.waitFor(/● peer +connected/);
		await pressUntil(dashboard, 't', /● die +registered/);
		dashboard.press('/');
		await dashboard.waitFor('word key:value');
		dashboard.press('die\r');
		await dashboard.waitFor('(1 of');
		dashboard.press('e');
		await dashboard.waitFor(/Call mcp__peer__die[\s\S]*^ ready · enter calls/m);
		dashboard.press('\r');
		await dashboard.waitFor(/◇ uncertain[\s\S]*The connection was lost before the answer came/);
		await pressUntil(dashboard, 'A', '◇ uncertain: it may have taken effect');
		await pressUntil(dashboard, 'N', 'Mark peer/die as not done?');
		await pressUntil(dashboard, 'y', /^ ?sluice (?!.*◆)/m);
	},
	40_000,
);
