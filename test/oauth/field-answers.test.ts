import {describe, expect, test} from 'vitest';
import {type JsonObject} from '../../source/util/json-text.ts';
import {type LoginState} from '../../source/state/person-event.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {type OtherAnswer, rewriteAnswers} from '../simulators/rewrite-answers.ts';
import {browse, confirmDevice} from '../simulators/robot.ts';
import {logIn, type ObservedLogins, openObservedLogins} from './observed-logins.ts';

async function open() {
	const authorization = await startAuthorizationServer();
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	const clock = createFakeClock();
	return {authorization, server, clock, observed: openObservedLogins({clock})};
}

const isAwaiting = ({state}: LoginState) => state === 'awaiting-device';

/** Lets the next poll happen and waits until its answer was heard. */
async function poll({observed, clock}: {observed: ObservedLogins; clock: FakeClock}, seconds = 5): Promise<LoginState> {
	const before = observed.events.length;
	await clock.advance(seconds * 1000);
	return observed.until(event => observed.events.indexOf(event) >= before);
}

const form = (body: JsonObject) =>
	new URLSearchParams(
		Object.fromEntries(
			Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
		),
	).toString();
const isPending = (body: JsonObject) => body['error'] === 'authorization_pending';
const without = (body: JsonObject, member: string): JsonObject =>
	Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));

type Case = readonly [
	name: string,
	path: string,
	change: (body: JsonObject, status: number) => OtherAnswer | undefined,
];

const cases: readonly Case[] = [
	['numbers as text', '/device/auth', body => ({body: {...body, interval: '5', expires_in: '600'}})],
	['no expiry of the code', '/device/auth', body => ({body: without(body, 'expires_in')})],
	['an expiry that is null', '/device/auth', body => ({body: {...body, expires_in: null, interval: null}})],
	['an interval and an expiry of 0', '/device/auth', body => ({body: {...body, expires_in: 0, interval: 0}})],
	['a code with status 201', '/device/auth', body => ({status: 201, body})],
	[
		'a form-encoded code',
		'/device/auth',
		body => ({contentType: 'application/x-www-form-urlencoded', body: form(body)}),
	],
	['tokens with status 201', '/token', (body, status) => (status === 200 ? {status: 201, body} : undefined)],
	[
		'"pending" with status 200',
		'/token',
		body => (isPending(body) ? {status: 200, body: {...body, error_description: null}} : undefined),
	],
	[
		'"pending" with status 401 and a challenge',
		'/token',
		body => (isPending(body) ? {status: 401, headers: {'www-authenticate': 'Basic realm="x"'}, body} : undefined),
	],
	['"pending" with status 429', '/token', body => (isPending(body) ? {status: 429, body} : undefined)],
	[
		'the addresses under their old names',
		'/device/auth',
		({verification_uri: address = '', verification_uri_complete: complete = '', ...body}) => ({
			body: {...body, verification_url: address, verification_url_complete: complete},
		}),
	],
	[
		'tokens without a type',
		'/token',
		(body, status) => (status === 200 ? {body: without(body, 'token_type')} : undefined),
	],
	[
		'an empty type of tokens',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, token_type: ''}} : undefined),
	],
	[
		'the type BearerToken',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, token_type: 'BearerToken'}} : undefined),
	],
	[
		'a scope that is a list',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, scope: ['read', 'write']}} : undefined),
	],
	[
		'a scope of another type',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, scope: {read: true}}} : undefined),
	],
	[
		'a refresh token that is false',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, refresh_token: false}} : undefined),
	],
	[
		'form-encoded answers for tokens',
		'/token',
		body => ({contentType: 'application/x-www-form-urlencoded; charset=utf-8', body: form(body)}),
	],
	['form-encoded answers that are called text', '/token', body => ({contentType: 'text/plain', body: form(body)})],
	['JSON that is called text', '/token', body => ({contentType: 'text/plain', body})],
	[
		'null members beside the tokens',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, id_token: null, scope: null}} : undefined),
	],
	[
		'an expiry of tokens as text',
		'/token',
		(body, status) => (status === 200 ? {body: {...body, expires_in: '3600'}} : undefined),
	],
	[
		'a registration with null members and without those that were sent',
		'/reg',
		({client_id: id = ''}) => ({
			status: 200,
			body: {
				client_id: id,
				client_secret: null,
				client_secret_expires_at: null,
				client_id_issued_at: null,
				redirect_uris: null,
				client_uri: null,
				jwks: null,
				contacts: null,
				token_endpoint_auth_method: null,
			},
		}),
	],
	[
		'a registration with an empty secret and times as text',
		'/reg',
		body => ({
			body: {
				...body,
				client_secret: '',
				client_secret_expires_at: '0',
				client_id_issued_at: '1700000000',
				logo_uri: '',
			},
		}),
	],
	[
		'metadata with null members',
		'/.well-known/oauth-authorization-server',
		body => ({
			body: {
				...body,
				registration_endpoint: body['registration_endpoint'] ?? null,
				scopes_supported: null,
				response_types_supported: null,
			},
		}),
	],
	[
		'metadata with lists written as text, and addresses that are empty',
		'/.well-known/oauth-authorization-server',
		body => ({
			body: {
				...body,
				scopes_supported: 'openid read',
				response_types_supported: 'code',
				code_challenge_methods_supported: 'S256',
				token_endpoint_auth_methods_supported: false,
				revocation_endpoint: '',
			},
		}),
	],
	[
		'metadata that is called a page',
		'/.well-known/oauth-authorization-server',
		body => ({contentType: 'text/html', body}),
	],
	[
		'a page at the first place for metadata',
		'/.well-known/oauth-authorization-server',
		() => ({contentType: 'text/html', body: '<!doctype html><title>App</title>'}),
	],
	[
		'a page that is called JSON at the first place for metadata',
		'/.well-known/oauth-authorization-server',
		() => ({body: '<!doctype html><title>App</title>'}),
	],
	[
		'JSON that is no metadata at the first place for it',
		'/.well-known/oauth-authorization-server',
		() => ({body: {message: 'welcome'}}),
	],
];

