import {describe, expect, onTestFinished, test} from 'vitest';
import {openOauthFetch} from '../../source/oauth/protocol/oauth-fetch.ts';
import {systemClock} from '../../source/util/clock.ts';
import {serve} from '../helpers/loopback.ts';
import {nameServer} from '../helpers/name-server.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {logIn, openObservedLogins} from './observed-logins.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {browse} from '../simulators/robot.ts';

describe('what a server may make Sluice ask', () => {
	const names: Readonly<Record<string, readonly string[]>> = {
		'mcp.example': ['93.184.216.34'],
		'evil.example': ['127.0.0.1'],
		'meta.example': ['169.254.169.254'],
		'lan.example': ['10.0.0.5'],
		localhost: ['127.0.0.1'],
	};

	async function openFor(serverUrl: string) {
		const opened = await openOauthFetch({
			clock: systemClock,
			serverUrl: new URL(serverUrl),
			tls: {verification: {kind: 'system'}},
			home: '/nowhere',
			lookup: nameServer(name => names[name]),
		});
		onTestFinished(opened.close);
		return opened.fetch;
	}

	test.each([
		'http://169.254.169.254/latest/meta-data',
		'https://169.254.169.254/',
		'https://[::1]/',
		'https://2130706433/',
		'https://0x7f000001/',
		'https://017700000001/',
		'https://[::ffff:127.0.0.1]/',
		'https://localhost/',
		'https://evil.example/',
		'https://meta.example/',
		'https://lan.example/',
		'https://10.0.0.5/',
		'http://mcp2.example/',
		'file:///etc/passwd',
	])('a server on the internet does not lead to %s', async address => {
		const fetch = await openFor('https://mcp.example/mcp');
		await expect(fetch(address)).rejects.toMatchObject({code: 'address_refused'});
	});

	test('a server in a private network leads into it, but not to this machine', async () => {
		const fetch = await openFor('https://lan.example/mcp');
		await expect(fetch('https://evil.example/')).rejects.toMatchObject({code: 'address_refused'});
		await expect(fetch('https://169.254.169.254/')).rejects.toMatchObject({code: 'address_refused'});
	});

	test('a server that only claims to be this machine by its name server is none', async () => {
		const {origin, requests} = await serve();
		const fetch = await openFor('https://evil.example/mcp');
		await expect(fetch(origin.replace('http:', 'https:'))).rejects.toMatchObject({code: 'address_refused'});
		expect(requests).toEqual([]);
	});

	test('loopback is for servers on loopback', async () => {
		const {origin, requests} = await serve();
		const fetch = await openFor('http://localhost/mcp');
		expect((await fetch(origin)).status).toBe(200);
		expect(requests).toHaveLength(1);
	});

	test.each([
		['link-local', 'http://169.254.169.254/latest/meta-data'],
		['a file', 'file:///etc/passwd'],
	])('`resource_metadata` that names %s ends the login', async (_, address) => {
		const server = await startProtectedServer({
			authorizationServers: () => [],
			isValid: () => false,
			challenge: () => `Bearer resource_metadata="${address}"`,
		});
		expect(await logIn(openObservedLogins(), server.url)).toMatchObject({
			kind: 'failed',
			problem: {code: 'address_refused'},
		});
	});

	test('metadata about another server ends the login before anyone is asked', async () => {
		const authorization = await startAuthorizationServer();
		const server = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: () => false,
			metadata: {resource: 'https://other.example/mcp'},
		});
		const end = await logIn(openObservedLogins(), server.url);
		expect(end).toMatchObject({kind: 'failed', problem: {code: 'issuer_mismatch'}});
		expect(authorization.requests).toEqual([]);
	});
});

describe('a redirect to another origin', () => {
	// That all five statuses are treated alike is a fact of the fetch, and tested there.
	const statuses = [302, 307];
	const paths = ['/.well-known/oauth-authorization-server', '/reg', '/token'];
	const cases = statuses.flatMap(status => paths.map(path => ({status, path})));

	test.each(cases)('with $status from $path carries nothing there, in the browser flow', async ({status, path}) => {
		const thief = await serve();
		const authorization = await startAuthorizationServer();
		authorization.intercept((request, response) => {
			if (request.path !== path) {
				return 'pass';
			}

			response.writeHead(status, {location: `${thief.origin}${path}`}).end();
			return 'answered';
		});
		const server = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: () => false,
		});
		const observed = openObservedLogins();
		const end = logIn(observed, server.url);
		if (path === '/token') {
			const {authorizationUrl = ''} = await observed.until(({state}) => state === 'awaiting-redirect');
			await browse(authorizationUrl);
		}

		expect(await end).toMatchObject({kind: 'failed'});
		expect(thief.requests).toEqual([]);
	});

	test.each(statuses)('with %i from the device endpoint carries nothing there', async status => {
		const thief = await serve();
		const authorization = await startAuthorizationServer();
		authorization.intercept(({path}, response) => {
			if (path !== '/device/auth') {
				return 'pass';
			}

			response.writeHead(status, {location: `${thief.origin}${path}`}).end();
			return 'answered';
		});
		const server = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: () => false,
		});
		expect(await logIn(openObservedLogins(), server.url, 'device')).toMatchObject({kind: 'failed'});
		expect(thief.requests).toEqual([]);
	});
});

describe('another authorization server than before', () => {
	test('gets nothing that the former one gave: the client registers again', async () => {
		const first = await startAuthorizationServer();
		const second = await startAuthorizationServer();
		let issuer = first.issuer;
		const server = await startProtectedServer({authorizationServers: () => [issuer], isValid: () => true});
		const observed = openObservedLogins();
		const through = async () => {
			observed.events.length = 0;
			const end = logIn(observed, server.url);
			const {authorizationUrl = ''} = await observed.until(({state}) => state === 'awaiting-redirect');
			await browse(authorizationUrl);
			return end;
		};

		await through();
		const before = await observed.store.read('one');
		issuer = second.issuer;
		expect(await through()).toEqual({kind: 'succeeded'});
		const sent = second.requests.map(({form, headers}) => `${form.toString()} ${headers.authorization ?? ''}`).join();
		for (const secret of [before?.client.client_id, before?.tokens.refresh_token, before?.tokens.access_token]) {
			expect(sent).not.toContain(secret);
		}
	});
});
