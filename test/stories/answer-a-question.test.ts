import {aroundEach, describe, expect, test} from 'vitest';
import {type DashboardWay, dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {beginSluice} from '../helpers/run-sluice.ts';
import {stateDirectory} from '../helpers/sluice.ts';

aroundEach(inOwnContext);

/** Sequences that no terminal may get, apart from the title and the copies that are ours. */
const raw = /\u001B\](?!2;(?:▲\d+ )?sluice\u0007|11;\?\u0007)|[\u0080-\u009F\u202A-\u202E]/u;
const evil = '\u001B]0;owned\u0007\u202Eevil';
const asking = {command: process.execPath, args: fixtureArguments('mcp-asking.ts'), trust: 'full'};

const elicitation = {
	method: 'elicitation/create',
	params: {
		mode: 'form',
		message: `Where to? ${evil}`,
		requestedSchema: {
			type: 'object',
			properties: {
				city: {type: 'string', title: `City ${evil}`, minLength: 2},
				window: {type: 'boolean', description: evil},
			},
			required: ['city'],
		},
	},
};

/** A dashboard with the form of a server's question on it. */
async function openForm(way: DashboardWay) {
	const home = stateDirectory({mcp_servers: {asking}});
	const dashboard = await openDashboardIn(way, {home}, {columns: 100, rows: 30});
	await dashboard.waitFor(/● asking +connected/);
	const call = beginSluice({home}, 'mcp', 'call', 'mcp__asking__ask', '--args', JSON.stringify(elicitation), '--json');
	await dashboard.waitFor('1 question waiting');
	dashboard.press('A');
	await dashboard.waitFor('QUESTION 1 of 1');
	const result = async () => {
		const {stdout} = await call.end;
		return JSON.parse((JSON.parse(stdout) as {result: string}).result) as unknown;
	};
	return {dashboard, result};
}

describe.each(dashboardWays)('a server asks for something on the dashboard (gateway: %s)', way => {
	test.concurrent('and gets the values of the form, whose text does not control the terminal', async () => {
		const {dashboard, result} = await openForm(way);
		await dashboard.waitFor('Where to? ␛]0;owned␇‹U+202E›evil');
		await dashboard.waitFor('City ␛]0;owned');
		dashboard.press('Oslo');
		await dashboard.waitFor('> Oslo');
		dashboard.press('\r');
		await dashboard.waitFor('> ○ yes');
		dashboard.press(' ');
		await dashboard.waitFor('> ◉ yes');
		dashboard.press('\t');
		dashboard.press('\t');
		await dashboard.waitFor(/^ ready · enter sends/m);
		dashboard.press('\r');
		expect(await result()).toMatchObject({action: 'accept', content: {city: 'Oslo', window: true}});
		await dashboard.waitFor('─ servers ·');
		expect(dashboard.bytes()).not.toMatch(raw);
	});

	test.concurrent('and learns whether the person declined or cancelled', async () => {
		const [declined, cancelled] = await Promise.all([openForm(way), openForm(way)]);
		for (let stop = 0; stop < 3; stop++) {
			declined.dashboard.press('\t');
		}

		await declined.dashboard.waitFor(/^ ready · enter sends/m);
		declined.dashboard.press('d');
		expect(await declined.result()).toMatchObject({action: 'decline'});

		cancelled.dashboard.press('\u001B');
		await cancelled.dashboard.waitFor('Cancel this question for good?');
		cancelled.dashboard.press('y');
		expect(await cancelled.result()).toMatchObject({action: 'cancel'});
	});
});
