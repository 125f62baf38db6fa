import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {login, server, started} from './sample-events.ts';

const needsLogin = server('linear', {state: 'needs-login', transport: 'http'});
const browser = login('figma', {
	flow: 'browser',
	state: 'awaiting-redirect',
	verificationUri: undefined,
	userCode: undefined,
	authorizationUrl: `https://auth.example.com/authorize?client_id=${'x'.repeat(90)}`,
});

async function openLogin(...events: ReadonlyArray<ReturnType<typeof login>>) {
	const dashboard = await openDashboard({events: [started(), needsLogin, ...events]});
	await dashboard.press('L');
	await dashboard.shows('Login linear');
	return dashboard;
}

describe('a login page offers a login only where one can begin', () => {
	const offer = 'Log in to linear:';
	const startKeys = ['a', 'b', '\r'];
	const connected = server('linear', {transport: 'http', login: 'configured'});

	async function startsNothing({press, sent, terminal}: Awaited<ReturnType<typeof openLogin>>) {
		const before = [...sent];
		for (const key of startKeys) {
			await press(key);
		}

		expect(sent).toEqual(before);
		expect((await terminal.rows()).at(-1)).not.toMatch(/log in|code|browser/u);
	}

	test('not between the key and the first news of the gateway', async () => {
		const dashboard = await openLogin();
		await dashboard.shows(offer);
		await dashboard.press('a');
		await dashboard.shows('The login to linear is being started.');
		await dashboard.hides(offer);
		await startsNothing(dashboard);
		expect(dashboard.sent).toHaveLength(1);
		await dashboard.dispatch(login('linear'));
		await dashboard.shows('WDJB-MJHT');
	});

	test.each(['discovering', 'awaiting-device', 'exchanging'] as const)('not while it is %s', async state => {
		const dashboard = await openLogin(login('linear', {state}));
		await dashboard.hides(offer);
		await dashboard.press('a');
		await dashboard.press('\r');
		expect(dashboard.sent).toEqual([]);
	});

	test('not before the server has used one that succeeded, nor once it is connected', async () => {
		const dashboard = await openLogin(login('linear', {state: 'succeeded'}));
		await dashboard.shows('linear uses this login when it connects.');
		await dashboard.hides(offer);
		await startsNothing(dashboard);
		await dashboard.dispatch(connected);
		await dashboard.shows('linear is connected: no login is needed. To log in again:');
		await dashboard.shows('sluice mcp reauth linear');
		await startsNothing(dashboard);
	});

	test('not while the connection with the gateway is lost', async () => {
		const dashboard = await openLogin();
		await dashboard.dispatch({type: 'view.console', state: 'lost', reason: 'No gateway is running', since: 0});
		await dashboard.shows('no connection with the gateway: no login starts here');
		await dashboard.hides(offer);
		await startsNothing(dashboard);
	});

	test('again once the gateway has refused it, with the reason, and then arms again', async () => {
		const {press, sent, shows, hides, refuse} = await openLogin();
		await press('a');
		await hides(offer);
		await refuse('mcp.login', 'config.yaml cannot be written');
		await shows('refused: config.yaml cannot be written');
		await shows(offer);
		await press('a');
		await hides('refused:');
		expect(sent).toHaveLength(2);
	});

	test('again once what it waited for is gone with the connection', async () => {
		const {press, shows, dispatch} = await openLogin();
		await press('a');
		await shows('is being started');
		await dispatch({type: 'view.console', state: 'lost', reason: 'No gateway is running', since: 0});
		await dispatch({type: 'view.console', state: 'attached', number: 1, pid: 4712, mode: 'deciding'});
		await shows(offer);
	});
});

test('an address that is refused is said on the page until the next one is pasted', async () => {
	const {press, shows, hides, refuse} = await openDashboard({events: [started(), server('figma'), browser]});
	const paste = async (address: string) => {
		await press('v');
		await shows('address:');
		await press(address);
		await shows(address);
		await press('\r');
	};

	await press('L');
	await paste('http://127.0.0.1:1/callback?code=1');
	await refuse('mcp.login.finish', 'That address belongs to another login');
	await shows('refused: That address belongs to another login');
	await paste('http://127.0.0.1:1/callback?code=2');
	await hides('refused:');
});
