import {describe, expect, test} from 'vitest';
import {createCredentials} from '../../source/oauth/tokens/credentials.ts';
import {type LoginState} from '../../source/state/person-event.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {type AuthorizationServerFixture, startAuthorizationServer} from '../simulators/authorization-server.ts';
import {type ObservedLogins, loginTarget, openObservedLogins} from './observed-logins.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {confirmDevice} from '../simulators/robot.ts';

type Parts = Awaited<ReturnType<typeof open>>;

async function open(options: {readonly authorizationServers?: (issuer: string) => readonly string[]} = {}) {
	const authorization = await startAuthorizationServer();
	const {authorizationServers = (issuer: string) => [issuer]} = options;
	const server = await startProtectedServer({
		authorizationServers: () => authorizationServers(authorization.issuer),
		isValid: authorization.isValid,
	});
	const clock = createFakeClock();
	return {authorization, server, clock, observed: openObservedLogins({clock})};
}

const isAwaiting = ({state}: LoginState) => state === 'awaiting-device';

function start({observed, server}: Pick<Parts, 'observed' | 'server'>, oauth: Parameters<typeof loginTarget>[1] = {}) {
	const target = loginTarget(server.url, {flow: 'device', ...oauth});
	return observed.logins.start({target, challenge: undefined, document: 'try-again'});
}

/** Lets the next poll happen and waits until its answer was heard. */
async function poll(observed: ObservedLogins, clock: FakeClock, seconds = 5): Promise<LoginState> {
	const before = observed.events.length;
	await clock.advance(seconds * 1000);
	return observed.until(event => observed.events.indexOf(event) >= before);
}

/** Answers one poll instead of the server. */
function answerOnce(authorization: AuthorizationServerFixture, error: string, more: Record<string, unknown> = {}) {
	let answered = false;
	authorization.intercept(({path}, response) => {
		if (answered || path !== '/token') {
			return 'pass';
		}

		answered = true;
		response.writeHead(400, {'content-type': 'application/json'}).end(JSON.stringify({error, ...more}));
		return 'answered';
	});
}

describe('a device login', () => {
	test('ends with tokens the server takes, once a person has entered the code', async () => {
		const parts = await open();
		const {authorization, observed, clock} = parts;
		const end = start(parts);
		const {verificationUriComplete = '', userCode = ''} = await observed.until(isAwaiting);
		expect(verificationUriComplete).toContain(userCode);
		expect(await poll(observed, clock)).toMatchObject({state: 'awaiting-device', polls: 1});
		await confirmDevice(verificationUriComplete);
		await poll(observed, clock);
		expect(await end).toEqual({kind: 'succeeded'});
		const record = await observed.store.read('one');
		expect(await authorization.isValid(record?.tokens.access_token ?? '')).toBe(true);
		expect(record?.expiresAt).toBe(clock.now() + 3_600_000);
	});

	test('registers with the device and refresh grants, and shows no client document', async () => {
		const parts = await open();
		const seen: unknown[] = [];
		parts.authorization.provider.on('registration_create.success', (_, client) => seen.push(client.grantTypes));
		void start(parts);
		await parts.observed.until(isAwaiting);
		expect(seen).toEqual([['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']]);
	});

	test('sends the scope and the resource', async () => {
		const parts = await open();
		void start(parts, {scope: 'read'});
		await parts.observed.until(isAwaiting);
		const form = parts.authorization.requests.find(({path}) => path === '/device/auth')?.form;
		expect([form?.get('scope'), form?.get('resource')]).toEqual(['read', parts.server.url]);
	});

	test('waits five seconds longer after slow_down', async () => {
		const parts = await open();
		answerOnce(parts.authorization, 'slow_down');
		void start(parts);
		await parts.observed.until(isAwaiting);
		const {nextPollAt = 0} = await poll(parts.observed, parts.clock);
		expect(nextPollAt - parts.clock.now()).toBe(10_000);
	});

	test('goes on when a poll gets no answer, twice as slowly', async () => {
		const parts = await open();
		let cut = true;
		parts.authorization.intercept(({path}, response) => {
			if (cut && path === '/token') {
				cut = false;
				response.destroy();
				return 'answered';
			}

			return 'pass';
		});
		void start(parts);
		await parts.observed.until(isAwaiting);
		const {nextPollAt = 0} = await poll(parts.observed, parts.clock);
		expect(nextPollAt - parts.clock.now()).toBe(10_000);
	});

	test('ends when the person says no', async () => {
		const parts = await open();
		const end = start(parts);
		const {verificationUriComplete = ''} = await parts.observed.until(isAwaiting);
		await confirmDevice(verificationUriComplete, 'abort');
		await poll(parts.observed, parts.clock);
		expect(await end).toMatchObject({kind: 'failed', problem: {code: 'login_denied'}});
	});

	test('ends when the code has expired', async () => {
		const parts = await open();
		answerOnce(parts.authorization, 'expired_token');
		const end = start(parts);
		await parts.observed.until(isAwaiting);
		await poll(parts.observed, parts.clock);
		expect(await end).toMatchObject({kind: 'failed', problem: {code: 'login_timeout'}});
	});

	test('ends with oauth.timeout', async () => {
		const parts = await open();
		const end = start(parts, {timeoutSeconds: 3});
		const {expiresAt = 0} = await parts.observed.until(isAwaiting);
		expect(expiresAt - parts.clock.now()).toBe(3000);
		await parts.clock.advance(3000);
		expect(await end).toMatchObject({kind: 'failed', problem: {code: 'login_timeout'}});
		expect(parts.authorization.tokenRequests()).toEqual([]);
	});

	test('is over at once when it is called off', async () => {
		const parts = await open();
		const end = start(parts);
		await parts.observed.until(isAwaiting);
		parts.observed.logins.cancel('one');
		expect(await end).toMatchObject({kind: 'cancelled'});
		expect(parts.clock.open()).toBe(0);
	});

	test('shows hostile words of the server as text', async () => {
		const parts = await open();
		answerOnce(parts.authorization, 'bad\u001B[2J', {error_description: '<b>\u202Eboo</b>'});
		const end = start(parts);
		await parts.observed.until(isAwaiting);
		await poll(parts.observed, parts.clock);
		const {problem} = (await end) as {problem: Error};
		expect(problem.message).toBe('The authorization server answered bad␛[2J: <b>‹U+202E›boo</b>');
	});
});

