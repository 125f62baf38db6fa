import {setTimeout as wait} from 'node:timers/promises';
import {typeAheadMilliseconds} from '../../source/tui/input/controller.ts';
import {openDashboard, startSluice, type Surroundings} from './sluice.ts';
import {type Terminal} from './terminal.ts';

/** The two ways to a gateway that a dashboard has (docs/dashboard.md, Attached): one in its process, and one that runs already. */
export const dashboardWays = ['own', 'attached'] as const;

/** Passes the first second after a question of the screen-reader mode, in which no number counts: nothing shows that it is over. */
export const untilNumberCounts = () => wait(1100);

export type DashboardWay = (typeof dashboardWays)[number];

/** Opens the dashboard, in the attached way after `gateway run` has started; both are killed when the test ends. */
export async function openDashboardIn(
	way: DashboardWay,
	surroundings: Surroundings,
	options: {readonly columns?: number; readonly rows?: number} = {},
): Promise<Terminal> {
	if (way === 'attached') {
		await startSluice(surroundings, 'gateway', 'run', '--log', 'json').waitForLine('"type":"gateway.started"');
	}

	const dashboard = openDashboard(surroundings, options);
	// The header of an attached one says so at every width, once it has a place at its gateway.
	await dashboard.waitFor(way === 'attached' ? /^ ?sluice .*\batt/ : 'sluice');
	if (way === 'attached') {
		// It shows what the gateway has at once, and takes no keys in its first moments: a person cannot have meant them.
		await wait(typeAheadMilliseconds);
	}

	return dashboard;
}