describe('a device login takes', () => {
	test.each(cases)('%s', async (_, path, change) => {
		const parts = await open();
		rewriteAnswers(parts.authorization, path, change);
		const end = logIn(parts.observed, parts.server.url, 'device');
		const {verificationUriComplete = '', expiresAt = 0} = await parts.observed.until(isAwaiting);
		expect(expiresAt - parts.clock.now()).toBe(300_000);
		expect(await poll(parts)).toMatchObject({state: 'awaiting-device', polls: 1});
		await confirmDevice(verificationUriComplete);
		await poll(parts);
		expect(await end).toEqual({kind: 'succeeded'});
		const record = await parts.observed.store.read('one');
		expect(await parts.authorization.isValid(record?.tokens.access_token ?? '')).toBe(true);
		expect(record?.expiresAt).toBe(parts.clock.now() + 3_600_000);
	});
});

describe('a browser login takes', () => {
	const shared = cases.filter(([, path]) => path !== '/device/auth');
	test.each(shared)('%s', async (_, path, change) => {
		const parts = await open();
		rewriteAnswers(parts.authorization, path, change);
		const end = logIn(parts.observed, parts.server.url);
		const {authorizationUrl = ''} = await parts.observed.until(({state}) => state === 'awaiting-redirect');
		await browse(authorizationUrl);
		expect(await end).toEqual({kind: 'succeeded'});
	});
});

describe('a poll that is answered with', () => {
	test.each([
		[503, 'text/html', '<h1>Service Unavailable</h1>'],
		[429, 'application/json', '{"message": "too many requests"}'],
		[500, 'application/json', '{"error": "server_error"}'],
		[400, 'application/json', '{"error": "temporarily_unavailable"}'],
	])('%s is repeated, more and more slowly, until the server is back', async (status, contentType, body) => {
		const parts = await open();
		let isAway = true;
		rewriteAnswers(parts.authorization, '/token', () => (isAway ? {status, contentType, body} : undefined));
		const end = logIn(parts.observed, parts.server.url, 'device');
		const {verificationUriComplete = ''} = await parts.observed.until(isAwaiting);
		const pauses: number[] = [];
		for (const seconds of [5, 10, 20, 40]) {
			const {nextPollAt = 0} = await poll(parts, seconds);
			pauses.push((nextPollAt - parts.clock.now()) / 1000);
		}

		expect(pauses).toEqual([10, 20, 40, 60]);
		isAway = false;
		const {nextPollAt = 0} = await poll(parts, 60);
		// Once it answers again, the pace is the one that the server asked for.
		expect(nextPollAt - parts.clock.now()).toBe(5000);
		await confirmDevice(verificationUriComplete);
		await poll(parts);
		expect(await end).toEqual({kind: 'succeeded'});
	});

	test('503 to the end is a login that was not approved in time, and says what the server answered', async () => {
		const parts = await open();
		rewriteAnswers(parts.authorization, '/token', () => ({status: 503, body: ''}));
		const end = logIn(parts.observed, parts.server.url, 'device');
		await parts.observed.until(isAwaiting);
		for (const seconds of [5, 10, 20, 40, 60, 60]) {
			await poll(parts, seconds);
		}

		await parts.clock.advance(105_000);
		const result = await end;
		expect(result).toMatchObject({kind: 'failed', problem: {code: 'login_timeout'}});
		expect((result as {problem: Error}).problem.message).toContain('answered 503');
	});
});
