import {createServer as createTcpServer} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {callbackPorts, defaultDocumentUrl, documentRedirects} from '../../source/oauth/client-document.ts';
import {type LoginTools} from '../../source/oauth/login-order.ts';
import {type LoginState} from '../../source/state/login-event.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {type AuthorizationServerFixture, startAuthorizationServer} from './authorization-server.ts';
import {type LoginDesk, loginTarget, openLoginDesk} from './login-desk.ts';
import {type ProtectedServer, startProtectedServer} from './protected-server.ts';
import {browse} from './robot.ts';

type Parts = {
	readonly authorization: AuthorizationServerFixture;
	readonly server: ProtectedServer;
	readonly desk: LoginDesk;
};

/** An authorization server that takes client documents, which it finds without a network. */
function startWithDocuments(): Promise<AuthorizationServerFixture> {
	const document = {
		client_id: defaultDocumentUrl,
		client_name: 'Sluice',
		redirect_uris: documentRedirects,
		grant_types: ['authorization_code', 'refresh_token'],
		response_types: ['code'],
		token_endpoint_auth_method: 'none',
		application_type: 'native',
	};
	return startAuthorizationServer({
		features: {clientIdMetadataDocument: {enabled: true, ack: 'draft-02'}},
		fetch: async () => new Response(JSON.stringify(document), {headers: {'content-type': 'application/json'}}),
	});
}

async function open(
	options: {
		readonly authorization?: AuthorizationServerFixture;
		readonly tools?: Partial<LoginTools>;
		readonly metadata?: Readonly<Record<string, unknown>>;
	} = {},
): Promise<Parts> {
	const authorization = options.authorization ?? (await startAuthorizationServer());
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
		...(options.metadata && {metadata: options.metadata}),
	});
	return {authorization, server, desk: openLoginDesk(options.tools)};
}

function start(
	{desk, server}: Pick<Parts, 'desk' | 'server'>,
	options: Parameters<typeof loginTarget>[1] = {},
	name = 'one',
) {
	return desk.logins.start({
		target: loginTarget(server.url, options, name),
		challenge: undefined,
		document: 'try-again',
	});
}

const isAwaiting = ({state}: LoginState) => state === 'awaiting-redirect';

/** Logs in as a person in a browser would. */
async function logIn(parts: Parts, options?: Parameters<typeof loginTarget>[1]) {
	const end = start(parts, options);
	const {authorizationUrl = '', redirectUri = ''} = await parts.desk.until(isAwaiting);
	await browse(authorizationUrl);
	return {end: await end, authorizationUrl: new URL(authorizationUrl), redirectUri};
}

/** Comes back to the callback by hand. */
async function comeBack(parts: Parts, change: (parameters: URLSearchParams) => void): Promise<Response> {
	const {authorizationUrl = '', redirectUri = ''} = await parts.desk.until(isAwaiting);
	const address = new URL(redirectUri);
	address.searchParams.set('state', new URL(authorizationUrl).searchParams.get('state') ?? '');
	address.searchParams.set('code', 'some-code');
	address.searchParams.set('iss', parts.authorization.issuer);
	change(address.searchParams);
	return fetch(address);
}

async function occupy(port: number): Promise<void> {
	const server = createTcpServer();
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve()));
	onTestFinished(() => void server.close());
}

const registrations = ({authorization}: Parts) => authorization.requests.filter(({path}) => path === '/reg').length;
const logLines = ({desk}: Parts) => desk.events.flatMap(event => (event.type === 'log' ? [event.text] : []));

