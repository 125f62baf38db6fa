import {describe, expect, test} from 'vitest';
import {createCredentials} from '../../source/oauth/tokens/credentials.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {browse, confirmDevice} from '../simulators/robot.ts';
import {loginTarget, openObservedLogins} from './observed-logins.ts';

type Options = Parameters<typeof loginTarget>[1];

async function open(oauth: Options = {}) {
	const authorization = await startAuthorizationServer();
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	const clock = createFakeClock();
	const observed = openObservedLogins({clock});
	const target = loginTarget(server.url, oauth);
	const start = () => observed.logins.start({target, challenge: undefined, document: 'try-again'});
	/** Refreshes as a request to the tool server does. */
	const refreshWith = async (more: Options) => {
		const refused = (await observed.store.read('one'))?.tokens.access_token;
		const credentials = createCredentials(loginTarget(server.url, {...oauth, ...more}), {clock, store: observed.store});
		await credentials.renew(refused, {insufficientScope: false});
	};
	const refresh = () => refreshWith({});
	/** The form of the last request to a path. */
	const form = (path: string) => authorization.requests.findLast(request => request.path === path)?.form;
	return {authorization, server, clock, observed, start, refresh, refreshWith, form};
}

async function browserLogin(oauth: Options = {}) {
	const parts = await open(oauth);
	const end = parts.start();
	const {authorizationUrl = ''} = await parts.observed.until(({state}) => state === 'awaiting-redirect');
	await browse(authorizationUrl);
	expect(await end).toEqual({kind: 'succeeded'});
	return {...parts, asked: new URL(authorizationUrl).searchParams};
}

async function deviceLogin(oauth: Options = {}) {
	const parts = await open({...oauth, flow: 'device'});
	const {observed, clock} = parts;
	const end = parts.start();
	const {verificationUriComplete = ''} = await observed.until(({state}) => state === 'awaiting-device');
	await confirmDevice(verificationUriComplete);
	await clock.advance(5000);
	expect(await end).toEqual({kind: 'succeeded'});
	return parts;
}

describe('the resource indicator', () => {
	test('goes with every request of a login and with a refresh', async () => {
		const browser = await browserLogin();
		const {url} = browser.server;
		expect([browser.asked.get('resource'), browser.form('/token')?.get('resource')]).toEqual([url, url]);
		await browser.refresh();
		expect(browser.form('/token')?.get('grant_type')).toBe('refresh_token');
		expect(browser.form('/token')?.get('resource')).toBe(url);
		const device = await deviceLogin();
		expect(device.form('/device/auth')?.get('resource')).toBe(device.server.url);
		expect(device.form('/token')?.get('resource')).toBe(device.server.url);
	});

	test('goes with none where it is switched off', async () => {
		const browser = await browserLogin({resource: 'left-out'});
		expect([browser.asked.has('resource'), browser.form('/token')?.has('resource')]).toEqual([false, false]);
		await browser.refresh();
		expect(browser.form('/token')?.get('grant_type')).toBe('refresh_token');
		expect(browser.form('/token')?.has('resource')).toBe(false);
		const device = await deviceLogin({resource: 'left-out'});
		expect(device.form('/device/auth')?.has('resource')).toBe(false);
		expect(device.form('/token')?.has('resource')).toBe(false);
	});

	test('is left out of a refresh when it was switched off after the login', async () => {
		const {refreshWith, form} = await browserLogin();
		await refreshWith({resource: 'left-out'});
		expect(form('/token')?.get('grant_type')).toBe('refresh_token');
		expect(form('/token')?.has('resource')).toBe(false);
	});
});

describe('parameters of the configuration', () => {
	const oauth = {
		authorizeParams: {audience: 'https://api.example', prompt: 'login', access_type: 'offline'},
		tokenParams: {audience: 'https://api.example', tenant: 'one & two'},
	};

	test('go with the address that a browser opens, and with the requests for tokens', async () => {
		const {asked, form, refresh} = await browserLogin(oauth);
		expect(Object.fromEntries(asked)).toMatchObject(oauth.authorizeParams);
		expect(asked.getAll('prompt')).toEqual(['login']);
		expect(Object.fromEntries(form('/token') ?? [])).toMatchObject({
			...oauth.tokenParams,
			grant_type: 'authorization_code',
		});
		expect(form('/token')?.has('access_type')).toBe(false);
		await refresh();
		expect(Object.fromEntries(form('/token') ?? [])).toMatchObject({
			...oauth.tokenParams,
			grant_type: 'refresh_token',
		});
	});

	test('go with a device login', async () => {
		const {form} = await deviceLogin(oauth);
		expect(Object.fromEntries(form('/device/auth') ?? [])).toMatchObject(oauth.authorizeParams);
		expect(form('/device/auth')?.has('tenant')).toBe(false);
		expect(Object.fromEntries(form('/token') ?? [])).toMatchObject(oauth.tokenParams);
	});
});
