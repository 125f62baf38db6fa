import {mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type TokenRecord, tokenFileText} from '../../../source/oauth/protocol/token-record.ts';
import {tokenFileName} from '../../../source/oauth/tokens/token-store.ts';
import {listen} from '../../helpers/loopback.ts';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {readState, stateDirectory} from '../../helpers/sluice.ts';

const url = 'https://mcp.example/mcp';
const later = Date.UTC(2099, 0, 2, 3, 4);

const record: TokenRecord = {
	serverUrl: url,
	authorizationServer: {issuer: 'https://as.example', token_endpoint: 'https://as.example/token'},
	client: {kind: 'registered', client_id: 'one'},
	tokens: {access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1', scope: 'read write'},
	expiresAt: later,
};

function open(records: Readonly<Record<string, TokenRecord>>, servers: Readonly<Record<string, object>>): string {
	const home = stateDirectory({mcp_servers: servers});
	mkdirSync(join(home, 'mcp-tokens'), {mode: 0o700});
	Object.entries(records).forEach(([name, one]) =>
		writeFileSync(join(home, 'mcp-tokens', `${tokenFileName(name)}.json`), tokenFileText(one), {mode: 0o600}),
	);
	return home;
}

describe('sluice logins list', () => {
	const oauth = {url, auth: 'oauth'};
	const {refresh_token: _, ...withoutRefresh} = record.tokens;
	const home = () =>
		open(
			{
				one: record,
				old: {...record, tokens: withoutRefresh, expiresAt: 1000},
				wider: {...record, demandedScope: 'admin'},
				moved: {...record, serverUrl: 'https://elsewhere.example/mcp'},
			},
			{
				one: oauth,
				old: {...oauth, oauth: {flow: 'device'}},
				wider: oauth,
				moved: oauth,
				never: oauth,
				plain: {url},
				local: {command: 'true', enabled: false},
			},
		);

	test('shows issuer, scopes and expiry of each server that logs in, as JSON', async () => {
		expect(await runSluiceJson({home: home()}, 'logins', 'list')).toEqual([
			{
				server: 'one',
				state: 'logged-in',
				flow: 'browser',
				issuer: 'https://as.example',
				scopes: ['read', 'write'],
				expires_at: later,
				renews: true,
			},
			expect.objectContaining({server: 'old', state: 'expired', flow: 'device', renews: false}),
			expect.objectContaining({server: 'wider', state: 'wider-login-required'}),
			expect.objectContaining({server: 'moved', state: 'not-logged-in', issuer: null, scopes: []}),
			expect.objectContaining({server: 'never', state: 'not-logged-in', expires_at: null}),
		]);
	});

	test('shows them as a table, and no token', async () => {
		const {code, stdout} = await runSluice({home: home()}, 'logins', 'list');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^one +logged-in +https:\/\/as\.example +read write +2099-01-0\d .*renewed by itself$/mu);
		expect(stdout).not.toMatch(/access-1|refresh-1/u);
	});

	test('shows tokens that no server uses any more, and how to remove them', async () => {
		const left = open({plain: record, 'Was here': record, one: record}, {one: oauth, plain: {url}, bare: {url}});
		expect(await runSluiceJson({home: left}, 'logins', 'list')).toEqual([
			expect.objectContaining({server: 'one', state: 'logged-in'}),
			expect.objectContaining({server: 'plain', state: 'unused', flow: null, issuer: 'https://as.example'}),
			expect.objectContaining({server: 'Was here', state: 'unused'}),
		]);
		const {stdout} = await runSluice({home: left}, 'logins', 'list');
		expect(stdout).toMatch(/`sluice .*mcp logout 'Was here'` revokes and removes them/u);
	});

	test('says when no server logs in', async () => {
		expect(await runSluice({home: stateDirectory({})}, 'logins')).toMatchObject({
			code: 0,
			stderr: 'No server is configured with `auth: oauth`.\n',
		});
	});
});

