import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {type OauthConfig} from '../../../source/config/servers/oauth-entry.ts';
import {callbackPlan} from '../../../source/oauth/flows/callback-port.ts';
import {chooseScope} from '../../../source/oauth/discovery/choose-scope.ts';
import {chooseIdentity, flowGrants, type IdentityRequest} from '../../../source/oauth/discovery/client-identity.ts';
import {defaultDocumentUrl, documentFault, documentRedirects} from '../../../source/oauth/discovery/client-document.ts';
import {type TokenRecord} from '../../../source/oauth/protocol/token-record.ts';

const oauth: OauthConfig = {flow: 'browser', timeoutSeconds: 300, identification: 'document'};
const plain = {issuer: 'https://as.example', token_endpoint: 'https://as.example/token'};
const advertising = {...plain, client_id_metadata_document_supported: true};
const pinned = 'http://127.0.0.1:27890/callback';

function recordOf(client: TokenRecord['client'], authorizationServer: TokenRecord['authorizationServer'] = plain) {
	return {
		serverUrl: 'https://mcp.example/',
		authorizationServer,
		client,
		tokens: {access_token: 'a', token_type: 'Bearer'},
	} satisfies TokenRecord;
}

const registered = {
	kind: 'registered',
	client_id: 'before',
	redirect_uris: [pinned],
	grant_types: [...flowGrants.browser],
} as const satisfies TokenRecord['client'];

const configured = {kind: 'configured', client_id: 'mine'} as const;

function choose(request: Partial<IdentityRequest>) {
	const all = {
		flow: 'browser',
		oauth,
		authorizationServer: advertising,
		redirectUri: pinned,
		record: undefined,
	} as const;
	return chooseIdentity({...all, documentRefused: false, now: 1000, ...request});
}

describe('identity', () => {
	test('is the document where it is advertised', () => {
		expect(choose({})).toEqual({kind: 'document', url: defaultDocumentUrl});
	});

	test('is the own document where one is configured', () => {
		const clientMetadataUrl = 'https://me.example/client.json';
		expect(choose({oauth: {...oauth, clientMetadataUrl}})).toEqual({kind: 'document', url: clientMetadataUrl});
	});

	test.each<[string, Partial<IdentityRequest>]>([
		['not advertised', {authorizationServer: plain}],
		['refused before', {documentRefused: true}],
		['switched off', {oauth: {...oauth, identification: 'register'}}],
		['a name of its own', {oauth: {...oauth, clientName: 'me'}}],
		['a method of its own', {oauth: {...oauth, tokenEndpointAuthMethod: 'none'}}],
		['a redirect the document does not declare', {redirectUri: 'http://127.0.0.1:4000/callback'}],
		['the device flow', {flow: 'device', redirectUri: undefined}],
	])('is a registration: %s', (_, request) => {
		expect(choose(request)).toEqual({kind: 'register'});
	});

	test('is the configured client before all else', () => {
		expect(choose({oauth: {...oauth, clientId: 'mine', clientSecret: 'secret'}})).toEqual({
			kind: 'known',
			client: {kind: 'configured', client_id: 'mine', client_secret: 'secret'},
		});
	});

	test('is the stored registration', () => {
		const record = recordOf(registered);
		expect(choose({authorizationServer: plain, record})).toEqual({kind: 'known', client: registered});
	});

	test.each<[string, Partial<IdentityRequest>]>([
		['another issuer', {authorizationServer: {...plain, issuer: 'https://evil.example'}}],
		['tokens from another origin', {authorizationServer: {...plain, token_endpoint: 'https://evil.example/token'}}],
		['another flow', {authorizationServer: plain, flow: 'device', redirectUri: undefined}],
		['another redirect', {authorizationServer: plain, redirectUri: 'http://127.0.0.1:4000/callback'}],
		[
			'an expired secret',
			{authorizationServer: plain, record: recordOf({...registered, client_secret_expires_at: 0.5})},
		],
	])('is not the kept registration: %s', (_, request) => {
		expect(choose({record: recordOf(registered), ...request})).toEqual({kind: 'register'});
	});

	test.each([
		{...plain, issuer: 'https://evil.example'},
		{...plain, token_endpoint: 'https://evil.example/token'},
	])('a configured client is not shown to a server that has changed: %j', authorizationServer => {
		const request = {oauth: {...oauth, clientId: 'mine'}, record: recordOf(configured), authorizationServer};
		expect(() => choose(request)).toThrow(/evil\.example.*https:\/\/as\.example/u);
	});
});