describe('what is on disk', () => {
	async function loggedIn() {
		const parts = await open();
		const end = start(parts);
		const {verificationUriComplete = ''} = await parts.observed.until(isAwaiting);
		await confirmDevice(verificationUriComplete);
		await poll(parts.observed, parts.clock);
		await end;
		parts.observed.events.length = 0;
		return parts;
	}

	test.each(['access_denied', 'expired_token', 'invalid_client'])('stays after %s', async error => {
		const parts = await loggedIn();
		const before = await parts.observed.store.read('one');
		answerOnce(parts.authorization, error);
		const end = start(parts);
		await parts.observed.until(isAwaiting);
		await poll(parts.observed, parts.clock);
		expect((await end).kind).toBe('failed');
		expect(await parts.observed.store.read('one')).toEqual(before);
	});

	test('is enough for a refresh, which rotates the refresh token', async () => {
		const {observed, clock, server, authorization} = await loggedIn();
		const before = await observed.store.read('one');
		const credentials = createCredentials(loginTarget(server.url), {clock, store: observed.store});
		const token = await credentials.renew(before?.tokens.access_token, {insufficientScope: false});
		const after = await observed.store.read('one');
		expect(await authorization.isValid(token)).toBe(true);
		expect(after?.tokens.access_token).toBe(token);
		expect(after?.tokens.refresh_token).not.toBe(before?.tokens.refresh_token);
	});

	test('a registration is used again for the same flow', async () => {
		const parts = await loggedIn();
		void start(parts);
		await parts.observed.until(isAwaiting);
		expect(parts.authorization.requests.filter(({path}) => path === '/reg')).toHaveLength(1);
	});
});

describe('authorization servers', () => {
	test('are looked at in order: the first that is itself and offers the grant is used', async () => {
		const wrongIssuer = await startAuthorizationServer();
		const withoutGrant = await startAuthorizationServer({features: {deviceFlow: {enabled: false}}});
		const second = await startAuthorizationServer();
		const dead = 'http://127.0.0.1:9';
		const parts = await open({
			authorizationServers: issuer => [dead, `${wrongIssuer.issuer}/`, withoutGrant.issuer, issuer, second.issuer],
		});
		void start(parts);
		const {verificationUri} = await parts.observed.until(isAwaiting);
		expect(verificationUri).toBe(`${parts.authorization.issuer}/device`);
	});

	test('whose issuer differs in the slash at the end is refused, with both addresses and the key to correct', async () => {
		const parts = await open({authorizationServers: issuer => [`${issuer}/`]});
		const {issuer} = parts.authorization;
		const end = await start(parts);
		expect(end).toMatchObject({kind: 'failed', problem: {code: 'issuer_mismatch'}});
		const {problem} = end as {problem: Error};
		expect(problem.message).toContain(
			`its metadata has \`issuer\` "${issuer}", but the tool server names "${issuer}/"; only the slash at the end differs. \`authorization_servers\` in the metadata of the tool server must be exactly the issuer`,
		);
	});

	test('without the grant there is no login, and none of the other flow', async () => {
		const withoutGrant = await startAuthorizationServer({features: {deviceFlow: {enabled: false}}});
		const parts = await open({authorizationServers: () => [withoutGrant.issuer]});
		const end = await start(parts);
		expect(end).toMatchObject({kind: 'failed', problem: {code: 'device_login_unsupported'}});
		expect((end as {problem: Error}).problem.message).toContain('--flow browser');
		expect(withoutGrant.requests.every(({method}) => method === 'GET')).toBe(true);
	});
});

describe('a configured client', () => {
	test('is used instead of a registration, with its secret and method', async () => {
		const parts = await open();
		const authorization = await startAuthorizationServer({
			clients: [
				{
					client_id: 'mine',
					client_secret: 'a-secret-of-mine',
					token_endpoint_auth_method: 'client_secret_post',
					grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
					response_types: [],
					redirect_uris: [],
				},
			],
		});
		const server = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: () => true,
		});
		const oauth = {
			clientId: 'mine',
			clientSecret: 'a-secret-of-mine',
			tokenEndpointAuthMethod: 'client_secret_post',
		} as const;
		const end = start({...parts, server}, oauth);
		const {verificationUriComplete = ''} = await parts.observed.until(isAwaiting);
		await confirmDevice(verificationUriComplete);
		await poll(parts.observed, parts.clock);
		expect(await end).toEqual({kind: 'succeeded'});
		expect(authorization.requests.some(({path}) => path === '/reg')).toBe(false);
		expect((await parts.observed.store.read('one'))?.client).toEqual({
			kind: 'configured',
			client_id: 'mine',
			token_endpoint_auth_method: 'client_secret_post',
		});
	});

	test('user_agent is sent with polls, and with nothing else', async () => {
		const parts = await open();
		void start(parts, {userAgent: 'my agent'});
		await parts.observed.until(isAwaiting);
		await poll(parts.observed, parts.clock);
		const paths = parts.authorization.requests
			.filter(({headers}) => headers['user-agent'] === 'my agent')
			.map(({path}) => path);
		expect(paths).toEqual(['/token']);
	});
});
