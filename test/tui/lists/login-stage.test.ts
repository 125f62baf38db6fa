import {expect, test} from 'vitest';
import {loginStage} from '../../../source/tui/lists/login-rows.ts';
import {type LoginRow, type ServerRow} from '../../../source/state/snapshot.ts';
import {login, server, snapshotOf} from '../sample-events.ts';

const loginRow = (state: LoginRow['state'], changedAt = 10): LoginRow => ({
	...snapshotOf([login('a', {state})]).logins[0]!,
	changedAt,
});
const serverRow = (state: ServerRow['state'], changedAt = 5): ServerRow => ({
	...snapshotOf([server('a', {state, transport: 'http'})]).servers[0]!,
	changedAt,
});
const page = {server: 'a', profile: 'default'};

test.each([
	['a server that needs one', serverRow('needs-login'), undefined, 'choice'],
	['a server that is connected', serverRow('connected'), undefined, 'connected'],
	['a login that waits for a person', serverRow('needs-login'), loginRow('awaiting-device'), 'under-way'],
	['a login under way at a connected server', serverRow('connected'), loginRow('exchanging'), 'under-way'],
	['a login that failed', serverRow('needs-login'), loginRow('failed'), 'choice'],
	['a login that was cancelled', serverRow('needs-login'), loginRow('cancelled'), 'choice'],
	['a login that succeeded just now', serverRow('needs-login'), loginRow('succeeded'), 'logged-in'],
	['a server that connects with it', serverRow('connecting', 11), loginRow('succeeded'), 'logged-in'],
	['a server that asks again after it', serverRow('needs-login', 11), loginRow('succeeded'), 'choice'],
	['a server that failed after it', serverRow('failed', 11), loginRow('succeeded'), 'choice'],
	['a server that is gone', undefined, loginRow('succeeded'), 'choice'],
] as const)('of %s', (_, serverRow, loginRow, stage) => {
	const snapshot = {servers: serverRow ? [serverRow] : [], logins: loginRow ? [loginRow] : []};
	expect(loginStage(page, snapshot)).toBe(stage);
});

test('is starting until the login is another one than when it was asked for', () => {
	const before = loginRow('failed');
	const asked = {...page, sent: {before}};
	const servers = [serverRow('needs-login')];
	expect(loginStage(asked, {servers, logins: [before]})).toBe('starting');
	expect(loginStage(asked, {servers, logins: [loginRow('discovering')]})).toBe('under-way');
	expect(loginStage(asked, {servers, logins: [loginRow('failed')]})).toBe('choice');
	expect(loginStage({...page, sent: {before: undefined}}, {servers, logins: []})).toBe('starting');
});
