import {describe, expect, test} from 'vitest';
import {createServer} from 'node:http';
import {createCredentials} from '../../../source/oauth/tokens/credentials.ts';
import {type TokenRecord} from '../../../source/oauth/protocol/token-record.ts';
import {openTokenStore} from '../../../source/oauth/tokens/token-store.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {loginTarget} from '../observed-logins.ts';

const refused = {insufficientScope: false};

/** A token endpoint that answers what a test says, and counts. */
async function startTokenEndpoint(
	answer: (count: number) => {readonly status?: number; readonly body: object | string},
) {
	const forms: URLSearchParams[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', chunk => chunks.push(Buffer.from(chunk)));
		request.on('end', () => {
			forms.push(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
			const {status = 200, body} = answer(forms.length);
			response.writeHead(status, {'content-type': 'application/json'});
			response.end(typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	return {origin: await listen(server), forms};
}

const fresh = (count: number) => ({
	body: {
		access_token: `access-${count + 1}`,
		token_type: 'Bearer',
		refresh_token: `refresh-${count + 1}`,
		expires_in: 60,
	},
});

async function open(answer: Parameters<typeof startTokenEndpoint>[0] = fresh, more: Partial<TokenRecord> = {}) {
	const {origin, forms} = await startTokenEndpoint(answer);
	const target = loginTarget(`${origin}/mcp`);
	const directory = temporaryDirectory();
	const openStore = () => openTokenStore({directory, clock: systemClock, learn: () => undefined});
	const store = openStore();
	const record: TokenRecord = {
		serverUrl: target.url.href,
		resource: target.url.href,
		authorizationServer: {issuer: origin, token_endpoint: `${origin}/token`},
		client: {kind: 'registered', client_id: 'one'},
		tokens: {access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1', scope: 'read'},
		...more,
	};
	await store.update('one', () => record);
	/** As another process would open them. */
	const openAgain = (oauth = {}) =>
		createCredentials({...target, oauth: {...target.oauth, ...oauth}}, {clock: systemClock, store: openStore()});
	return {credentials: openAgain(), openAgain, store, record, forms, target};
}

describe('the token', () => {
	test('is the stored one', async () => {
		expect(await (await open()).credentials.token()).toBe('access-1');
	});

	test('of another process is taken at the next request', async () => {
		const {credentials, store, record} = await open();
		await credentials.token();
		await store.update('one', () => ({...record, tokens: {...record.tokens, access_token: 'newer'}}));
		expect(await credentials.token()).toBe('newer');
	});

	test('is refreshed before it ends', async () => {
		const {credentials, forms} = await open(fresh, {expiresAt: Date.now() + 5000});
		expect(await credentials.token()).toBe('access-2');
		expect(forms[0]?.get('refresh_token')).toBe('refresh-1');
	});

	test('that has not ended yet is sent when the authorization server is away', async () => {
		const {credentials} = await open(() => ({status: 503, body: ''}), {expiresAt: Date.now() + 5000});
		expect(await credentials.token()).toBe('access-1');
	});

	test('of another address is not sent', async () => {
		const {credentials} = await open(fresh, {serverUrl: 'https://other.example/mcp'});
		expect(await credentials.token()).toBeUndefined();
		await expect(credentials.renew(undefined, refused)).rejects.toMatchObject({code: 'login_required'});
	});
});

describe('a refused token', () => {
	test('is refreshed once, however many requests and processes it was refused to', async () => {
		const {openAgain, forms} = await open();
		const tokens = await Promise.all(Array.from({length: 6}, () => openAgain().renew('access-1', refused)));
		expect(new Set(tokens)).toEqual(new Set(['access-2']));
		expect(forms).toHaveLength(1);
	});

	test('is not refreshed when a newer one is stored', async () => {
		const {credentials, forms} = await open();
		expect(await credentials.renew('access-0', refused)).toBe('access-1');
		expect(forms).toEqual([]);
	});

	test('leaves the refresh token and scope that the answer does not have, and forgets the former expiry', async () => {
		const answer = {body: {access_token: 'access-2', token_type: 'Bearer'}};
		const {credentials, store} = await open(() => answer, {expiresAt: 1});
		await credentials.renew('access-1', refused);
		const record = await store.read('one');
		expect([record?.tokens, record?.expiresAt]).toEqual([
			{access_token: 'access-2', token_type: 'Bearer', refresh_token: 'refresh-1', scope: 'read'},
			undefined,
		]);
	});

	test.each([
		['invalid_grant', {status: 400, body: {error: 'invalid_grant'}}],
		['invalid_client', {status: 401, body: {error: 'invalid_client'}}],
		['a page', {status: 404, body: '<html>'}],
	])('needs a login after %s, and nothing stored changes', async (_, answer) => {
		const {credentials, store, record} = await open(() => answer);
		await expect(credentials.renew('access-1', refused)).rejects.toMatchObject({
			code: 'login_required',
			message: expect.stringContaining('sluice mcp login one'),
		});
		expect(await store.read('one')).toEqual(record);
	});

	test.each([500, 503, 429])('is no reason for a login when the authorization server answers %i', async status => {
		const {credentials} = await open(() => ({status, body: ''}));
		await expect(credentials.renew('access-1', refused)).rejects.toMatchObject({code: 'fetch_failed'});
	});

	test('needs a login when there is no refresh token', async () => {
		const {credentials} = await open(fresh, {tokens: {access_token: 'access-1', token_type: 'Bearer'}});
		await expect(credentials.renew('access-1', refused)).rejects.toMatchObject({code: 'login_required'});
	});

	test('that is good but not enough needs a wider login, and is not refreshed', async () => {
		const {credentials, forms} = await open();
		await expect(credentials.renew('access-1', {insufficientScope: true, scope: 'write'})).rejects.toMatchObject({
			code: 'wider_login_required',
			message: expect.stringContaining('the scope "write"'),
		});
		expect(forms).toEqual([]);
	});

	test('that is not enough is stored with the missing scopes, each once, and no list that is too long to read', async () => {
		const {credentials, store} = await open();
		const demand = (scope?: string) =>
			credentials
				.renew('access-1', {insufficientScope: true, ...(scope !== undefined && {scope})})
				.catch(() => undefined);
		const kept = async () => (await store.read('one'))?.demandedScope;
		expect(await kept()).toBeUndefined();
		await demand();
		expect(await kept()).toBe('');
		await demand('write');
		await demand('admin write');
		expect(await kept()).toBe('write admin');
		await demand('x'.repeat(5000));
		expect(await kept()).toBe('write admin');
	});

	test('that is not enough gives way to the newer one that is stored', async () => {
		const {credentials, store} = await open();
		expect(await credentials.renew('access-0', {insufficientScope: true, scope: 'write'})).toBe('access-1');
		expect((await store.read('one'))?.demandedScope).toBeUndefined();
	});

	test('of a configured client is refreshed with the secret of the configuration', async () => {
		const {openAgain, forms} = await open(fresh, {client: {kind: 'configured', client_id: 'mine'}});
		const oauth = {clientId: 'mine', clientSecret: 'a-secret', tokenEndpointAuthMethod: 'client_secret_post'} as const;
		await openAgain(oauth).renew('access-1', refused);
		expect(forms[0]?.get('client_secret')).toBe('a-secret');
	});

	test('of a client that is not configured any more needs a login', async () => {
		const {openAgain, forms} = await open(fresh, {client: {kind: 'configured', client_id: 'mine'}});
		await expect(openAgain({clientId: 'other'}).renew('access-1', refused)).rejects.toMatchObject({
			code: 'login_required',
		});
		expect(forms).toEqual([]);
	});
});