describe('callback plan', () => {
	const plan = (request: Partial<Parameters<typeof callbackPlan>[0]>) =>
		callbackPlan({oauth, record: undefined, documentRefused: false, ...request});

	test('is pinned at the first login', () => {
		expect(plan({})).toEqual({kind: 'pinned'});
	});

	test('is pinned where the document was used before', () => {
		expect(plan({record: recordOf({kind: 'document', client_id: defaultDocumentUrl}, advertising)})).toEqual({
			kind: 'pinned',
		});
	});

	test.each<[string, Partial<Parameters<typeof callbackPlan>[0]>]>([
		['the server takes no documents', {record: recordOf({kind: 'document', client_id: 'x'}, plain)}],
		['client_id', {oauth: {...oauth, clientId: 'x'}}],
		['client_secret', {oauth: {...oauth, clientSecret: 'x'}}],
		['client_name', {oauth: {...oauth, clientName: 'x'}}],
		['token_endpoint_auth_method', {oauth: {...oauth, tokenEndpointAuthMethod: 'none'}}],
		['a registration is stored', {record: recordOf(registered, advertising)}],
		['cimd is false', {oauth: {...oauth, identification: 'register'}}],
		['the document was refused', {documentRefused: true}],
	])('is random: %s', (_, request) => {
		expect(plan(request).kind).toBe('random');
	});

	test.each<[Partial<OauthConfig>, object]>([
		[{redirectPort: 4000}, {port: 4000}],
		[{redirectUri: 'http://localhost:4000/back'}, {port: 4000, address: 'http://localhost:4000/back'}],
		[
			{redirectUri: 'https://me.example/back', redirectPort: 4000},
			{port: 4000, address: 'https://me.example/back'},
		],
		[{redirectUri: 'https://me.example/back'}, {port: 0, address: 'https://me.example/back'}],
	])('is what a person configured: %j', (own, expected) => {
		expect(plan({oauth: {...oauth, ...own}})).toEqual({kind: 'configured', ...expected});
	});
});

describe('client document', () => {
	const text = readFileSync(new URL('../../../assets/oauth-client.json', import.meta.url), 'utf8');
	const good = {status: 200, contentType: 'application/json; charset=utf-8', body: text};

	test('of this repository is a good one', () => {
		expect(documentFault(defaultDocumentUrl, good)).toBeUndefined();
		expect(documentRedirects).toHaveLength(10);
	});

	test('of this repository names the grants and no secret', () => {
		expect(JSON.parse(text)).toMatchObject({
			grant_types: flowGrants.browser,
			response_types: ['code'],
			token_endpoint_auth_method: 'none',
			application_type: 'native',
		});
	});

	test.each<[string, object]>([
		['it answered 404', {status: 404}],
		['it answered 302', {status: 302}],
		['content type', {contentType: 'text/html'}],
		['content type', {contentType: null}],
		['not a client metadata', {body: '<html>'}],
		['not a client metadata', {body: '{}'}],
		['not its own address', {body: text.replace(defaultDocumentUrl, 'https://evil.example/client.json')}],
		['does not declare http://localhost:27894/callback', {body: text.replace('localhost:27894', 'localhost:27895')}],
	])('is refused: %s', (reason, change) => {
		expect(documentFault(defaultDocumentUrl, {...good, ...change})).toContain(reason);
	});
});

describe('scope', () => {
	const nothing = {
		configured: undefined,
		challenged: undefined,
		notEnough: undefined,
		ofResource: [],
		ofAuthorizationServer: [],
	};

	test.each<[string | undefined, Partial<Parameters<typeof chooseScope>[0]>]>([
		[undefined, {}],
		['mine', {configured: 'mine', challenged: 'asked', ofResource: ['all'], ofAuthorizationServer: ['offline_access']}],
		['asked', {challenged: 'asked', ofResource: ['all']}],
		['all more', {ofResource: ['all', 'more']}],
		['asked offline_access', {challenged: 'asked', ofAuthorizationServer: ['offline_access']}],
		[undefined, {ofAuthorizationServer: ['offline_access']}],
		['had asked more', {notEnough: {granted: 'had', demanded: 'more'}, challenged: 'asked', ofResource: ['all']}],
		['had mine more', {notEnough: {granted: 'had mine', demanded: 'more mine'}, configured: 'mine'}],
		['mine more', {notEnough: {granted: undefined, demanded: 'more'}, configured: 'mine'}],
		['had all', {notEnough: {granted: 'had', demanded: ''}, ofResource: ['all']}],
		[
			'had more offline_access',
			{notEnough: {granted: 'had', demanded: 'more'}, ofAuthorizationServer: ['offline_access']},
		],
	])('is %s for %j', (expected, request) => {
		expect(chooseScope({...nothing, ...request})).toBe(expected);
	});
});
