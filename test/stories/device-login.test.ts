import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {confirmDevice} from '../simulators/robot.ts';

async function open() {
	const authorization = await startAuthorizationServer({features: {revocation: {enabled: true}}}, {pollSeconds: 1});
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	const tracker = {url: server.url, auth: 'oauth'};
	return {at: {home: stateDirectory({mcp_servers: {tracker}})}, authorization};
}

test('a person on a headless host logs in with a code, and the gateway that runs there connects', async () => {
	const {at, authorization} = await open();
	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('tracker needs-login');

	// A terminal of 60 rows has room for the picture.
	const terminal = openDashboard(at, {rows: 60, columns: 100, args: ['mcp', 'login', 'tracker', '--flow', 'device']});
	await terminal.waitFor('and enter this code');
	await terminal.waitFor(/Waiting for you, \d:\d\d left/u);
	const screen = terminal.screen();
	const address = `${authorization.issuer}/device`;
	// The address and the code stand alone on their lines, and the picture is there.
	expect(screen).toContain(address);
	const code = screen.find(line => /^[A-Z]{4}-[A-Z]{4}$/u.test(line)) ?? '';
	expect(code).not.toBe('');
	expect(screen.some(line => /^[█▀▄ ]{20,}$/u.test(line))).toBe(true);

	await confirmDevice(`${address}?user_code=${code}`);
	await terminal.waitFor('Logged in to tracker.');
	expect(await terminal.exit).toBe(0);
	await gateway.waitForLine('tracker connected');
	expect(await runSluiceJson(at, 'mcp', 'list')).toMatchObject([{name: 'tracker', state: 'connected', tools: 1}]);

	const tokens = join(at.home, 'mcp-tokens');
	expect(readdirSync(tokens)).toEqual(['tracker.json']);
	expect(statSync(join(tokens, 'tracker.json')).mode & 0o777).toBe(0o600);
});

test('logging out revokes and removes the tokens, and the gateway says that the server needs a login again', async () => {
	const {at, authorization} = await open();
	const login = startSluice(at, 'mcp', 'login', 'tracker', '--flow', 'device');
	await login.waitForLine('and enter this code');
	const code = await login.waitForLine(/^[A-Z]{4}-[A-Z]{4}$/u);
	await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
	expect((await login.end).code).toBe(0);

	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('tracker connected');
	expect(await runSluice(at, 'mcp', 'logout', 'tracker')).toMatchObject({
		code: 0,
		stdout: 'Logged out of tracker.\n',
		stderr: `The tokens were revoked at ${authorization.issuer}.\n`,
	});
	await gateway.waitForLine('tracker needs-login');
	expect(readdirSync(join(at.home, 'mcp-tokens'))).toEqual([]);
});

test('logging in again to all servers reports the result of each', async () => {
	const {at} = await open();
	const without = await startAuthorizationServer({features: {deviceFlow: {enabled: false}}});
	const other = await startProtectedServer({authorizationServers: () => [without.issuer], isValid: () => true});
	const home = stateDirectory({
		mcp_servers: {
			one: {url: other.url, auth: 'oauth'},
			two: {url: other.url, auth: 'oauth'},
			off: {url: other.url, auth: 'oauth', enabled: false},
			plain: {url: other.url},
		},
	});
	const {code, stdout} = await runSluice({...at, home}, 'mcp', 'reauth', '--all', '--flow', 'device');
	const rows = stdout.split('\n').filter(line => line.includes('device_login_unsupported'));
	expect([code, rows.map(row => row.split(/ +/u)[0])]).toEqual([1, ['one', 'two']]);
});
