import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, readState, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {confirmDevice} from '../simulators/robot.ts';

async function open() {
	const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	return {authorization, server, home: stateDirectory({})};
}

function entryOf(home: string): unknown {
	const config: unknown = parse(readState(home, 'config.yaml'));
	return config && typeof config === 'object' && 'mcp_servers' in config ? config.mcp_servers : undefined;
}

test('from nothing to a connected server behind a login, at 40x10', async () => {
	const {authorization, server, home} = await open();
	const gateway = startSluice({home}, 'gateway', 'run');
	await gateway.waitForLine('listening at');
	const args = ['mcp', 'add', 'tracker', server.url, '--auth', 'oauth', '--flow', 'device', '--scope', 'read'];
	const terminal = openDashboard({home}, {columns: 40, rows: 10, args});
	await terminal.waitFor('Log in now? [Y/n]');
	terminal.press('\r');
	// The countdown has run for a while, and nothing has scrolled away.
	await terminal.waitFor(/\d:\d\d left, asked 2 times/u);
	const screen = terminal.screen();
	expect(screen).toContain(`${authorization.issuer}/device`);
	const code = screen.find(line => /^[A-Z]{4}-[A-Z]{4}$/u.test(line)) ?? '';
	expect(code).not.toBe('');

	await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
	await terminal.waitFor('Logged in to tracker.');
	await terminal.waitFor(/Which of them\?/u);
	terminal.press('\r');
	await terminal.waitFor('Added tracker.');
	expect(await terminal.exit).toBe(0);
	expect(entryOf(home)).toEqual({
		tracker: {url: server.url, auth: 'oauth', oauth: {flow: 'device', scope: 'read'}, trust: 'untrusted'},
	});
	await gateway.waitForLine('tracker connected');
	expect(await runSluiceJson({home}, 'mcp', 'list')).toMatchObject([{name: 'tracker', state: 'connected', tools: 1}]);
	expect(authorization.requests.find(({path}) => path === '/device/auth')?.form.get('scope')).toBe('read');
});

test('a server that answers 401 is recognised, and its login offered', async () => {
	const {authorization, server, home} = await open();
	const terminal = openDashboard({home}, {args: ['mcp', 'add', 'tracker', server.url]});
	await terminal.waitFor('it needs a login');
	await terminal.waitFor('a on any device, with a code');
	terminal.press('a\r');
	await terminal.waitFor(/left/u);
	const code = terminal.screen().find(line => /^[A-Z]{4}-[A-Z]{4}$/u.test(line)) ?? '';
	await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
	await terminal.waitFor('Which of them?');
	terminal.press('\r');
	expect(await terminal.exit).toBe(0);
	expect(entryOf(home)).toMatchObject({tracker: {auth: 'oauth', oauth: {flow: 'device'}}});
	expect(await runSluiceJson({home}, 'mcp', 'test', 'tracker')).toMatchObject({state: 'connected'});
});

test('a login that is broken off leaves nothing behind', async () => {
	const {authorization, server, home} = await open();
	const terminal = openDashboard({home}, {args: ['mcp', 'add', 'tracker', server.url]});
	await terminal.waitFor('a on any device, with a code');
	terminal.press('a\r');
	await terminal.waitFor(/left/u);
	const code = terminal.screen().find(line => /^[A-Z]{4}-[A-Z]{4}$/u.test(line)) ?? '';
	await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
	await terminal.waitFor('Which of them?');
	expect(readState(home, 'mcp-tokens/tracker.json')).not.toBe('');
	terminal.press('\u0003');
	await terminal.waitFor('Nothing was changed');
	expect([await terminal.exit, readState(home, 'mcp-tokens/tracker.json'), entryOf(home)]).toEqual([1, '', undefined]);
});

test('without a terminal a login that was announced is left for later, and one that was not is named', async () => {
	const {server, home} = await open();
	expect(await runSluice({home}, 'mcp', 'add', 'tracker', server.url)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('--auth oauth adds it with a login'),
	});
	expect(await runSluice({home}, 'mcp', 'add', 'tracker', server.url, '--auth', 'oauth')).toMatchObject({
		code: 0,
		stdout: 'Added tracker.\nIt is not logged in: sluice mcp login tracker\n',
	});
});

test.each([
	['through the running gateway', 'running'],
	['without a gateway', 'none'],
] as const)('`mcp login` offers to switch a server to oauth and logs in, %s', async (_, gatewayIs) => {
	const {authorization, server} = await open();
	const home = stateDirectory({mcp_servers: {tracker: {url: server.url}}});
	const gateway = gatewayIs === 'running' ? startSluice({home}, 'gateway', 'run') : undefined;
	await gateway?.waitForLine('tracker failed');
	const terminal = openDashboard({home}, {args: ['mcp', 'login', 'tracker']});
	await terminal.waitFor('a on any device, with a code');
	expect(entryOf(home)).toEqual({tracker: {url: server.url}});
	terminal.press('d\r');
	await terminal.waitFor(/left/u);
	const code = terminal.screen().find(line => /^[A-Z]{4}-[A-Z]{4}$/u.test(line)) ?? '';
	await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
	await terminal.waitFor('Logged in to tracker.');
	expect(await terminal.exit).toBe(0);
	expect(entryOf(home)).toEqual({tracker: {url: server.url, auth: 'oauth', oauth: {flow: 'device'}}});
	await gateway?.waitForLine('tracker connected');
});

test('nothing is switched to oauth where a person says no, or nobody can be asked', async () => {
	const {server} = await open();
	const home = stateDirectory({mcp_servers: {tracker: {url: server.url}}});
	const terminal = openDashboard({home}, {args: ['mcp', 'login', 'tracker']});
	await terminal.waitFor('n not now');
	terminal.press('n\r');
	await terminal.waitFor('Nothing was changed');
	expect(await terminal.exit).toBe(1);
	expect(await runSluice({home}, 'mcp', 'login', 'tracker')).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/configured without `auth: oauth`\n.*`sluice .*mcp login tracker --yes`/u),
	});
	expect(entryOf(home)).toEqual({tracker: {url: server.url}});
});
