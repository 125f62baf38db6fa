import {describe, expect, test} from 'vitest';
import {countdownText, loginText} from '../../../source/commands/mcp/login-text.ts';
import {type LoginState} from '../../../source/state/person-event.ts';

const device: LoginState = {
	type: 'login.state',
	server: 'tracker',
	state: 'awaiting-device',
	flow: 'device',
	verificationUri: 'https://as.example/device',
	verificationUriComplete: 'https://as.example/device?user_code=ABCD-EFGH',
	userCode: 'ABCD-EFGH',
	expiresAt: 0,
};

const redirect: LoginState = {
	type: 'login.state',
	server: 'tracker',
	state: 'awaiting-redirect',
	flow: 'browser',
	authorizationUrl: 'https://as.example/auth?state=x',
	redirectUri: 'http://127.0.0.1:27890/callback',
	expiresAt: 0,
};

const lines = (text: string) => text.split('\n');
const hasPicture = (text: string) => /[█▀▄]/u.test(text);

describe('a device login', () => {
	test('has address and code alone on their lines', () => {
		expect(lines(loginText(device, undefined))).toEqual(
			expect.arrayContaining(['https://as.example/device', 'ABCD-EFGH']),
		);
	});

	test.each([
		[undefined, false],
		[{columns: 80, rows: 24}, false],
		[{columns: 20, rows: 60}, false],
		[{columns: 80, rows: 60}, true],
	])('at %j shows a picture: %s', (size, expected) => {
		expect(hasPicture(loginText(device, size))).toBe(expected);
	});
});

describe('a browser login', () => {
	test('has the address alone on its line, and says that it can be pasted back', () => {
		const text = loginText(redirect, undefined);
		expect(lines(text)).toContain('https://as.example/auth?state=x');
		expect(text).toContain('paste the address it ended up at');
	});

	test('has the tunnel command alone on its line for a person who came over SSH', () => {
		const tunnelCommand = 'ssh -N -L 27890:127.0.0.1:27890 robin@host';
		expect(lines(loginText({...redirect, tunnelCommand}, undefined))).toContain(tunnelCommand);
	});
});

describe('at 40x10 a device login', () => {
	const size = {columns: 40, rows: 10};
	const rows = (text: string) =>
		lines(text.trimEnd()).reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / size.columns)), 0);

	test('has address and code on the screen together with the countdown', () => {
		const text = loginText(device, size);
		expect(lines(text)).toEqual(expect.arrayContaining(['https://as.example/device', 'ABCD-EFGH']));
		expect(rows(text)).toBeLessThan(size.rows);
	});

	test.each(['', '/realms/a-long-name/of/a/tenant', '/x'.repeat(80)])(
		'has them with an address that ends in %j',
		end => {
			const verificationUri = `https://as.example/device${end}`;
			const text = loginText({...device, verificationUri, verificationUriComplete: `${verificationUri}?c=1`}, size);
			expect(lines(text)).toEqual(expect.arrayContaining([verificationUri, 'ABCD-EFGH']));
			expect(rows(text)).toBeLessThan(size.rows);
		},
	);

	test.each([
		[20, 3],
		[40, 3],
		[40, 123],
		[41, 3],
		[80, 1234],
	])('counts down on one line of %s columns', (columns, polls) => {
		const text = countdownText({...device, expiresAt: 299_000, polls}, {now: 0, columns});
		expect(text).toContain('4:59 left');
		expect(text.length).toBeLessThan(columns);
	});
});

test('the address with the code in it stands as text beside the picture', () => {
	for (const size of [undefined, {columns: 40, rows: 10}, {columns: 80, rows: 60}]) {
		expect(lines(loginText(device, size))).toContain('https://as.example/device?user_code=ABCD-EFGH');
	}
});

test('the picture sets its own colours, so that a camera reads it on a light terminal too', () => {
	const picture = lines(loginText(device, {columns: 80, rows: 60})).filter(hasPicture);
	expect(picture.length).toBeGreaterThan(10);
	expect(picture.every(line => line.startsWith('\u001B[97;40m') && line.endsWith('\u001B[0m'))).toBe(true);
});
