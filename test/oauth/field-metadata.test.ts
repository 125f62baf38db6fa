import {describe, expect, test} from 'vitest';
import {isJsonObject, type JsonObject, parseJson} from '../../source/util/json-text.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {browse} from '../simulators/robot.ts';
import {logIn, openObservedLogins} from './observed-logins.ts';

async function open(metadataOf: (url: string) => JsonObject) {
	const authorization = await startAuthorizationServer();
	const {issuer, isValid} = authorization;
	const server = await startProtectedServer({authorizationServers: () => [issuer], isValid, metadataOf});
	return {authorization, server, observed: openObservedLogins()};
}

describe('the metadata of the tool server is found', () => {
	const page = {contentType: 'text/html', body: '<!doctype html><title>App</title>'};
	const named = '/.well-known/oauth-protected-resource/mcp';
	const challenge = (url: string) => `Bearer resource_metadata="${url.replace(named, '/app')}"`;
	const noMetadata = {contentType: 'application/json', body: '{"detail": "Not Found"}'};

	test.each([
		['behind a page at the address of the challenge', challenge, {'/app': page}],
		['behind a missing one at the address of the challenge', challenge, {}],
		['behind a page at the first well-known place', () => undefined, {[named]: page}],
		['behind JSON that is none at the first well-known place', () => undefined, {[named]: noMetadata}],
		['behind a page at both', challenge, {'/app': page, [named]: page}],
	])('%s', async (_, challengeOf, pages) => {
		const authorization = await startAuthorizationServer();
		const server = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: authorization.isValid,
			challenge: challengeOf,
			pages,
		});
		const observed = openObservedLogins();
		const end = logIn(observed, server.url);
		const {authorizationUrl = ''} = await observed.until(({state}) => state === 'awaiting-redirect');
		await browse(authorizationUrl);
		expect(await end).toEqual({kind: 'succeeded'});
		expect(await observed.store.read('one')).toMatchObject({resource: server.url});
	});

	test.each<[string, JsonObject]>([
		['with a list of authorization servers written as text', {authorization_servers: 'ISSUER'}],
		['with an authorization server that is none', {authorization_servers: ['none', 'ISSUER', 5]}],
		['with scopes written as text', {scopes_supported: 'read write'}],
		['with members of other types', {bearer_methods_supported: 'header', jwks_uri: '', resource_name: 5}],
	])('%s', async (_, metadata) => {
		const authorization = await startAuthorizationServer();
		const {issuer, isValid} = authorization;
		const written = parseJson(JSON.stringify(metadata).replaceAll('ISSUER', issuer));
		const server = await startProtectedServer({
			authorizationServers: () => [issuer],
			isValid,
			metadata: isJsonObject(written) ? written : {},
		});
		const observed = openObservedLogins();
		const end = logIn(observed, server.url);
		const {authorizationUrl = ''} = await observed.until(({state}) => state === 'awaiting-redirect');
		await browse(authorizationUrl);
		expect(await end).toEqual({kind: 'succeeded'});
	});
});

describe('a resource identifier is taken', () => {
	test.each([
		['with one slash more', '', '/'],
		['with one slash less', '/', ''],
	])('%s', async (_, ofServer, ofResource) => {
		const {authorization, server, observed} = await open(url => ({resource: `${url}${ofResource}`}));
		const end = logIn(observed, `${server.url}${ofServer}`);
		const {authorizationUrl = ''} = await observed.until(({state}) => state === 'awaiting-redirect');
		// As the server writes it, for its authorization server compares letter by letter.
		expect(new URL(authorizationUrl).searchParams.get('resource')).toBe(`${server.url}${ofResource}`);
		await browse(authorizationUrl);
		expect(await end).toEqual({kind: 'succeeded'});
		expect(authorization.tokenRequests()[0]?.form.get('resource')).toBe(`${server.url}${ofResource}`);
	});

	test.each(['//', '/x', '-two/'])('but not with %s after it', async more => {
		const {server, observed} = await open(url => ({resource: `${url}${more}`}));
		expect(await logIn(observed, server.url)).toMatchObject({kind: 'failed', problem: {code: 'issuer_mismatch'}});
	});
});
