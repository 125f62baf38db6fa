import {describe, expect, test} from 'vitest';
import {callbackPorts, defaultDocumentUrl} from '../../../source/oauth/discovery/client-document.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {isAwaiting, logIn, logLines, occupy, open, registrations, start, startWithDocuments} from '../browser-parts.ts';
import {loginTarget} from '../observed-logins.ts';
import {browse} from '../../simulators/robot.ts';

describe('the client document', () => {
	test('is named where the server takes documents', async () => {
		const parts = await open({authorization: await startWithDocuments()});
		const {end, authorizationUrl} = await logIn(parts);
		expect(end).toEqual({kind: 'succeeded'});
		expect(authorizationUrl.searchParams.get('client_id')).toBe(defaultDocumentUrl);
		expect(registrations(parts)).toBe(0);
	});

	test('is not named where the server does not say so', async () => {
		const parts = await open();
		const {authorizationUrl} = await logIn(parts);
		expect(authorizationUrl.searchParams.get('client_id')).not.toBe(defaultDocumentUrl);
		expect(registrations(parts)).toBe(1);
	});

	test('is not named when `cimd` is false', async () => {
		const parts = await open({authorization: await startWithDocuments()});
		await logIn(parts, {identification: 'register'});
		expect(registrations(parts)).toBe(1);
	});

	test('is not named when it cannot be fetched, and the log says why', async () => {
		const parts = await open({
			authorization: await startWithDocuments(),
			tools: {checkDocument: async () => 'it answered 404'},
		});
		await logIn(parts);
		expect(registrations(parts)).toBe(1);
		expect(logLines(parts)).toEqual([expect.stringContaining('it answered 404')]);
		expect(await parts.observed.store.hasRefusedDocument('one')).toBe(false);
	});

	async function refused() {
		const authorization = await startWithDocuments();
		authorization.intercept(({path, form}, response) => {
			if (path !== '/token' || form.get('client_id') !== defaultDocumentUrl) {
				return 'pass';
			}

			response.writeHead(401, {'content-type': 'application/json'}).end('{"error":"invalid_client"}');
			return 'answered';
		});
		const parts = await open({authorization});
		const end = start(parts);
		const {authorizationUrl: first = ''} = await parts.observed.until(isAwaiting);
		await browse(first);
		const again = await parts.observed.until(event => isAwaiting(event) && event.authorizationUrl !== first);
		await browse(again.authorizationUrl ?? '');
		expect(await end).toEqual({kind: 'succeeded'});
		return parts;
	}

	test('that the token endpoint refuses is marked, and the login begins again with a registration', async () => {
		const parts = await refused();
		expect(registrations(parts)).toBe(1);
		expect(await parts.observed.store.hasRefusedDocument('one')).toBe(true);
		expect(logLines(parts)).toEqual([expect.stringContaining('refused the client document')]);
	});

	test('that was refused is not named again by a reauthentication', async () => {
		const {observed, server} = await refused();
		observed.events.length = 0;
		const target = loginTarget(server.url);
		void observed.logins.start({target, challenge: undefined, document: 'as-marked'});
		const {authorizationUrl = ''} = await observed.until(isAwaiting);
		expect(new URL(authorizationUrl).searchParams.get('client_id')).not.toBe(defaultDocumentUrl);
	});

	test('that was refused is tried again by the next login', async () => {
		const parts = await refused();
		parts.observed.events.length = 0;
		void start(parts);
		const {authorizationUrl = ''} = await parts.observed.until(isAwaiting);
		expect(new URL(authorizationUrl).searchParams.get('client_id')).toBe(defaultDocumentUrl);
		expect(await parts.observed.store.hasRefusedDocument('one')).toBe(false);
	});

	test('that the server cannot use is named when the login times out, with `cimd: false`', async () => {
		const clock = createFakeClock();
		const parts = await open({authorization: await startWithDocuments(), tools: {clock}});
		const end = start(parts);
		const {expiresAt = 0} = await parts.observed.until(isAwaiting);
		expect(expiresAt - clock.now()).toBe(300_000);
		await clock.advance(300_000);
		const {problem} = (await end) as {problem: Error};
		expect(problem).toMatchObject({code: 'login_timeout'});
		expect(problem.message).toContain(defaultDocumentUrl);
		expect(problem.message).toContain('cimd: false');
	});
});

describe('the callback port', () => {
	const portOf = (redirectUri = '') => Number(new URL(redirectUri).port);

	test('is one of the five, and two logins at once have two', async () => {
		const parts = await open();
		void start(parts, {}, 'one');
		void start(parts, {}, 'two');
		const states = await Promise.all(
			['one', 'two'].map(server => parts.observed.until(event => isAwaiting(event) && event.server === server)),
		);
		const ports = states.map(({redirectUri}) => portOf(redirectUri));
		expect(new Set(ports).size).toBe(2);
		expect(ports.every(port => callbackPorts.includes(port))).toBe(true);
	});

	test('is a random one when all five are taken, and then no document is named', async () => {
		await Promise.all(callbackPorts.map(occupy));
		const parts = await open({authorization: await startWithDocuments()});
		const {end, redirectUri} = await logIn(parts);
		expect([end.kind, callbackPorts.includes(portOf(redirectUri)), registrations(parts)]).toEqual([
			'succeeded',
			false,
			1,
		]);
	});

	test('is a random one when a registration is stored, and the same one again', async () => {
		const parts = await open();
		await logIn(parts);
		parts.observed.events.length = 0;
		const second = await logIn(parts);
		parts.observed.events.length = 0;
		const third = await logIn(parts);
		expect(callbackPorts).not.toContain(portOf(second.redirectUri));
		expect(third.redirectUri).toBe(second.redirectUri);
		expect(registrations(parts)).toBe(2);
	});

	test('is free again when the login is called off', async () => {
		const parts = await open();
		const end = start(parts);
		const {redirectUri = ''} = await parts.observed.until(isAwaiting);
		parts.observed.logins.cancel('one');
		await end;
		await expect(fetch(redirectUri)).rejects.toThrow();
	});
});
