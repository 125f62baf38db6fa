import {createServer, type RequestListener} from 'node:http';
import {expect, test} from 'vitest';
import {type TokenRecord} from '../../../source/oauth/protocol/token-record.ts';
import {revokeTokens} from '../../../source/oauth/tokens/revoke.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {startAuthorizationServer} from '../../simulators/authorization-server.ts';
import {startProtectedServer} from '../../simulators/protected-server.ts';
import {browse} from '../../simulators/robot.ts';
import {logIn, loginTarget, openObservedLogins} from '../observed-logins.ts';

const clock = createFakeClock();

function recordFor(issuer: string, endpoint: string | undefined): TokenRecord {
	return {
		serverUrl: 'http://127.0.0.1:1/mcp',
		authorizationServer: {
			issuer,
			token_endpoint: `${issuer}/token`,
			...(endpoint !== undefined && {revocation_endpoint: endpoint}),
		},
		client: {kind: 'registered', client_id: 'one', token_endpoint_auth_method: 'none'},
		tokens: {access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer'},
	};
}

async function revokeAt(answer: RequestListener) {
	const bodies: string[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request
			.on('data', chunk => (body += String(chunk)))
			.on('end', () => {
				bodies.push(body);
				answer(request, response);
			});
	});
	const issuer = await listen(server);
	const target = loginTarget('http://127.0.0.1:1/mcp');
	const revocation = revokeTokens(recordFor(issuer, `${issuer}/revoke`), target, {clock});
	return {issuer, bodies, revocation};
}

test('the tokens of a real login are void at the server afterwards', async () => {
	const authorization = await startAuthorizationServer({features: {revocation: {enabled: true}}});
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
	});
	const observed = openObservedLogins();
	const end = logIn(observed, server.url);
	const {authorizationUrl = ''} = await observed.until(({state}) => state === 'awaiting-redirect');
	await browse(authorizationUrl);
	await end;
	const record = await observed.store.read('one');
	const token = record?.tokens.access_token ?? '';
	expect(await authorization.isValid(token)).toBe(true);
	expect(await revokeTokens(record!, loginTarget(server.url), {clock})).toEqual({
		kind: 'revoked',
		issuer: authorization.issuer,
	});
	expect(await authorization.isValid(token)).toBe(false);
	const refreshToken = record?.tokens.refresh_token ?? '';
	expect(await authorization.provider.RefreshToken.find(refreshToken)).toBeUndefined();
});

test.each([200, 204])('both tokens are revoked, the refresh token first; %i is an answer', async status => {
	const {bodies, revocation, issuer} = await revokeAt((_, response) => response.writeHead(status).end());
	expect(await revocation).toEqual({kind: 'revoked', issuer});
	expect(bodies.map(body => new URLSearchParams(body).get('token'))).toEqual(['refresh-1', 'access-1']);
});

test.each<[string, RequestListener, string]>([
	['503', (_, response) => response.writeHead(503).end(), 'answered 503'],
	[
		'an error',
		(_, response) => response.writeHead(401, {'content-type': 'application/json'}).end('{"error":"invalid_client"}'),
		'answered invalid_client',
	],
	['a page', (_, response) => response.writeHead(404, {'content-type': 'text/html'}).end('<p>'), 'cannot be used'],
	['nothing', (_, response) => response.destroy(), ''],
])('%s is said', async (_, answer, why) => {
	const {issuer, revocation} = await revokeAt(answer);
	expect(await revocation).toMatchObject({kind: 'failed', issuer, why: expect.stringContaining(why)});
});

test('a server that never answers is waited for ten seconds', async () => {
	const asked = Promise.withResolvers<undefined>();
	const {revocation} = await revokeAt(() => asked.resolve(undefined));
	await asked.promise;
	await clock.advance(9999);
	expect(await Promise.race([revocation, Promise.resolve('waiting')])).toBe('waiting');
	await clock.advance(1);
	expect(await revocation).toMatchObject({kind: 'failed', why: expect.stringContaining('did not answer in time')});
});

/** A login that has no endpoint for revocation, at a server whose metadata is what `metadata` makes of its issuer. */
async function revokeOldLogin(metadata: (issuer: string) => object | undefined) {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		const {url = ''} = request;
		asked.push(url);
		const document = url.startsWith('/.well-known/') ? metadata(issuer) : {};
		response.writeHead(document ? 200 : 404, {'content-type': 'application/json'}).end(JSON.stringify(document ?? {}));
	});
	const issuer = await listen(server);
	const target = loginTarget('http://127.0.0.1:1/mcp');
	return {issuer, asked, revocation: await revokeTokens(recordFor(issuer, undefined), target, {clock})};
}

const metadataOf = (issuer: string) => ({issuer, token_endpoint: `${issuer}/token`});

test('the endpoint of a login that was stored without one is looked up in the metadata of the issuer', async () => {
	const {asked, revocation, issuer} = await revokeOldLogin(own => ({
		...metadataOf(own),
		revocation_endpoint: `${own}/revoke`,
	}));
	expect(revocation).toEqual({kind: 'revoked', issuer});
	expect(asked).toEqual(['/.well-known/oauth-authorization-server', '/revoke', '/revoke']);
});

test.each<[string, (issuer: string) => object | undefined]>([
	['no endpoint for it', metadataOf],
	['no metadata', () => undefined],
])('a server with %s is sent no tokens', async (_, metadata) => {
	const {asked, revocation} = await revokeOldLogin(metadata);
	expect(revocation).toEqual({kind: 'not-possible'});
	expect(asked.filter(url => !url.includes('/.well-known/'))).toEqual([]);
});

test.each<[string, (issuer: string) => object, string]>([
	['of another issuer', own => ({...metadataOf(own), issuer: 'https://other.example'}), 'other.example'],
	[
		'with the token endpoint elsewhere',
		own => ({...metadataOf(own), token_endpoint: 'https://other.example/token'}),
		'another address',
	],
	['that is none', () => [], 'metadata'],
])('metadata %s gets no tokens, and that is said', async (_, metadata, why) => {
	const {asked, revocation, issuer} = await revokeOldLogin(own => {
		const document = metadata(own);
		return Array.isArray(document) ? document : {...document, revocation_endpoint: `${own}/revoke`};
	});
	expect(revocation).toMatchObject({kind: 'failed', issuer, why: expect.stringContaining(why)});
	expect(asked).not.toContain('/revoke');
});

test('metadata that never answers is waited for ten seconds', async () => {
	const asked = Promise.withResolvers<undefined>();
	const issuer = await listen(createServer(() => asked.resolve(undefined)));
	const revocation = revokeTokens(recordFor(issuer, undefined), loginTarget('http://127.0.0.1:1/mcp'), {clock});
	await asked.promise;
	await clock.advance(10_000);
	expect(await revocation).toMatchObject({kind: 'failed', why: expect.stringContaining('did not answer in time')});
});
