import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {type GatewayEvent} from '../../source/state/event.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {browse, confirmDevice} from '../simulators/robot.ts';
import {runGateway} from '../helpers/running-gateway.ts';

const isServer = (state: string) => (event: GatewayEvent) => event.type === 'server.state' && event.state === state;
const isLogin = (state: string) => (event: GatewayEvent) => event.type === 'login.state' && event.state === state;

async function open(oauth = '', transport = 'http') {
	const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
	let valid: 'as issued' | 'none' = 'as issued';
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: async token => valid === 'as issued' && authorization.isValid(token),
	});
	const running = await runGateway(
		`mcp_servers:\n  tracker:\n    url: ${server.url}\n    transport: ${transport}\n    auth: oauth\n${oauth && `    oauth: ${oauth}\n`}`,
	);
	const call = () =>
		running.gateway.callTool(
			{name: 'mcp__tracker__echo', arguments: {}, origin: {kind: 'command-line'}},
			{signal: neverAborted()},
		);
	return {
		...running,
		authorization,
		server,
		call,
		refuseTokens() {
			valid = 'none';
		},
	};
}

async function logIn({gateway, eventWhere}: Awaited<ReturnType<typeof open>>) {
	gateway.send({method: 'mcp.login', params: {server: 'tracker', flow: 'browser', document: 'try-again'}});
	const awaiting = await eventWhere(isLogin('awaiting-redirect'));
	await browse(awaiting.type === 'login.state' ? (awaiting.authorizationUrl ?? '') : '');
	await eventWhere(isLogin('succeeded'));
	await eventWhere(isServer('connected'));
}

describe('a server without a token', () => {
	test('needs a login, says why and what to do, and nothing starts one', async () => {
		const {eventWhere, events} = await open();
		expect(await eventWhere(isServer('needs-login'))).toMatchObject({
			reason: expect.stringContaining('it has no tokens'),
			nextActions: [{kind: 'login', server: 'tracker'}],
		});
		expect(events.some(event => event.type === 'login.state')).toBe(false);
	});

	test('needs a login over SSE too', async () => {
		const {eventWhere} = await open('', 'sse');
		expect(await eventWhere(isServer('needs-login'))).toMatchObject({
			reason: expect.stringContaining('it has no tokens'),
		});
	});

	test('connects once a person has logged in from the window with a code', async () => {
		const {gateway, eventWhere} = await open('{flow: device}');
		await eventWhere(isServer('needs-login'));
		gateway.send({method: 'mcp.login', params: {server: 'tracker', document: 'try-again'}});
		const awaiting = await eventWhere(isLogin('awaiting-device'));
		await confirmDevice(awaiting.type === 'login.state' ? (awaiting.verificationUriComplete ?? '') : '');
		await eventWhere(isServer('connected'));
	});

	test('connects once a person has logged in from the window with a browser', async () => {
		await logIn(await open());
	});

	test('takes a redirect that is pasted into the window', async () => {
		const {gateway, eventWhere} = await open();
		gateway.send({method: 'mcp.login', params: {server: 'tracker', document: 'try-again'}});
		const awaiting = await eventWhere(isLogin('awaiting-redirect'));
		const {authorizationUrl = '', redirectUri = ''} = awaiting.type === 'login.state' ? awaiting : {};
		let redirectUrl = '';
		await browse(authorizationUrl, url => {
			redirectUrl = url;
			return url.startsWith(redirectUri) ? 'stop' : 'go on';
		});
		gateway.send({method: 'mcp.login.finish', params: {server: 'tracker', redirect_url: redirectUrl}});
		await eventWhere(isServer('connected'));
	});

	test('hears that a login was called off', async () => {
		const {gateway, eventWhere} = await open();
		gateway.send({method: 'mcp.login', params: {server: 'tracker', document: 'try-again'}});
		await eventWhere(isLogin('awaiting-redirect'));
		gateway.send({method: 'mcp.login.cancel', params: {server: 'tracker'}});
		expect(await eventWhere(isLogin('cancelled'))).toMatchObject({reason: 'by request'});
	});
});

describe('a server that is configured without a login', () => {
	async function openWithout() {
		const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
		const server = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: authorization.isValid,
		});
		return runGateway(`# mine\nmcp_servers:\n  tracker:\n    url: ${server.url} # theirs\n`);
	}

	test('says that it wants one, and has one after the switch, which leaves the rest of config.yaml alone', async () => {
		const {gateway, eventWhere, paths} = await openWithout();
		expect(await eventWhere(isServer('failed'))).toMatchObject({
			login: 'asked-for',
			reason: expect.stringContaining('it needs a login'),
			nextActions: [{kind: 'switch-to-oauth', server: 'tracker'}, {kind: 'text'}, {kind: 'reconnect'}],
		});
		gateway.send({method: 'mcp.login.switch', params: {server: 'tracker', flow: 'device'}});
		const awaiting = await eventWhere(isLogin('awaiting-device'));
		await confirmDevice(awaiting.type === 'login.state' ? (awaiting.verificationUriComplete ?? '') : '');
		expect(await eventWhere(isServer('connected'))).toMatchObject({login: 'configured'});
		expect(readFileSync(paths.config, 'utf8')).toMatch(
			/# mine[\s\S]*# theirs[\s\S]*auth: oauth\s+oauth:\s+flow: device/u,
		);
	});
});

describe('during a call', () => {
	test('a refused token is refreshed, and the call goes through', async () => {
		const parts = await open();
		await logIn(parts);
		const {authorization, server, call} = parts;
		const token = server.requests.at(-1)?.headers.authorization?.slice('Bearer '.length) ?? '';
		await (await authorization.provider.AccessToken.find(token))?.destroy();
		expect(await call()).toMatchObject({kind: 'result', result: 'done'});
		expect(authorization.tokenRequests().at(-1)?.form.get('grant_type')).toBe('refresh_token');
	});

	test('tokens that nothing cures end it with needs_reauth, and the server needs a login', async () => {
		const parts = await open();
		await logIn(parts);
		parts.events.length = 0;
		parts.refuseTokens();
		expect(await parts.call()).toMatchObject({kind: 'error', error: {code: 'login_required', needsReauth: true}});
		await parts.eventWhere(isServer('needs-login'));
		expect(await parts.call()).toMatchObject({kind: 'error', error: {code: 'login_required', needsReauth: true}});
	});
});

test('no token stands in an event', async () => {
	const parts = await open();
	await logIn(parts);
	const token = parts.server.requests.at(-1)?.headers.authorization?.slice('Bearer '.length) ?? '';
	expect(token.length).toBeGreaterThan(10);
	expect(JSON.stringify(parts.events)).not.toContain(token);
});
