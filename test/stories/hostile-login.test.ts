import {type ServerResponse} from 'node:http';
import {aroundEach, expect, test} from 'vitest';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {serve} from '../helpers/loopback.ts';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, stateDirectory} from '../helpers/sluice.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {evil, raw, seen} from './hostile-words.ts';

aroundEach(inOwnContext);

/** An authorization server whose every text tries to act on the terminal that shows it. */
async function open() {
	const state = {denies: false};
	const {origin} = await serve((request, response: ServerResponse) => {
		const {pathname} = new URL(request.url ?? '/', 'http://localhost');
		const isDenied = pathname === '/token';
		response.writeHead(isDenied ? 400 : 200, {'content-type': 'application/json'});
		response.end(JSON.stringify(isDenied ? denial(state.denies) : {...metadata(origin), ...offer(origin)}));
	});
	const server = await startProtectedServer({authorizationServers: () => [origin], isValid: () => false});
	const library = {url: server.url, auth: 'oauth'};
	return {at: {home: stateDirectory({mcp_servers: {library, [`zoo${evil}`]: library}})}, state};
}

const metadata = (origin: string) => ({
	issuer: origin,
	authorization_endpoint: `${origin}/authorize/${evil}`,
	token_endpoint: `${origin}/token`,
	registration_endpoint: `${origin}/register`,
	device_authorization_endpoint: `${origin}/device_authorization`,
	response_types_supported: ['code'],
	code_challenge_methods_supported: ['S256'],
	token_endpoint_auth_methods_supported: ['none'],
	client_id: 'x',
	redirect_uris: [],
});

const offer = (origin: string) => ({
	device_code: 'd',
	user_code: `WXYZ${evil}`,
	verification_uri: `${origin}/device/${evil}`,
	expires_in: 300,
	interval: 1,
});

const denial = (denies: boolean) =>
	denies ? {error: `refused${evil}`, error_description: `because${evil}`} : {error: 'authorization_pending'};

/** The form of the server's address: everything that is no plain sign is written in hexadecimal digits. */
const address = '%1B]0;owned%07%C2%9B2J%E2%80%AEevil%E2%81%A6%E2%80%8B';

const size = {columns: 159, rows: 40};

test.concurrent.each(dashboardWays)(
	'nothing that a server or its authorization server sends for a device login controls the terminal, and all of it is visible (gateway: %s)',
	async way => {
		const {at, state} = await open();
		const dashboard = await openDashboardIn(way, at, size);
		await dashboard.waitFor(/✖ zoo␛\]0;owned/);
		await dashboard.waitFor(/◇ library +needs login/);
		await pressUntil(dashboard, 'L', 'Log in to library');
		dashboard.press('a');
		await dashboard.waitFor(`and type   WXYZ${seen}`);
		expect(dashboard.screen().join('\n')).toContain(`/device/${address}`);
		state.denies = true;
		await dashboard.waitFor(`The authorization server answered refused${seen}: because${seen}`);
		dashboard.press('\u001B');
		// Only the list offers this. Escape and 4 read at once would be Alt-4.
		await dashboard.waitFor(/q (?:quit|leave)/u);
		dashboard.press('W');
		await dashboard.waitFor('─ W Log');
		dashboard.press('L');
		await dashboard.waitFor(/✖ library +failed +device +The authorization server answered refused␛/);
		dashboard.kill('SIGTERM');
		await dashboard.exit;
		expect(dashboard.bytes()).not.toMatch(raw);
	},
	40_000,
);

test.concurrent.each(dashboardWays)(
	'nothing that they send for a browser login controls the terminal, and all of it is visible (gateway: %s)',
	async way => {
		const {at} = await open();
		const dashboard = await openDashboardIn(way, at, size);
		await dashboard.waitFor(/◇ library +needs login/);
		await pressUntil(dashboard, 'L', 'Log in to library');
		dashboard.press('b');
		await dashboard.waitFor('returns to');
		const shown = dashboard.screen().join('');
		expect(shown).toContain(`/authorize/${address}?response_type=code`);
		const [, state = ''] = /&state=([\w-]{43})/u.exec(shown) ?? [];
		const [callback = ''] = /http:\/\/127\.0\.0\.1:\d+\/callback/u.exec(shown) ?? [];
		const answer = new URLSearchParams({state, error: `refused${evil}`, error_description: `because${evil}`});
		await fetch(`${callback}?${answer.toString()}`);
		await dashboard.waitFor(`The authorization server answered refused${seen}: because${seen}`);
		dashboard.press('\u001B');
		dashboard.kill('SIGTERM');
		await dashboard.exit;
		expect(dashboard.bytes()).not.toMatch(raw);
	},
	40_000,
);

test('nothing that they send controls the terminal of `sluice mcp login`', async () => {
	const {at, state} = await open();
	const terminal = openDashboard(at, {...size, args: ['mcp', 'login', 'library', '--flow', 'device']});
	await terminal.waitFor(`WXYZ${seen}`);
	await terminal.waitFor(`/device/${address}`);
	state.denies = true;
	await terminal.waitFor(`refused${seen}: because${seen}`);
	expect(await terminal.exit).toBe(1);
	expect(terminal.bytes()).not.toMatch(raw);
	const {stdout, stderr} = await runSluice(at, 'mcp', 'list');
	expect(stdout + stderr).toContain(`zoo${seen.slice(0, 8)}`);
	expect(stdout + stderr).not.toMatch(raw);
}, 40_000);
