import {expect, test} from 'vitest';
import {openDashboard, pressUntil, stateDirectory} from '../helpers/sluice.ts';

test('L logs in to a server: a code is shown, approved on another device, and the server connects', async () => {
	// The demo brings a server behind a login, and a robot that types the code after a while.
	const dashboard = openDashboard({home: stateDirectory()}, {args: ['--demo']});
	await dashboard.waitFor(/◇ library +needs login +A login is required/);
	await pressUntil(dashboard, 'n', /^> ◇ library/m);
	dashboard.press('L');
	await dashboard.waitFor('Log in to library:');
	dashboard.press('d');
	await dashboard.waitFor(/open on any device/);
	await dashboard.waitFor(/^http:\/\/127\.0\.0\.1:\d+\/device/m);
	await dashboard.waitFor(/and type +[A-Z]{4}-[A-Z]{4}/);
	await dashboard.waitFor(/█▀▀▀▀▀▀▀█/);
	await dashboard.waitFor('logged in', 20_000);
	dashboard.press('\u001B');
	await dashboard.waitFor(/● library +connected .* 1 tool\b/);
	expect(dashboard.screen().join('\n')).not.toContain('needs login');
}, 60_000);