describe('a browser login', () => {
	test('ends with tokens the server takes', async () => {
		const parts = await open();
		expect((await logIn(parts)).end).toEqual({kind: 'succeeded'});
		const record = await parts.desk.store.read('one');
		expect(await parts.authorization.isValid(record?.tokens.access_token ?? '')).toBe(true);
	});

	test('asks with PKCE, state and the resource, and proves them at the token endpoint', async () => {
		const parts = await open();
		const {authorizationUrl} = await logIn(parts);
		const asked = authorizationUrl.searchParams;
		expect([asked.get('code_challenge_method'), asked.get('resource'), asked.get('response_type')]).toEqual([
			'S256',
			parts.server.url,
			'code',
		]);
		expect(asked.get('state')).toHaveLength(43);
		const form = parts.authorization.tokenRequests()[0]?.form;
		expect([form?.get('code_verifier')?.length, form?.get('resource')]).toEqual([expect.any(Number), parts.server.url]);
	});

	test('opens the browser where there is one', async () => {
		const opened: string[] = [];
		const parts = await open({tools: {openBrowser: async url => void opened.push(url)}});
		const {authorizationUrl} = await logIn(parts);
		expect(opened).toEqual([authorizationUrl.href]);
	});

	test('takes the redirect that a person pasted', async () => {
		const parts = await open();
		const end = start(parts);
		const {authorizationUrl = '', redirectUri = ''} = await parts.desk.until(isAwaiting);
		// The person sits at another computer: nothing listens at the redirect there.
		let address = '';
		await browse(authorizationUrl, url => {
			address = url;
			return url.startsWith(redirectUri) ? 'stop' : 'go on';
		});
		parts.desk.logins.finish('one', ` ${address}\n`);
		expect(await end).toEqual({kind: 'succeeded'});
	});

	test.each(['https://example.com/?state=x&code=y', 'no address', ''])('does not take %j instead', async pasted => {
		const parts = await open();
		void start(parts);
		await parts.desk.until(isAwaiting);
		expect(() => parts.desk.logins.finish('one', pasted)).toThrow('not the address');
	});

	test('user_agent stands on the code exchange, and on nothing else', async () => {
		const parts = await open();
		await logIn(parts, {userAgent: 'my agent'});
		const agents = parts.authorization.requests.filter(({headers}) => headers['user-agent'] === 'my agent');
		expect(agents.map(({path}) => path)).toEqual(['/token']);
		expect(parts.server.requests.some(({headers}) => headers['user-agent'] === 'my agent')).toBe(false);
	});
});

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
		expect(await parts.desk.store.hasRefusedDocument('one')).toBe(false);
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
		const {authorizationUrl: first = ''} = await parts.desk.until(isAwaiting);
		await browse(first);
		const again = await parts.desk.until(event => isAwaiting(event) && event.authorizationUrl !== first);
		await browse(again.authorizationUrl ?? '');
		expect(await end).toEqual({kind: 'succeeded'});
		return parts;
	}

	test('that the token endpoint refuses is marked, and the login begins again with a registration', async () => {
		const parts = await refused();
		expect(registrations(parts)).toBe(1);
		expect(await parts.desk.store.hasRefusedDocument('one')).toBe(true);
		expect(logLines(parts)).toEqual([expect.stringContaining('refused the client document')]);
	});

	test('that was refused is not named again by a reauthentication', async () => {
		const {desk, server} = await refused();
		desk.events.length = 0;
		const target = loginTarget(server.url);
		void desk.logins.start({target, challenge: undefined, document: 'as-marked'});
		const {authorizationUrl = ''} = await desk.until(isAwaiting);
		expect(new URL(authorizationUrl).searchParams.get('client_id')).not.toBe(defaultDocumentUrl);
	});

	test('that was refused is tried again by the next login', async () => {
		const parts = await refused();
		parts.desk.events.length = 0;
		void start(parts);
		const {authorizationUrl = ''} = await parts.desk.until(isAwaiting);
		expect(new URL(authorizationUrl).searchParams.get('client_id')).toBe(defaultDocumentUrl);
		expect(await parts.desk.store.hasRefusedDocument('one')).toBe(false);
	});

	test('that the server cannot use is named when the login times out, with `cimd: false`', async () => {
		const clock = createFakeClock();
		const parts = await open({authorization: await startWithDocuments(), tools: {clock}});
		const end = start(parts);
		const {expiresAt = 0} = await parts.desk.until(isAwaiting);
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
			['one', 'two'].map(server => parts.desk.until(event => isAwaiting(event) && event.server === server)),
		);
		const ports = states.map(({redirectUri}) => portOf(redirectUri));
		expect(new Set(ports).size).toBe(2);
		expect(ports.every(port => callbackPorts.includes(port))).toBe(true);
	});

	test('is a random one when all five are taken, and then no document is named', async () => {
		await Promise.allSettled(callbackPorts.map(occupy));
		const parts = await open({authorization: await startWithDocuments()});
		const {end, redirectUri} = await logIn(parts);
		expect([end.kind, callbackPorts.includes(portOf(redirectUri)), registrations(parts)]).toEqual([
			'succeeded',
			false,
			1,
		]);
	});

	test('is a random one when a registration is kept, and that one again', async () => {
		const parts = await open();
		await logIn(parts);
		parts.desk.events.length = 0;
		const second = await logIn(parts);
		parts.desk.events.length = 0;
		const third = await logIn(parts);
		expect(callbackPorts).not.toContain(portOf(second.redirectUri));
		expect(third.redirectUri).toBe(second.redirectUri);
		expect(registrations(parts)).toBe(2);
	});

	test('is free again when the login is called off', async () => {
		const parts = await open();
		const end = start(parts);
		const {redirectUri = ''} = await parts.desk.until(isAwaiting);
		parts.desk.logins.cancel('one');
		await end;
		await expect(fetch(redirectUri)).rejects.toThrow();
	});
});

