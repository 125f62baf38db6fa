import {createServer, type IncomingMessage, type RequestListener, type ServerResponse} from 'node:http';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type Lookup} from '../../source/net/address-guard.ts';
import {openOauthFetch} from '../../source/oauth/oauth-fetch.ts';
import {hasLocalDisplay, openBrowser} from '../../source/oauth/open-browser.ts';
import {tunnelCommand} from '../../source/oauth/tunnel-command.ts';
import {systemClock} from '../../source/util/clock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {startAuthorizationServer} from './authorization-server.ts';
import {type LoginDesk, loginTarget, openLoginDesk} from './login-desk.ts';
import {startProtectedServer} from './protected-server.ts';
import {browse, confirmDevice} from './robot.ts';

type Listening = {readonly origin: string; readonly requests: IncomingMessage[]};

/** Anything that listens on loopback, and what reached it. */
async function listen(handle: RequestListener = (_, response) => void response.end('{}')): Promise<Listening> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		handle(request, response);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	return {origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, requests};
}

/** A name server by a table; every other name is unknown. */
function lookupOf(table: Readonly<Record<string, readonly string[]>>): Lookup {
	const lookup = (name: string, _: unknown, callback: (error: Error | null, addresses: object[]) => void) => {
		const addresses = table[name];
		callback(
			addresses ? null : new Error('unknown name'),
			(addresses ?? []).map(address => ({address, family: address.includes(':') ? 6 : 4})),
		);
	};
	return lookup as unknown as Lookup;
}

function logIn(desk: LoginDesk, url: string, flow: 'browser' | 'device' = 'browser') {
	return desk.logins.start({target: loginTarget(url, {flow}), challenge: undefined, document: 'try-again'});
}

/** Metadata of a server that is not to be trusted, with members replaced. */
async function hostile(change: (origin: string) => Readonly<Record<string, unknown>>) {
	const {origin, requests} = await listen((_, response: ServerResponse) => {
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				issuer: origin,
				authorization_endpoint: `${origin}/auth`,
				token_endpoint: `${origin}/token`,
				registration_endpoint: `${origin}/reg`,
				device_authorization_endpoint: `${origin}/device`,
				response_types_supported: ['code'],
				...change(origin),
			}),
		);
	});
	const server = await startProtectedServer({authorizationServers: () => [origin], isValid: () => false});
	return {server, requests};
}

const addresses = [
	'file:///etc/passwd',
	'javascript:alert(1)',
	'cmd.exe /c calc',
	'$(touch /tmp/owned)',
	'`id`',
	'-a Calculator',
	'http:',
	'',
];

describe('endpoints that are no web addresses', () => {
	const endpoints = [
		'authorization_endpoint',
		'token_endpoint',
		'registration_endpoint',
		'device_authorization_endpoint',
	];
	const cases = [
		...addresses.map(address => ({endpoint: 'authorization_endpoint', address})),
		...endpoints.slice(1).map(endpoint => ({endpoint, address: 'file:///etc/passwd'})),
	];

	test.each(cases)('$endpoint: $address', async ({endpoint, address}) => {
		const opened: string[] = [];
		const {server, requests} = await hostile(() => ({[endpoint]: address}));
		const desk = openLoginDesk({openBrowser: async url => void opened.push(url)});
		expect(await logIn(desk, server.url)).toMatchObject({kind: 'failed'});
		expect(opened).toEqual([]);
		expect(requests.every(({method}) => method === 'GET')).toBe(true);
	});
});

describe('a verification address that is no web address is not shown', () => {
	test.each(['javascript:alert(1)', 'file:///etc/passwd'])('%s', async address => {
		const {server} = await hostile(origin => ({
			token_endpoint_auth_methods_supported: ['none'],
			client_id: 'x',
			redirect_uris: [],
			device_code: 'd',
			user_code: 'u',
			verification_uri: address,
			expires_in: 60,
			registration_endpoint: `${origin}/reg`,
		}));
		const desk = openLoginDesk();
		expect(await logIn(desk, server.url, 'device')).toMatchObject({kind: 'failed'});
		expect(desk.events.some(event => event.type === 'login.state' && event.verificationUri !== undefined)).toBe(false);
	});
});

