import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, readState, stateDirectory, webhookAddress} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {garden} from './garden.ts';
import {health} from './sender.ts';

/** The first screen of a fresh installation. */
async function openFresh(env: Readonly<Record<string, string>> = {}) {
	const home = join(stateDirectory(), 'not there yet');
	const dashboard = openDashboard({home, env});
	await dashboard.waitFor('nothing is configured yet');
	return {home, dashboard};
}

describe('the first screen', () => {
	test('offers the demo, a server and webhooks', async () => {
		const {dashboard} = await openFresh();
		await dashboard.waitFor(/D {2}see it work[\s\S]*a {2}add a tool server[\s\S]*w {2}turn on webhooks/);
	});

	test('turns on webhooks', async () => {
		const {home, dashboard} = await openFresh({WEBHOOK_PORT: '0'});
		await pressUntil(dashboard, 'w', 'webhooks listen at http://127.0.0.1:');
		expect(await health(await webhookAddress(dashboard))).toEqual({status: 'ok', platform: 'webhook'});
		expect(readState(home, 'config.yaml')).toMatch(/platforms:\n {2}webhook:\n {4}enabled: true/);
		expect(readState(home, '.env')).toMatch(/^WEBHOOK_SECRET=[\w-]{43}$/m);
	});

	test('adds a server that is typed in, as untrusted, and connects it', async () => {
		const {home, dashboard} = await openFresh();
		await pressUntil(dashboard, 'a', 'Add a tool server');
		dashboard.press('plants');
		await dashboard.waitFor(/name +plants/);
		dashboard.press('\r');
		await dashboard.waitFor('command or address');
		dashboard.press([garden.command, ...garden.args].join(' '));
		dashboard.press('\r');
		await dashboard.waitFor(/● plants +connected .* untrusted/);
		expect(await runSluiceJson({home}, 'mcp', 'list')).toMatchObject([{name: 'plants', state: 'connected', tools: 3}]);
		expect(readState(home, 'config.yaml')).toMatch(/mcp_servers:\n {2}plants:\n {4}command: /);
	});

	test('starts the demo: servers connect, events arrive, a call waits, and nothing is left afterwards', async () => {
		const temporary = temporaryDirectory();
		const {home, dashboard} = await openFresh({TMPDIR: temporary});
		const keys: string[] = [];
		const press = (key: string) => {
			keys.push(key);
			dashboard.press(key);
		};
		await pressUntil({...dashboard, press}, 'D', 'DEMO');
		await dashboard.waitFor(/● garden +connected[\s\S]*● weather +connected/);
		await dashboard.waitFor(/● accepted +demo-issues +"issues"/);
		await dashboard.waitFor('▲ 1 approval');
		const demoDirectories = () => readdirSync(temporary).filter(name => name.startsWith('sluice-demo-'));
		expect(demoDirectories()).toHaveLength(1);

		// A server and a webhook after one key, an answer after three; a dashboard that has just opened may miss a few.
		press('A');
		await dashboard.waitFor(/^ ready/m);
		press('a');
		await dashboard.waitFor(/approved \(once\)|press a again/);
		expect(keys.length).toBeLessThanOrEqual(12);

		dashboard.kill('SIGTERM');
		expect(await dashboard.exit).toBe(0);
		expect(demoDirectories()).toEqual([]);
		expect(existsSync(join(home, 'config.yaml'))).toBe(false);
	});
});
