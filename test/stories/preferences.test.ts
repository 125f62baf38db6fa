import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDashboard, pressUntil, readState, stateDirectory} from '../helpers/sluice.ts';

const file = 'preferences.json';

test('the dashboard opens as it was left: theme, view and sort order, also when it is left at once', async () => {
	const home = stateDirectory();
	const first = openDashboard({home});
	await first.waitFor('nothing is configured yet');
	await pressUntil(first, 'T', /theme \w+/);
	await pressUntil(first, '5', '─ 5 Jobs');
	await pressUntil(first, 'o', '5 Jobs · by name');
	await pressUntil(first, 'O', '5 Jobs · by name, reversed');
	first.press('q');
	expect(await first.exit).toBe(0);
	expect(JSON.parse(readState(home, file))).toEqual({
		theme: expect.any(String),
		notify: 'bell',
		mouse: 'off',
		view: 'jobs',
		sort: {jobs: {by: 'name', direction: 'reversed'}},
	});

	const second = openDashboard({home});
	await second.waitFor('─ 5 Jobs · by name, reversed');
	// A broken file costs the preferences, and nothing else.
	writeFileSync(join(home, file), '{"theme": ');
	await pressUntil(second, 'W', '─ W Log');
	await expect.poll(() => readState(home, file)).toContain('"view": "log"');
}, 60_000);

test('a file that is broken is no reason not to open', async () => {
	const home = stateDirectory();
	writeFileSync(join(home, file), 'null and void');
	const dashboard = openDashboard({home});
	await dashboard.waitFor('nothing is configured yet');
	await pressUntil(dashboard, '5', '─ 5 Jobs');
	await expect.poll(() => readState(home, file)).toContain('"view": "jobs"');
}, 60_000);

test.each(['--read-only', '--demo'])(
	'%s writes none of it',
	async flag => {
		const home = stateDirectory();
		const dashboard = openDashboard({home}, {args: [flag]});
		await dashboard.waitFor('─ servers ·');
		await pressUntil(dashboard, 'T', /theme \w+/);
		await pressUntil(dashboard, '5', '─ 5 Jobs');
		dashboard.kill('SIGTERM');
		await dashboard.exit;
		expect(existsSync(join(home, file))).toBe(false);
	},
	60_000,
);

test('the demo opens its own first view, whatever the last one was', async () => {
	const home = stateDirectory();
	writeFileSync(join(home, file), JSON.stringify({view: 'log', theme: 'mono'}));
	const real = openDashboard({home});
	await real.waitFor('─ W Log');
	real.kill('SIGTERM');
	await real.exit;
	const demo = openDashboard({home}, {args: ['--demo']});
	await demo.waitFor(/─ servers ·[\s\S]*─ 3 Events/);
	expect(demo.screen().join('\n')).not.toContain('─ W Log');
}, 60_000);
