import {describe, expect, test} from 'vitest';
import {parse, remote} from '../parsed-server.ts';

const login = (oauth: Record<string, unknown>) => remote({auth: 'oauth', oauth}).oauth;

describe('auth', () => {
	test('without it there is no login', () => {
		expect(remote({}).oauth).toBeUndefined();
	});

	test('oauth alone is the browser flow with every default', () => {
		expect(remote({auth: 'oauth'}).oauth).toEqual({flow: 'browser', timeoutSeconds: 300, identification: 'document'});
	});

	test('another value makes the server broken', () => {
		expect(parse({url: 'http://h/', auth: 'basic'}).parsed.kind).toBe('broken');
	});

	test('options without it have no effect, with a warning', () => {
		expect(parse({url: 'http://h/', oauth: {flow: 'device'}}).problems).toEqual([
			expect.stringMatching(/^warning: .*without `auth: oauth`/),
		]);
	});

	test('on a stdio server it has no effect, with a warning', () => {
		expect(parse({command: 'x', auth: 'oauth'}).problems).toEqual([expect.stringMatching(/^warning: .*stdio server/)]);
	});
});

describe('options', () => {
	test('are brought into exact types', () => {
		expect(
			login({
				client_id: 'one',
				client_secret: 'two',
				token_endpoint_auth_method: 'client_secret_post',
				client_name: 'three',
				redirect_uri: 'http://localhost:1234/callback',
				redirect_port: '1234',
				scope: 'read write',
				timeout: 60,
				flow: 'device',
				client_metadata_url: 'https://example.com/client.json',
				cimd: 'no',
				user_agent: 'four',
				resource: 'off',
				authorize_params: {audience: 'https://api.example', max_age: 0},
				token_params: {audience: '${AUDIENCE}'},
			}),
		).toEqual({
			clientId: 'one',
			clientSecret: 'two',
			tokenEndpointAuthMethod: 'client_secret_post',
			clientName: 'three',
			redirectUri: 'http://localhost:1234/callback',
			redirectPort: 1234,
			scope: 'read write',
			timeoutSeconds: 60,
			flow: 'device',
			clientMetadataUrl: 'https://example.com/client.json',
			identification: 'register',
			userAgent: 'four',
			resource: 'left-out',
			authorizeParams: {audience: 'https://api.example', max_age: '0'},
			tokenParams: {audience: '${AUDIENCE}'},
		});
	});

	test.each(['', null])('user_agent: %j is as if it were not there', written => {
		expect(login({user_agent: written})?.userAgent).toBeUndefined();
	});

	test.each([-1, 'soon', Number.NaN])('timeout: %j is the default, with a warning', written => {
		const {parsed, problems} = parse({url: 'http://h/', auth: 'oauth', oauth: {timeout: written}});
		expect([parsed.kind, problems.length]).toEqual(['server', 1]);
	});

	test('an unknown flow makes the server broken: no other flow is taken instead', () => {
		expect(parse({url: 'http://h/', auth: 'oauth', oauth: {flow: 'devise'}}).parsed.kind).toBe('broken');
	});
});

describe('client_metadata_url', () => {
	const kind = (address: string) =>
		parse({url: 'http://h/', auth: 'oauth', oauth: {client_metadata_url: address}}).parsed.kind;

	test.each([
		'http://example.com/client.json',
		'https://example.com',
		'https://example.com/',
		'https://example.com/client.json#part',
		'https://example.com/client.json#',
		'https://user@example.com/client.json',
		'https://:@example.com/client.json',
		'https://example.com/a/../client.json',
		'https://example.com/./client.json',
		'https://example.com/a/%2e%2e/client.json',
		'https://example.com/..',
		'no address',
	])('%s makes the server broken', address => {
		expect(kind(address)).toBe('broken');
	});

	test.each(['https://example.com/client.json', 'https://example.com/a..b/.client', '${DOCUMENT}'])(
		'%s is taken',
		address => {
			expect(kind(address)).toBe('server');
		},
	);
});

describe('parameters that the login sets itself', () => {
	const own = `response_type client_id redirect_uri state scope resource code_challenge code_challenge_method
		code_verifier code grant_type refresh_token device_code client_secret client_assertion client_assertion_type
		request request_uri response_mode`.split(/\s+/u);
	const spellings = ['Client_ID', 'client.id', 'client-id', 'client id', 'client_id[]', '', 'a&b'];

	test.each(['authorize_params', 'token_params'])('and names that are none make the server broken in %s', key => {
		for (const name of [...own, ...spellings]) {
			const {parsed, problems} = parse({url: 'http://h/', auth: 'oauth', oauth: {[key]: {[name]: 'x'}}});
			expect([name, parsed.kind]).toEqual([name, 'broken']);
			expect(problems.join()).toContain(key);
		}

		for (const name of ['audience', 'prompt', 'access_type', 'nonce', 'x-tenant', 'login_hint']) {
			const {parsed, problems} = parse({url: 'http://h/', auth: 'oauth', oauth: {[key]: {[name]: 'x'}}});
			expect([name, parsed.kind, problems]).toEqual([name, 'server', []]);
		}
	});
});
