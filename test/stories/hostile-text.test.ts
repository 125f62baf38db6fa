import {aroundEach, expect, test, vi} from 'vitest';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {pressUntil, startSluice, stateDirectory, webhookAddress} from '../helpers/sluice.ts';
import {evil, raw, seen} from './hostile-words.ts';
import {post, webhookPlatform} from './sender.ts';

aroundEach(inOwnContext);

const hostile = {
	command: process.execPath,
	args: fixtureArguments('story-hostile-server.ts', JSON.stringify(evil)),
	trust: 'untrusted',
};

test.concurrent.each(dashboardWays)(
	'nothing that servers, callers and senders write controls the terminal, and all of it is visible (gateway: %s)',
	async way => {
		const at = {
			home: stateDirectory({mcp_servers: {hostile}, ...webhookPlatform({issues: {prompt: 'Look at {title}'}})}),
		};
		const dashboard = await openDashboardIn(way, at, {columns: 140, rows: 40});
		await dashboard.waitFor(/● hostile +connected/);
		await post(await webhookAddress(dashboard), {id: 'one', payload: {event_type: `ping${evil}`, title: evil}});
		await dashboard.waitFor(/accepted +webhook +issues +"ping␛\]0;owned␇/);

		const [tool] = (await runSluiceJson(at, 'mcp', 'tools')) as Array<{name: string}>;
		const call = startSluice(at, 'mcp', 'call', tool?.name ?? '', '--args', JSON.stringify({note: evil}));
		await dashboard.waitFor('▲ 1 approval');
		dashboard.press('A');
		await dashboard.waitFor(/^ ready/m);
		const card = dashboard.screen().join('\n');
		expect(card.split(seen)).toHaveLength(4);
		expect(card).toContain(`tool    "wipe${seen}"`);
		expect(card).toContain(`"note": "${seen}"`);
		expect(card).toContain(`│ Harmless.\n │ ${seen}`);
		expect(card).toContain('6 characters marked');
		dashboard.press('a');
		await dashboard.waitFor('press a again: 6 characters marked');
		await dashboard.waitFor(/^ ready/m);
		dashboard.press('a');
		const stderr = expect.stringMatching(
			/^sluice: The call waits for an approval\. Answer in the dashboard or with: sluice approvals allow [0-9a-f-]+\n$/,
		);
		expect(await call.end).toEqual({code: 0, stdout: `${seen}\n`, stderr});

		await dashboard.waitFor(/ok +call +hostile +"wipe␛/);
		dashboard.press('4');
		await dashboard.waitFor('4 Runs and inbox · 1');
		// A key so soon after the card may have been meant for that.
		await pressUntil(dashboard, '\r', `Look at ${seen}`);

		dashboard.press('1');
		await dashboard.waitFor('─ servers ·');
		dashboard.press('t');
		await dashboard.waitFor(`"wipe${seen.slice(0, 12)}`);
		dashboard.press('\r');
		await dashboard.waitFor('every call asks for approval');

		const listings = await Promise.all([
			runSluice(at, 'mcp', 'list'),
			runSluice(at, 'mcp', 'tools'),
			runSluice(at, 'events', 'list'),
		]);
		expect(listings.map(({stdout}) => stdout).join('')).not.toMatch(raw);
		dashboard.press('q');
		await dashboard.exit;
		expect(dashboard.bytes()).not.toMatch(raw);
	},
	40_000,
);

test.concurrent.each(dashboardWays)(
	'nothing in an install link controls the terminal, and all of it is visible (gateway: %s)',
	async way => {
		const at = {home: stateDirectory()};
		const entry = {command: `npx${evil}`, args: [`-y${evil}`], env: {NOTE: evil}};
		const config = Buffer.from(JSON.stringify(entry)).toString('base64url');
		const dashboard = await openDashboardIn(way, at, {columns: 140, rows: 40});
		await dashboard.waitFor('nothing is configured yet');
		const install = startSluice(at, 'mcp', 'install', `sluice://mcp/install?name=docs&config=${config}`);
		await dashboard.waitFor('1 install waiting');
		await pressUntil(dashboard, 'A', `npx${seen}`);
		await vi.waitFor(() => expect(dashboard.screen().join('\n').split(seen).length).toBeGreaterThanOrEqual(4), {
			timeout: 25_000,
		});
		dashboard.press('\u001B');
		dashboard.kill('SIGTERM');
		await dashboard.exit;
		// Without a gateway of its own the window leaves it waiting.
		install.signal('SIGTERM');
		await install.end;
		expect(dashboard.bytes()).not.toMatch(raw);
	},
	40_000,
);
