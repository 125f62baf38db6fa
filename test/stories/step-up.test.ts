import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {aroundEach, describe, expect, test} from 'vitest';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {readState, type Running, sluice, startSluice, stateDirectory, type Surroundings} from '../helpers/sluice.ts';
import {type AuthorizationServerFixture, startAuthorizationServer} from '../simulators/authorization-server.ts';
import {browse, confirmDevice} from '../simulators/robot.ts';
import {startStepUpServer, type StepUpServer} from '../simulators/step-up-server.ts';

aroundEach(inOwnContext);

type Parts = {
	readonly at: Surroundings;
	readonly authorization: AuthorizationServerFixture;
	readonly server: StepUpServer;
};

async function open(options: Parameters<typeof startStepUpServer>[1] = {}): Promise<Parts> {
	const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
	const server = await startStepUpServer(authorization, options);
	const tracker = {url: server.url, auth: 'oauth', trust: 'full'};
	return {at: {home: stateDirectory({mcp_servers: {tracker}})}, authorization, server};
}

const call = ({at}: Parts) => sluice(at, 'mcp', 'call', 'mcp__tracker__echo', '--json');

/** What a login asked for, as the person's browser or device saw it. */
const askedScope = (url: string) => (new URL(url).searchParams.get('scope') ?? '').split(' ').sort();

/** The person opens what the command printed, and agrees. */
const people: Readonly<Record<'browser' | 'device', (login: Running, parts: Parts) => Promise<readonly string[]>>> = {
	async browser(login, {authorization}) {
		const url = await login.waitForLine(`${authorization.issuer}/auth?`);
		await browse(url);
		return askedScope(url);
	},
	async device(login, {authorization}) {
		const code = await login.waitForLine(/^[A-Z]{4}-[A-Z]{4}$/u);
		await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
		const asked = authorization.requests.findLast(({path}) => path === '/device/auth');
		return (asked?.form.get('scope') ?? '').split(' ').sort();
	},
};

async function logIn(parts: Parts, flow: 'browser' | 'device', command = 'login') {
	const login = startSluice(parts.at, 'mcp', command, 'tracker', '--flow', flow);
	const scope = await people[flow](login, parts);
	const {code, stderr} = await login.end;
	return {code, stderr, scope};
}

describe.each(['running', 'absent'] as const)('with the gateway %s', {timeout: 60_000}, gateway => {
	const prepare = async (options: Parameters<typeof startStepUpServer>[1] = {}) => {
		const parts = await open(options);
		if (gateway === 'running') {
			await startSluice(parts.at, 'gateway', 'run').waitForLine('tracker needs-login');
		}

		return parts;
	};

	test.concurrent.each(['browser', 'device'] as const)(
		'a call passes after one login that asks for more (%s)',
		async flow => {
			const parts = await prepare();
			expect(await logIn(parts, flow)).toMatchObject({code: 0, scope: ['offline_access', 'read']});
			const refused = await call(parts);
			expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
				1,
				{error: expect.objectContaining({code: 'wider_login_required', message: expect.stringContaining('write')})},
			]);

			const login = await logIn(parts, flow);
			expect(login).toMatchObject({code: 0, scope: ['offline_access', 'read', 'write']});
			expect(login.stderr).toBe(gateway === 'running' ? 'The running gateway connects with them.\n' : '');
			const passed = await call(parts);
			expect([passed.code, JSON.parse(passed.stdout)]).toEqual([0, {result: 'done'}]);
			expect(parts.server.calls()).toEqual({refused: 1, answered: 1});
			// What was asked for has been given: nothing of it stays.
			expect(readState(parts.at.home, 'mcp-tokens/tracker.json')).not.toContain('demanded');
		},
	);

	test('reauth asks for more too, and a server that does not say what is missing is asked for all it has', async () => {
		const parts = await prepare({names: 'nothing'});
		await logIn(parts, 'device');
		expect((await call(parts)).code).toBe(1);
		expect(await logIn(parts, 'device', 'reauth')).toMatchObject({
			code: 0,
			scope: ['offline_access', 'read', 'write'],
		});
		expect((await call(parts)).code).toBe(0);
	});

	test('a login after a logout asks for no more than the server does', async () => {
		const parts = await prepare();
		await logIn(parts, 'device');
		expect((await call(parts)).code).toBe(1);
		expect(readState(parts.at.home, 'mcp-tokens/tracker.json')).toContain('"demandedScope": "write"');
		expect((await sluice(parts.at, 'mcp', 'logout', 'tracker')).code).toBe(0);
		expect(existsSync(join(parts.at.home, 'mcp-tokens/tracker.json'))).toBe(false);
		expect(await logIn(parts, 'device')).toMatchObject({code: 0, scope: ['offline_access', 'read']});
	});
});

describe('a login through the gateway', () => {
	const start = async () => {
		const parts = await open();
		const gateway = startSluice(parts.at, 'gateway', 'run', '--log', 'json');
		await gateway.waitForLine('"needs-login"');
		return {...parts, gateway};
	};

	const login = ({at}: Parts, ...words: readonly string[]) => startSluice(at, 'mcp', 'login', 'tracker', ...words);

	test('is the gateway’s: it tells the states', async () => {
		const parts = await start();
		await people.device(login(parts, '--flow', 'device'), parts);
		await parts.gateway.waitForLine(/"login\.state".*"awaiting-device"/u);
		await parts.gateway.waitForLine(/"login\.state".*"succeeded"/u);
		await parts.gateway.waitForLine(/"server\.state".*"connected"/u);
	});

	test.concurrent.each(['SIGINT', 'SIGKILL'] as const)('is called off by %s', async signal => {
		const parts = await start();
		const one = login(parts);
		await one.waitForLine(`${parts.authorization.issuer}/auth?`);
		one.signal(signal);
		const {code, stderr} = await one.end;
		expect([code, stderr]).toEqual(
			signal === 'SIGINT' ? [1, 'The login was called off; earlier credentials are kept.\n'] : [137, ''],
		);
		await parts.gateway.waitForLine(/"login\.state".*"cancelled"/u);
		// Its port is free, and the next login goes through.
		expect(await logIn(parts, 'browser')).toMatchObject({code: 0});
	});

	test('is shown to a second terminal that asks for it, and goes on when the first one leaves', async () => {
		const parts = await start();
		const first = login(parts);
		const url = await first.waitForLine(`${parts.authorization.issuer}/auth?`);
		const second = login(parts);
		expect(await second.waitForLine(`${parts.authorization.issuer}/auth?`)).toBe(url);
		first.signal('SIGINT');
		expect((await first.end).code).toBe(1);
		await browse(url);
		expect(await second.end).toMatchObject({code: 0, stdout: expect.stringContaining('Logged in to tracker.')});
	});

	test('that is denied ends with 1 and the reason', async () => {
		const parts = await start();
		const one = login(parts, '--flow', 'device');
		const code = await one.waitForLine(/^[A-Z]{4}-[A-Z]{4}$/u);
		await confirmDevice(`${parts.authorization.issuer}/device?user_code=${code}`, 'abort');
		expect(await one.end).toMatchObject({code: 1, stderr: expect.stringContaining('denied')});
	});

	test('of a server that is not there, or has no login, is refused', async () => {
		const parts = await start();
		expect(await sluice(parts.at, 'mcp', 'login', 'trakcer')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('No server is called "trakcer"'),
		});
	});
});
