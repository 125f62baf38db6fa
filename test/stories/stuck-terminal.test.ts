import {aroundEach, describe, expect, test} from 'vitest';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {openDashboard, stateDirectory} from '../helpers/sluice.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {health, post, webhookPlatform} from './sender.ts';

aroundEach(inOwnContext);

/** An error that nobody catches, at a signal. */
const crashing = {
	NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(
		"process.on('SIGUSR2', () => { throw new Error('made up'); })",
	)}`,
};

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** A dashboard that has more to say than its terminal takes. */
async function openStuck(env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
	const dashboard = openDashboard({home: stateDirectory({}), env}, {columns: 200, rows: 60});
	// The first frame is complete before the terminal is full.
	await dashboard.waitFor('─ 1 Overview');
	await dashboard.fill();
	for (let key = 0; key < 20; key++) {
		// No escape: with the next key in one piece, as on a busy machine, it is another key.
		dashboard.press(['?', '?', '3', 'W', '1'][key % 5] ?? '1');
		// A program that cannot write shows nothing that could be waited for.
		await wait(20);
	}

	expect(dashboard.isFull()).toBe(true);
	return dashboard;
}

describe.concurrent('a terminal that stopped reading does not hold up a program', () => {
	test.each([
		['SIGTERM', 'non-blocking', 0],
		['SIGHUP', 'non-blocking', 0],
		['SIGINT', 'non-blocking', 0],
		['SIGTERM', 'worker', 0],
		['SIGUSR2', 'non-blocking', 1],
	] as const)(
		'that %s ends, drawing %s',
		async (signal, writer, code) => {
			const dashboard = await openStuck({...crashing, SLUICE_WRITER: writer});
			dashboard.kill(signal);
			expect(await dashboard.exit).toBe(code);
		},
		30_000,
	);

	test('that is ended with q', async () => {
		const dashboard = await openStuck();
		dashboard.press('q');
		expect(await dashboard.exit).toBe(0);
	}, 30_000);

	test('that writes lines: it takes webhooks, and a signal ends it', async () => {
		const home = stateDirectory(webhookPlatform({issues: {}}, {rate_limit: 100_000}));
		const gateway = openDashboard({home}, {args: ['gateway', 'run']});
		await gateway.waitFor(/127\.0\.0\.1:\d+/);
		const base = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(gateway.screen().join('\n'))?.[1] ?? ''}`;
		await gateway.fill();
		for (let event = 0; event < 100; event++) {
			await post(base, {id: `event-${event}`, payload: {event_type: 'ping'}});
		}

		const asked = await health(base, 5000);
		expect(gateway.isFull()).toBe(true);
		gateway.kill('SIGTERM');
		expect([asked, await gateway.exit]).toEqual([expect.objectContaining({status: 'ok'}), 0]);
	}, 60_000);
});

test.concurrent('an uncaught error is printed with its stack after the terminal was restored', async () => {
	const dashboard = openDashboard({home: stateDirectory({}), env: crashing});
	await dashboard.waitFor('─ 1 Overview');
	dashboard.kill('SIGUSR2');
	expect(await dashboard.exit).toBe(1);
	await dashboard.waitFor('made up');
	expect([dashboard.isAlternate(), dashboard.screen().join('\n')]).toEqual([
		false,
		expect.stringMatching(/ at .*:\d+/),
	]);
});