describe('opening a browser', () => {
	/** A program that writes down how it was started. */
	function recorder() {
		const directory = temporaryDirectory();
		const program = join(directory, 'xdg-open');
		const record = join(directory, 'record');
		writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${record}.new && mv ${record}.new ${record}\n`);
		chmodSync(program, 0o700);
		const read = async () => {
			for (let tries = 0; tries < 200; tries++) {
				try {
					return readFileSync(record, 'utf8');
				} catch {
					await new Promise(resolve => setTimeout(resolve, 10));
				}
			}

			return '';
		};

		return {variables: {PATH: `${directory}:/usr/bin:/bin`, DISPLAY: ':0'}, read};
	}

	test.skipIf(process.platform !== 'linux')(
		'hands the address over as one argument, whatever stands in it',
		async () => {
			const {variables, read} = recorder();
			await openBrowser("https://example.com/a?b=$(id)&c=';reboot;'", variables);
			expect(await read()).toBe('1\nhttps://example.com/a?b=$(id)&c=%27;reboot;%27\n');
		},
	);

	test.each([...addresses, 'ftp://example.com/', `https://example.com/${'a'.repeat(9000)}`])(
		'is refused for %s',
		async address => {
			await expect(openBrowser(address, {PATH: '/nonexistent'})).rejects.toMatchObject({code: 'login_failed'});
		},
	);

	test('without a program is an error and nothing else', async () => {
		await expect(openBrowser('https://example.com/', {PATH: '/nonexistent'})).rejects.toThrow();
	});

	test.each<[Record<string, string>, NodeJS.Platform, boolean]>([
		[{DISPLAY: ':0'}, 'linux', true],
		[{WAYLAND_DISPLAY: 'wayland-0'}, 'linux', true],
		[{}, 'linux', false],
		[{}, 'darwin', true],
		[{DISPLAY: ':10', SSH_CONNECTION: 'a 1 b 22'}, 'linux', false],
		[{SSH_TTY: '/dev/pts/1'}, 'darwin', false],
	])('%j on %s: a local display is %s', (variables, platform, expected) => {
		expect(hasLocalDisplay(variables, platform)).toBe(expected);
	});

	test('over SSH the tunnel command is told', () => {
		const variables = {SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22', USER: 'robin'};
		expect([
			tunnelCommand(variables, 'http://127.0.0.1:27890/callback'),
			tunnelCommand(variables, 'https://me.example/callback'),
			tunnelCommand({}, 'http://127.0.0.1:27890/callback'),
		]).toEqual(['ssh -N -L 27890:127.0.0.1:27890 robin@10.0.0.2', undefined, undefined]);
	});
});

describe('what a server may make Sluice ask', () => {
	const names = {
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
			lookup: lookupOf(names),
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
		const {origin, requests} = await listen();
		const fetch = await openFor('https://evil.example/mcp');
		await expect(fetch(origin.replace('http:', 'https:'))).rejects.toMatchObject({code: 'address_refused'});
		expect(requests).toEqual([]);
	});

	test('loopback is for servers on loopback', async () => {
		const {origin, requests} = await listen();
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
		expect(await logIn(openLoginDesk(), server.url)).toMatchObject({
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
		const end = await logIn(openLoginDesk(), server.url);
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
		const thief = await listen();
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
		const desk = openLoginDesk();
		const end = logIn(desk, server.url);
		if (path === '/token') {
			const {authorizationUrl = ''} = await desk.until(({state}) => state === 'awaiting-redirect');
			await browse(authorizationUrl);
		}

		expect(await end).toMatchObject({kind: 'failed'});
		expect(thief.requests).toEqual([]);
	});

	test.each(statuses)('with %i from the device endpoint carries nothing there', async status => {
		const thief = await listen();
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
		expect(await logIn(openLoginDesk(), server.url, 'device')).toMatchObject({kind: 'failed'});
		expect(thief.requests).toEqual([]);
	});
});

describe('another authorization server than before', () => {
	test('gets nothing that the former one gave: the client registers anew', async () => {
		const first = await startAuthorizationServer();
		const second = await startAuthorizationServer();
		let issuer = first.issuer;
		const server = await startProtectedServer({authorizationServers: () => [issuer], isValid: () => true});
		const desk = openLoginDesk();
		const through = async () => {
			desk.events.length = 0;
			const end = logIn(desk, server.url);
			const {authorizationUrl = ''} = await desk.until(({state}) => state === 'awaiting-redirect');
			await browse(authorizationUrl);
			return end;
		};

		await through();
		const before = await desk.store.read('one');
		issuer = second.issuer;
		expect(await through()).toEqual({kind: 'succeeded'});
		const sent = second.requests.map(({form, headers}) => `${form.toString()} ${headers.authorization ?? ''}`).join();
		for (const secret of [before?.client.client_id, before?.tokens.refresh_token, before?.tokens.access_token]) {
			expect(sent).not.toContain(secret);
		}
	});
});

test('the device page is left to the person: nothing of Sluice opens it', async () => {
	const authorization = await startAuthorizationServer();
	const server = await startProtectedServer({authorizationServers: () => [authorization.issuer], isValid: () => true});
	const opened: string[] = [];
	const desk = openLoginDesk({openBrowser: async url => void opened.push(url)});
	void logIn(desk, server.url, 'device');
	const {verificationUriComplete = ''} = await desk.until(({state}) => state === 'awaiting-device');
	await confirmDevice(verificationUriComplete);
	expect(opened).toEqual([]);
});
