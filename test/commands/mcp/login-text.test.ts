import {describe, expect, test} from 'vitest';
import {loginText} from '../../../source/commands/mcp/login-text.ts';
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