describe('what ends a login', () => {
	async function prepare(status: number, entry?: (url: string) => Readonly<Record<string, object>>) {
		const seen: string[] = [];
		const server = createServer((request, response) => {
			seen.push(request.url ?? '');
			request.resume().on('end', () => response.writeHead(status).end());
		});
		const issuer = await listen(server);
		const here = `${issuer}/mcp`;
		const authorizationServer = {issuer, token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`};
		const home = open(
			{one: {...record, serverUrl: here, authorizationServer}},
			entry?.(here) ?? {one: {url: here, auth: 'oauth'}},
		);
		return {home, issuer, seen};
	}

	test.each([
		['mcp logout', ['mcp', 'logout', 'one']],
		['mcp remove', ['mcp', 'remove', 'one', '--yes']],
	])('%s revokes the tokens where they were issued', async (_, words) => {
		const {home, issuer, seen} = await prepare(200);
		expect(await runSluice({home}, ...words)).toMatchObject({
			code: 0,
			stderr: expect.stringContaining(`The tokens were revoked at ${issuer}.`),
		});
		expect([seen, readState(home, 'mcp-tokens/one.json')]).toEqual([['/revoke', '/revoke'], '']);
	});

	test.each<[string, readonly string[], (here: string) => Readonly<Record<string, object>>]>([
		['lost `auth: oauth`', ['mcp', 'logout', 'one'], here => ({one: {url: here, enabled: false}})],
		['lost `auth: oauth`', ['mcp', 'remove', 'one', '--yes'], here => ({one: {url: here, enabled: false}})],
		['is a local program now', ['mcp', 'logout', 'one'], () => ({one: {command: 'true', enabled: false}})],
		['is no longer in the file', ['mcp', 'logout', 'one'], () => ({})],
	])('the tokens of a server that %s are revoked and removed by %j', async (_, words, entry) => {
		const {home, issuer, seen} = await prepare(200, entry);
		expect(await runSluice({home}, ...words)).toMatchObject({
			code: 0,
			stderr: expect.stringContaining(`The tokens were revoked at ${issuer}.`),
		});
		expect([seen, readState(home, 'mcp-tokens/one.json')]).toEqual([['/revoke', '/revoke'], '']);
		// There is nothing left to log out of.
		expect((await runSluice({home}, 'mcp', 'logout', 'one')).code).not.toBe(0);
	});

	test.each([
		['mcp logout', ['mcp', 'logout', 'one']],
		['mcp remove', ['mcp', 'remove', 'one', '--yes']],
	])('%s removes the local tokens all the same when the revocation fails, and says so', async (_, words) => {
		const {home, issuer} = await prepare(503);
		expect(await runSluice({home}, ...words)).toMatchObject({
			code: 0,
			stderr: expect.stringContaining(
				`The tokens are removed here, but were not revoked at ${issuer}: The authorization server answered 503`,
			),
		});
		expect(readState(home, 'mcp-tokens/one.json')).toBe('');
	});
});

test.each([
	['a local program', {command: 'true', enabled: false}],
	['a server without one', {url, enabled: false}],
])('a logout from %s says that there is nothing to end, and advises no login', async (_, entry) => {
	const home = stateDirectory({mcp_servers: {one: entry}});
	const {code, stderr} = await runSluice({home}, 'mcp', 'logout', 'one');
	expect([code, stderr]).toEqual([2, expect.stringContaining('has no login, and no tokens are kept for it')]);
	expect(stderr).not.toContain('mcp login');
	expect(stderr).toContain('logins list`');
});

test.each([
	['a local program', {command: 'true', enabled: false}, 'is a local program, which needs no login'],
	['a server without one', {url, enabled: false}, 'mcp login one --yes`'],
])('a login to %s says why there is none, and what to do', async (_, entry, why) => {
	const home = stateDirectory({mcp_servers: {one: entry}});
	const {code, stderr} = await runSluice({home}, 'mcp', 'login', 'one');
	expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('a login to a server that cannot be reached names its address without the query, and why', async () => {
	const server = createServer();
	const origin = await listen(server);
	server.close();
	const home = stateDirectory({mcp_servers: {one: {url: `${origin}/mcp?key=hidden`, auth: 'oauth', enabled: false}}});
	const {code, stderr} = await runSluice({home}, 'mcp', 'login', 'one');
	expect([code, stderr]).toEqual([1, expect.stringContaining(`${origin} cannot be reached: nothing is listening`)]);
	expect(stderr).not.toContain('hidden');
});
