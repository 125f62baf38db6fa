import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {type ServerResponse} from 'node:http';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {hasLocalDisplay, openBrowser, tunnelCommand} from '../../source/oauth/flows/open-browser.ts';
import {serve} from '../helpers/loopback.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {logIn, openObservedLogins} from './observed-logins.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {confirmDevice} from '../simulators/robot.ts';

/** Metadata of a server that is not to be trusted, with members replaced. */
async function hostile(change: (origin: string) => Readonly<Record<string, unknown>>) {
	const {origin, requests} = await serve((_, response: ServerResponse) => {
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
		const observed = openObservedLogins({openBrowser: async url => void opened.push(url)});
		expect(await logIn(observed, server.url)).toMatchObject({kind: 'failed'});
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
		const observed = openObservedLogins();
		expect(await logIn(observed, server.url, 'device')).toMatchObject({kind: 'failed'});
		expect(observed.events.some(event => event.type === 'login.state' && event.verificationUri !== undefined)).toBe(
			false,
		);
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
		const read = () => vi.waitFor(() => readFileSync(record, 'utf8'), 10_000);

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

	test('over SSH there is a tunnel command', () => {
		const variables = {SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22', USER: 'robin'};
		expect([
			tunnelCommand(variables, 'http://127.0.0.1:27890/callback'),
			tunnelCommand(variables, 'https://me.example/callback'),
			tunnelCommand({}, 'http://127.0.0.1:27890/callback'),
		]).toEqual(['ssh -N -L 27890:127.0.0.1:27890 robin@10.0.0.2', undefined, undefined]);
	});
});

test('the device page is left to the person: nothing of Sluice opens it', async () => {
	const authorization = await startAuthorizationServer();
	const server = await startProtectedServer({authorizationServers: () => [authorization.issuer], isValid: () => true});
	const opened: string[] = [];
	const observed = openObservedLogins({openBrowser: async url => void opened.push(url)});
	void logIn(observed, server.url, 'device');
	const {verificationUriComplete = ''} = await observed.until(({state}) => state === 'awaiting-device');
	await confirmDevice(verificationUriComplete);
	expect(opened).toEqual([]);
});
