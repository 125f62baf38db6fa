import {join} from 'node:path';
import {aroundEach, expect, test, vi} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {quietMilliseconds} from '../../source/tui/state/arming.ts';
import {systemClock} from '../../source/util/clock.ts';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {inOwnContext, onTestFinished} from '../helpers/on-test-finished.ts';
import {pressUntil, readState, silentTerminalText, stateDirectory} from '../helpers/sluice.ts';
import {garden} from './garden.ts';

aroundEach(inOwnContext);

/** Bursts as hands and pastes make them; everything but a denial. */
const bursts = [
	'a',
	's',
	'w',
	'aa',
	'\r',
	'A',
	'wa',
	'sw',
	'\u001B[200~a\u001B[201~',
	'a\r',
	'Aa',
	' ',
	'\t',
	'\u001B[I',
	'\u001B[Oa',
	'\u001B[Ia',
];

test.concurrent.each(dashboardWays)(
	'random keys on a real terminal approve none of twenty requests, and a deliberate one approves one (gateway: %s)',
	async way => {
		const home = stateDirectory({mcp_servers: {garden}});
		const dashboard = await openDashboardIn(way, {home});
		await dashboard.waitFor(/● garden +connected/);
		const client = await connectControl({path: join(home, 'control.sock'), clock: systemClock});
		const hammering = new AbortController();
		onTestFinished(() => {
			hammering.abort();
			client?.close();
		});
		const settled: unknown[] = [];
		let typed = 0;
		let pressedAt = performance.now();
		for (let trial = 0; trial < 20; trial++) {
			const call = {name: 'mcp__garden__add_task', arguments: {title: `Task ${trial}`}, approve: false};
			void client?.call('mcp.call', call, {signal: hammering.signal}).then(
				answer => settled.push(answer),
				() => undefined,
			);
			for (let burst = 0; burst < 5; burst++) {
				// After a rest of the machine as long as that of a person, a key is a deliberate one: another goes before it.
				if (performance.now() - pressedAt > quietMilliseconds / 2) {
					dashboard.press('\u001B[B');
				}

				dashboard.press(bursts[(trial * 7 + burst * 3) % bursts.length] ?? 'a');
				pressedAt = performance.now();
				typed++;
				// The rhythm of hands on a keyboard is what is tested.
				await new Promise(resolve => setTimeout(resolve, 20 + ((trial * 13 + burst * 29) % 60)));
			}
		}

		const waiting = await client?.call('approvals.list', {}, {signal: hammering.signal});
		expect([settled, waiting?.length, typed]).toEqual([[], 20, 100]);

		await pressUntil(dashboard, '\u001B', /20 approvals waiting/);
		await pressUntil(dashboard, 'A', 'APPROVAL 1 of 20');
		await dashboard.waitFor(/^ ready/m);
		dashboard.press('a');
		await vi.waitFor(() => expect(settled).toHaveLength(1), 10_000);
		// The keys were armed by what the terminal said, not by what is assumed of one that says nothing.
		expect(dashboard.answers()).toBeGreaterThan(1);
		expect(readState(home, 'logs/sluice.log')).not.toContain(silentTerminalText);
	},
	60_000,
);
