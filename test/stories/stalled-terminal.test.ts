import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {stateDirectory, webhookAddress} from '../helpers/sluice.ts';
import {health, post, webhookPlatform} from './sender.ts';

const stallMilliseconds = 2000;
/** The limit of the design (bench:tui measures it); here a quarter may be late, because tests share their processors. */
const promisedMilliseconds = 200;
const lateShare = 0.25;
/** A gateway that waits for its terminal answers nothing until the end of the stall. */
const hungMilliseconds = 1000;

test.each(dashboardWays)(
	'a terminal that stops reading does not stop the gateway, and shows the latest state when it reads again (gateway: %s)',
	async way => {
		const home = stateDirectory(webhookPlatform({issues: {}}, {rate_limit: 100_000}));
		const dashboard = await openDashboardIn(way, {home}, {columns: 120, rows: 40});
		const base = await webhookAddress(dashboard);
		const send = (id: string) => post(base, {id, payload: {event_type: 'ping'}});
		await send('before');
		await dashboard.waitFor('accepted');

		dashboard.stall();
		const until = performance.now() + stallMilliseconds;
		const waits: number[] = [];
		while (performance.now() < until) {
			// Every event is a new line, and every key a new screen, for a terminal that takes none of it.
			expect(await send(`event-${waits.length}`)).toMatchObject({status: 202});
			dashboard.press(waits.length % 2 === 0 ? '3' : '1');
			const askedAt = performance.now();
			expect(await health(base, hungMilliseconds)).toMatchObject({status: 'ok'});
			waits.push(performance.now() - askedAt);
			// The rate of the sender: fewer events than the 500 of which a dashboard keeps what waits.
			await sleep(5);
		}

		const lazy = waits.filter(wait => wait > promisedMilliseconds);
		expect(lazy.length, `of ${waits.length} answers, late: ${lazy.join()}`).toBeLessThanOrEqual(
			waits.length * lateShare,
		);
		dashboard.read();
		await dashboard.waitFor(`${waits.length + 1} inbox items waiting`);
	},
);
