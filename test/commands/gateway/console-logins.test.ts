import {describe, expect, test} from 'vitest';
import {createConsoleLogins} from '../../../source/commands/gateway/console-logins.ts';

const awaiting = {
	server: 'tracker',
	profile: 'default',
	state: 'awaiting-redirect',
	authorizationUrl: 'https://login.example/authorize?state=1',
	redirectUri: 'http://127.0.0.1:7777/callback',
} as const;
const start = {server: 'tracker', profile: 'default'} as const;

function open(variables: Readonly<Record<string, string>> = {DISPLAY: ':0'}, fails = false) {
	const opened: string[] = [];
	const warned: string[] = [];
	const logins = createConsoleLogins({
		variables,
		warn: text => warned.push(text),
		async open(url) {
			opened.push(url);
			if (fails) {
				throw new Error('no such program');
			}
		},
	});
	return {logins, opened, warned};
}

describe('the browser of an attached window', () => {
	test('is opened for a login that was started there, once for each address', () => {
		const {logins, opened} = open();
		logins.started(start);
		logins.received(awaiting);
		logins.received(awaiting);
		const again = {...awaiting, authorizationUrl: 'https://login.example/authorize?state=2'};
		logins.received(again);
		expect(opened).toEqual([awaiting.authorizationUrl, again.authorizationUrl]);
	});

	test.each([
		['the login was started elsewhere', []],
		['another server was meant', [{...start, server: 'other'}]],
		['the server is of another profile', [{...start, profile: 'work'}]],
	] as const)('is not opened when %s', (_, commands) => {
		const {logins, opened} = open();
		commands.forEach(command => logins.started(command));
		logins.received(awaiting);
		expect(opened).toEqual([]);
	});

	test.each([
		[
			'a later login of somebody else',
			(logins: ReturnType<typeof open>['logins']) => logins.received({...awaiting, state: 'cancelled'}),
		],
		['one after the connection was lost', (logins: ReturnType<typeof open>['logins']) => logins.forget()],
	])('is not opened for %s', (_, end) => {
		const {logins, opened} = open();
		logins.started(start);
		end(logins);
		const before = opened.length;
		logins.received({...awaiting, authorizationUrl: 'https://login.example/authorize?state=3'});
		expect(opened).toHaveLength(before);
	});

	test.each([
		['without a display', {}],
		['over SSH', {DISPLAY: ':10', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22'}],
	])('is not opened %s', (_, variables) => {
		const {logins, opened} = open(variables);
		logins.started(start);
		logins.received(awaiting);
		expect([logins.browser, opened]).toEqual(['nowhere', []]);
	});

	test('that cannot be opened is said', async () => {
		const {logins, warned} = open({DISPLAY: ':0'}, true);
		logins.started({server: 'tracker', profile: 'default'});
		logins.received(awaiting);
		await new Promise(resolve => setImmediate(resolve));
		expect(warned).toEqual(['server tracker: no browser could be opened; open the address yourself']);
	});
});

test.each([
	[
		'is opened by the answer that says so',
		{DISPLAY: ':0'},
		'https://example.com/',
		{opened: ['https://example.com/'], warned: 0},
	],
	['is not opened by another answer', {DISPLAY: ':0'}, undefined, {opened: [], warned: 0}],
	['is not opened without a display, which is said', {}, 'https://example.com/', {opened: [], warned: 1}],
] as const)('the page of a question %s', async (_, variables, address, expected) => {
	const {logins, opened, warned} = open(variables);
	await logins.answered({kind: 'accept', values: {}, ...(address !== undefined && {open: address})});
	await logins.answered({kind: 'decline'});
	expect({opened, warned: warned.length}).toEqual(expected);
});

test('the tunnel is that of the terminal of the window, not of the gateway', () => {
	const sent = {...awaiting, tunnelCommand: 'ssh -N -L 7777:127.0.0.1:7777 gateway@198.51.100.1'};
	expect(open().logins.received(sent)).toEqual(awaiting);
	const overSsh = {SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22', USER: 'ann'};
	expect(open(overSsh).logins.received(sent)).toEqual({
		...awaiting,
		tunnelCommand: 'ssh -N -L 7777:127.0.0.1:7777 ann@192.0.2.2',
	});
});
