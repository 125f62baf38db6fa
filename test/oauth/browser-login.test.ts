import {request} from 'node:http';
import {describe, expect, test} from 'vitest';
import {comeBack, isAwaiting, logIn, open, start} from './browser-parts.ts';
import {browse} from '../simulators/robot.ts';

describe('a browser login', () => {
	test('ends with tokens the server takes', async () => {
		const parts = await open();
		expect((await logIn(parts)).end).toEqual({kind: 'succeeded'});
		const record = await parts.observed.store.read('one');
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
		const {authorizationUrl = '', redirectUri = ''} = await parts.observed.until(isAwaiting);
		// The person sits at another computer: nothing listens at the redirect there.
		let address = '';
		await browse(authorizationUrl, url => {
			address = url;
			return url.startsWith(redirectUri) ? 'stop' : 'go on';
		});
		parts.observed.logins.finish('one', ` ${address}\n`);
		expect(await end).toEqual({kind: 'succeeded'});
	});

	test.each([
		['https://example.com/?state=x&code=y', 'belongs to another login'],
		['no address', 'not the address'],
		['', 'not the address'],
	])('does not take %j instead, and says why', async (pasted, why) => {
		const parts = await open();
		void start(parts);
		await parts.observed.until(isAwaiting);
		expect(() => parts.observed.logins.finish('one', pasted)).toThrow(why);
	});

	test('user_agent is sent with the code exchange, and with nothing else', async () => {
		const parts = await open();
		await logIn(parts, {userAgent: 'my agent'});
		const agents = parts.authorization.requests.filter(({headers}) => headers['user-agent'] === 'my agent');
		expect(agents.map(({path}) => path)).toEqual(['/token']);
		expect(parts.server.requests.some(({headers}) => headers['user-agent'] === 'my agent')).toBe(false);
	});
});

describe('what comes back to the callback', () => {
	test('with a foreign state means nothing, and the page says that it was not for this login', async () => {
		const parts = await open();
		const end = start(parts);
		const answer = await comeBack(parts, parameters => parameters.set('state', 'foreign'));
		expect(answer.status).toBe(400);
		expect(await answer.text()).toMatch(/Not this login[\s\S]*belongs to another login/u);
		expect(parts.observed.events.at(-1)).toMatchObject({state: 'awaiting-redirect'});
		// The one that belongs to it still counts: its code goes to the token endpoint.
		const own = await comeBack(parts, () => undefined);
		expect(await own.text()).toContain('Login received');
		await end;
		expect(parts.authorization.tokenRequests()).toHaveLength(1);
	});

	test.each([
		{why: 'by another name for this machine', host: 'evil.example', target: ''},
		{why: 'by another name in its target', host: '127.0.0.1', target: 'http://evil.example'},
	])('$why means nothing', async ({host, target}) => {
		const parts = await open();
		void start(parts);
		const {redirectUri = ''} = await parts.observed.until(isAwaiting);
		const {port, pathname} = new URL(redirectUri);
		const path = `${target && `${target}:${port}`}${pathname}?error=access_denied`;
		const status = await new Promise(resolve => {
			request({host: '127.0.0.1', port, path, headers: {host: `${host}:${port}`}}, answer => {
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
	const before = await parts.observed.store.read('one');
	parts.observed.events.length = 0;
	const end = start(parts);
	await comeBack(parts, () => undefined);
	expect((await end).kind).toBe('failed');
	expect(await parts.observed.store.read('one')).toEqual(before);
});

test('a login of the other flow replaces the first', async () => {
	const parts = await open();
	const first = start(parts);
	await parts.observed.until(isAwaiting);
	void start(parts, {flow: 'device'});
	expect(await first).toMatchObject({kind: 'cancelled'});
	await parts.observed.until(({state}) => state === 'awaiting-device');
});
