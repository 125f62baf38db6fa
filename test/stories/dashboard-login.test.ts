import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {aroundEach, expect, test, vi} from 'vitest';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {openDashboard, pressUntil, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {browse, confirmDevice} from '../simulators/robot.ts';

// Most of it waits for people, for authorization servers and for what they are asked again.
aroundEach(inOwnContext);

/** A display with a browser that writes down the address it was opened with. */
function display() {
	const folder = temporaryDirectory();
	const opened = join(folder, 'opened');
	writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, {mode: 0o700});
	return {
		env: {DISPLAY: ':0', PATH: `${folder}:${process.env['PATH'] ?? ''}`},
		opened: () => (existsSync(opened) ? readFileSync(opened, 'utf8') : undefined),
	};
}

/** A gateway that runs as a service and has a server that wants a login; its machine has a display of its own. */
async function openGateway(flow: 'device' | 'browser' = 'device') {
	const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	const tracker = {url: server.url, auth: 'oauth', oauth: {flow}};
	const home = stateDirectory({mcp_servers: {tracker}});
	const desk = display();
	const gateway = startSluice({home, env: desk.env}, 'gateway', 'run');
	await gateway.waitForLine('tracker needs-login');
	return {home, gateway, desk, authorization};
}

async function showChoice(window: Terminal) {
	await window.waitFor(/tracker +needs login/);
	await pressUntil(window, 'L', 'Log in to tracker:');
}

test.concurrent('L logs in to a server: a code is shown, approved on another device, and the server connects', async () => {
	// The demo brings a server behind a login, and a robot that types the code after a while.
	const dashboard = openDashboard({home: stateDirectory()}, {args: ['--demo']});
	await dashboard.waitFor(/◇ library +needs login +A login is required/);
	await pressUntil(dashboard, 'n', /^> ◇ library/m);
	dashboard.press('L');
	await dashboard.waitFor('Log in to library:');
	dashboard.press('a');
	await dashboard.waitFor(/open on any device/);
	await dashboard.waitFor(/^http:\/\/127\.0\.0\.1:\d+\/device/m);
	await dashboard.waitFor(/and type +[A-Z]{4}-[A-Z]{4}/);
	await dashboard.waitFor(/█▀▀▀▀▀▀▀█/);
	await dashboard.waitFor('logged in', 20_000);
	dashboard.press('\u001B');
	await dashboard.waitFor(/● library +connected .* 1 tool\b/);
	expect(dashboard.screen().join('\n')).not.toContain('needs login');
}, 60_000);

test.concurrent('a browser login that is started in an attached window opens the browser there, and nowhere else', async () => {
	const {home, gateway, desk} = await openGateway();
	const here = display();
	const window = openDashboard({home, env: here.env});
	await showChoice(window);
	window.press('b');
	await window.waitFor('open in a browser');
	const address = await vi.waitFor(() => here.opened() ?? expect.fail('no browser was opened'), {timeout: 25_000});
	await browse(address);
	await gateway.waitForLine('tracker connected');
	await window.waitFor('logged in');
	expect(desk.opened()).toBeUndefined();
}, 60_000);

test.concurrent('over SSH the address is pasted back, and nobody opens a browser, at the first look neither', async () => {
	const {home, gateway, desk, authorization} = await openGateway('browser');
	const there = display();
	const env = {...there.env, SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22', USER: 'ann'};
	const window = openDashboard({home, env}, {columns: 100, rows: 40});
	await showChoice(window);
	window.press('b');
	await window.waitFor('press v and paste the address');
	await window.waitFor(/ssh -N -L \d+:127\.0\.0\.1:\d+ ann@192\.0\.2\.2/);
	const address = /http:\/\/\S+\/auth\?\S+(?:\n\S+)*/u.exec(window.screen().join('\n'))?.[0].replaceAll('\n', '') ?? '';
	expect(address).toContain(authorization.issuer);
	// The browser of another machine ends up at an address that leads nowhere there.
	const {url} = await browse(address, next => (next.includes('code=') ? 'stop' : 'go on'));
	window.press('v');
	await window.waitFor('address:');
	window.press(`\u001B[200~${url}\u001B[201~`);
	window.press('\r');
	await gateway.waitForLine('tracker connected');
	await window.waitFor('logged in');
	expect([desk.opened(), there.opened()]).toEqual([undefined, undefined]);
}, 60_000);

test.concurrent('a device login in an attached window of 40x10 shows address and code at once', async () => {
	const {home, gateway, authorization} = await openGateway();
	const window = openDashboard({home}, {columns: 40, rows: 10});
	await showChoice(window);
	window.press('a');
	await window.waitFor(/type +[A-Z]{4}-[A-Z]{4}/);
	const screen = window.screen();
	expect(screen).toContain(`${authorization.issuer}/device`);
	const code = /[A-Z]{4}-[A-Z]{4}/u.exec(screen.join('\n'))?.[0] ?? '';
	await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
	await gateway.waitForLine('tracker connected');
	await window.waitFor('logged in');
}, 60_000);