describe('what comes back to the callback', () => {
	test('with a foreign state means nothing', async () => {
		const parts = await open();
		void start(parts);
		const answer = await comeBack(parts, parameters => parameters.set('state', 'foreign'));
		expect(answer.status).toBe(400);
		expect(parts.desk.events.at(-1)).toMatchObject({state: 'awaiting-redirect'});
	});

	test('by another name for this machine means nothing', async () => {
		const parts = await open();
		void start(parts);
		const {redirectUri = ''} = await parts.desk.until(isAwaiting);
		const address = new URL(redirectUri);
		const {request} = await import('node:http');
		const status = await new Promise(resolve => {
			request(address, {headers: {host: `evil.example:${address.port}`}}, answer => {
				answer.resume();
				resolve(answer.statusCode);
			}).end();
		});
		expect(status).toBe(400);
	});

	test.each([
		['another issuer', (parameters: URLSearchParams) => parameters.set('iss', 'https://evil.example')],
		['no issuer although the server always names it', (parameters: URLSearchParams) => parameters.delete('iss')],
	])('with %s ends the login, and no code is sent anywhere', async (_, change) => {
		const parts = await open();
		const end = start(parts);
		await comeBack(parts, change);
		expect(await end).toMatchObject({kind: 'failed', problem: {code: 'issuer_mismatch'}});
		expect(parts.authorization.tokenRequests()).toEqual([]);
	});

	test('as an error with markup gets the fixed page, and its text is made safe', async () => {
		const parts = await open();
		const end = start(parts);
		const answer = await comeBack(parts, parameters => {
			parameters.delete('code');
			parameters.set('error', 'server_error');
			parameters.set('error_description', '<script>alert(1)</script>\u001B]0;x\u0007');
		});
		const page = await answer.text();
		expect(page).not.toContain('alert');
		expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
		const {problem} = (await end) as {problem: Error};
		expect(problem.message).toContain('<script>alert(1)</script>␛]0;x␇');
	});

	test('as a denial ends the login', async () => {
		const parts = await open();
		const end = start(parts);
		await comeBack(parts, parameters => {
			parameters.delete('code');
			parameters.set('error', 'access_denied');
		});
		expect(await end).toMatchObject({kind: 'failed', problem: {code: 'login_denied'}});
	});
});

test('a failed login leaves the former one as it was', async () => {
	const parts = await open();
	await logIn(parts);
	const before = await parts.desk.store.read('one');
	parts.desk.events.length = 0;
	const end = start(parts);
	await comeBack(parts, () => undefined);
	expect((await end).kind).toBe('failed');
	expect(await parts.desk.store.read('one')).toEqual(before);
});

test('a login of the other flow takes the place of the first', async () => {
	const parts = await open();
	const first = start(parts);
	await parts.desk.until(isAwaiting);
	void start(parts, {flow: 'device'});
	expect(await first).toMatchObject({kind: 'cancelled'});
	await parts.desk.until(({state}) => state === 'awaiting-device');
});
