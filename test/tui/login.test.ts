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

describe('before a login', () => {
	test.each([
		['\r', {}],
		['a', {flow: 'device'}],
		['b', {flow: 'browser'}],
	])('%j starts it', async (key, flow) => {
		const {press, sent, shows} = await openLogin();
		await shows('Log in to linear:');
		await press(key);
		expect(sent).toEqual([
			{method: 'mcp.login', params: {server: 'linear', ...flow, document: 'try-again'}, profile: 'default'},
		]);
	});

	test('nothing starts by opening the page', async () => {
		const {sent} = await openLogin();
		expect(sent).toEqual([]);
	});
});

describe('a login with a code', () => {
	test('shows the code, its state and when it expires', async () => {
		const {shows} = await openLogin(login('linear'));
		for (const text of ['WDJB-MJHT', 'waits for code', 'expires in 1', 'asked 3 times']) {
			await shows(text);
		}
	});

	test('has its address alone on its line, from the first column', async () => {
		const {terminal, shows} = await openDashboard({events: [started(), needsLogin], columns: 60}).then(
			async dashboard => {
				await dashboard.dispatch(
					login('linear', {verificationUri: 'https://auth.example.com/device/with/a/longer/path'}),
				);
				await dashboard.press('L');
				return dashboard;
			},
		);
		await shows('WDJB');
		expect(await terminal.rows()).toContain('https://auth.example.com/device/with/a/longer/path');
	});

	test('has a code for cameras where there is room', async () => {
		const {shows} = await openLogin(login('linear'));
		await shows('█▀▀▀▀▀');
	});

	test('copies address and code by the terminal, and shows what it copied', async () => {
		const {press, shows, terminal} = await openLogin(login('linear'));
		await press('c');
		await shows('copied: https://auth.example.com/device');
		await press('C');
		await shows('copied: WDJB-MJHT');
		expect(terminal.written()).toContain(`\u001B]52;c;${Buffer.from('WDJB-MJHT').toString('base64')}\u0007`);
	});

	test('is cancelled by x', async () => {
		const {press, sent} = await openLogin(login('linear'));
		await press('x');
		expect(sent).toEqual([{method: 'mcp.login.cancel', params: {server: 'linear'}, profile: 'default'}]);
	});

	test('that failed says why and can be started again', async () => {
		const {shows} = await openLogin(login('linear', {state: 'failed', reason: 'access_denied'}));
		await shows('access_denied');
		await shows('Log in to linear:');
	});
});

describe('a login with a browser', () => {
	test('takes the address the browser was sent to', async () => {
		const {press, sent, shows} = await openDashboard({events: [started(), server('figma'), browser]});
		await press('L');
		await shows('open in a browser');
		await press('v');
		await shows('address:');
		await press('http://127.0.0.1:1/callback?code=1');
		await shows('code=1');
		await press('\r');
		expect(sent).toEqual([
			{
				method: 'mcp.login.finish',
				params: {server: 'figma', redirect_url: 'http://127.0.0.1:1/callback?code=1'},
				profile: 'default',
			},
		]);
	});

	test('splits a long address without a frame', async () => {
		const {press, shows, terminal} = await openDashboard({events: [started(), server('figma'), browser]});
		await press('L');
		await shows('open in a browser');
		const rows = await terminal.rows();
		const start = rows.findIndex(row => row.startsWith('https://auth.example.com/authorize'));
		expect(rows[start]! + rows[start + 1]!).toBe(
			`https://auth.example.com/authorize?client_id=${'x'.repeat(90)}`.slice(0, 160),
		);
	});
});

test('the list has all logins, and Enter opens one', async () => {
	const {press, shows} = await openDashboard({events: [started(), login('linear'), browser]});
	await press('W');
	await press('L');
	await shows('Logins · 2');
	await shows('waits for browser');
	await press('j');
	await press('\r');
	await shows('Login figma · 2 of 2');
});

describe('at 40x10', () => {
	async function openSmall() {
		const dashboard = await openDashboard({
			events: [
				started(),
				server('linear'),
				login('linear', {verificationUriComplete: 'https://auth.example.com/device?user_code=WDJB-MJHT'}),
			],
			columns: 40,
			rows: 10,
		});
		await dashboard.press('L');
		await dashboard.shows('WDJB-MJHT');
		return dashboard;
	}

	test('address, code and time left of a login are above the fold', async () => {
		const {terminal} = await openSmall();
		const rows = await terminal.rows();
		expect(rows.some(row => /waits for code · 14:\d\d left/u.test(row))).toBe(true);
		expect(rows).toEqual(
			expect.arrayContaining([
				'https://auth.example.com/device',
				' type  WDJB-MJHT',
				'https://auth.example.com/device?user_cod',
				'e=WDJB-MJHT',
			]),
		);
	});

	test('? shows the keys, and Esc leads back to the login', async () => {
		const {press, shows, hides} = await openSmall();
		await press('?');
		await shows('Keys');
		await press('\u001B');
		await hides('Keys');
		await shows('WDJB-MJHT');
	});
});

test.each([{rows: 24}, {rows: 50}])('the address with the code in it stands as text in %j', async ({rows}) => {
	const {press, shows} = await openDashboard({
		events: [
			started(),
			server('linear'),
			login('linear', {verificationUriComplete: 'https://auth.example.com/device?user_code=WDJB-MJHT'}),
		],
		rows,
	});
	await press('L');
	await shows('https://auth.example.com/device?user_code=WDJB-MJHT');
});

test('cancel leaves the line for the address without sending anything', async () => {
	const {press, sent, shows} = await openDashboard({events: [started(), server('figma'), browser]});
	await press('L');
	await press('v');
	await shows('address:');
	await press('cancel');
	await shows('address: cancel');
	await press('\r');
	await shows('open in a browser');
	expect(sent).toEqual([]);
});

describe('a server that is configured without a login', () => {
	const refusing = server('tracker', {
		transport: 'http',
		state: 'failed',
		login: 'asked-for',
		reason: 'The server answered 401',
	});

	test.each([
		['\r', {}],
		['a', {flow: 'device'}],
		['b', {flow: 'browser'}],
	])('gets one by %j on its login screen, which says so', async (key, flow) => {
		const {press, sent, shows} = await openDashboard({events: [started(), refusing]});
		await press('L');
		await shows('Each of these keys sets `auth: oauth`.');
		expect(sent).toEqual([]);
		await press(key);
		expect(sent).toEqual([{method: 'mcp.login.switch', params: {server: 'tracker', ...flow}, profile: 'default'}]);
	});

	test('gets none in a read-only dashboard', async () => {
		const {press, sent, shows} = await openDashboard({events: [started(), refusing], settings: {readOnly: true}});
		await press('L');
		await press('a');
		await shows('read-only');
		expect(sent).toEqual([]);
	});

	test('is picked as soon as it was added and refused the first request, and its login named', async () => {
		const {press, shows, dispatch} = await openDashboard({events: [started(), server('zebra')]});
		await press('a');
		await press('tracker');
		await shows('tracker');
		await press('\r');
		await shows('command or address');
		await press('https://mcp.example.com/mcp');
		await shows('example.com');
		await press('\r');
		await shows('adding tracker');
		await dispatch(refusing);
		await shows('tracker needs a login: L logs in');
		await press('L');
		await shows('Log in to tracker:');
	});

	test('has none to get when it is a local program', async () => {
		const {press, shows, sent} = await openDashboard({events: [started(), server('files')]});
		await press('L');
		await shows('files is a local program: it needs no login');
		expect(sent).toEqual([]);
	});
});
